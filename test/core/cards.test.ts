import { describe, expect, it } from "vitest";
import { isFileKey } from "../../src/core/cards.ts";
import { step } from "../../src/core/step.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import {
  ANA,
  after,
  asked,
  BEGIN,
  BEN,
  CHANNEL,
  CHO,
  controlsOf,
  DIRECT,
  did,
  draw,
  lines,
  named,
  open,
  PAGE,
  ROOMY,
  TIGHT,
} from "../support/people.ts";

const pick = (target: string, value: string) => ({ target, values: [value] });

describe("the cards of a clarity page", () => {
  it("leave room at home for what is said there later", () => {
    const [one] = LOGIN.decisions;
    const decisions = Array.from({ length: 30 }, (_, at) => ({ ...one, id: `d${at}` }));
    const limits = { ...TIGHT, unitsPer: { text: 1, choice: 5, controls: 1 } };
    const session = asked("clarity", { ...LOGIN, decisions }, { deadline: BEGIN + 60_000 });
    const [home] = draw({ ...session, away: { slack: BEGIN + 1 } }, limits);
    expect(home?.parts.filter(({ kind }) => kind === "choice")).toHaveLength(7);
    expect(lines(home)).toContain("Which auth methods?");
    expect(lines(home)).toContain("I was away until");
  });

  it("begin as one message that can be answered as it stands", () => {
    const [home, ...more] = draw(asked("clarity", LOGIN));
    expect(more).toEqual([]);
    expect(lines(home)).toBe(
      [
        "Login PRD | shop-web@main · Claude on mac-7",
        "Email-first.",
        "1 Which auth methods?\n  1 Magic link only ★\n  2 Password + magic link",
        "2 Session length?\n  1 One day ★\n  2 One month",
        "0 of 2",
        "[★ Accept recommended] [Send to agent] [Cancel]",
      ].join("\n"),
    );
    expect(home).toMatchObject({
      under: null,
      mention: [],
      alert: expect.stringContaining("Login PRD needs 2 decisions"),
    });
  });

  it("put a follow-up under the home message, mention the picker, and move the controls there", () => {
    const [home, reply] = draw(did(asked("clarity", LOGIN), "pick", pick("d0", "o1")));
    expect(lines(home)).toContain("Password + magic link — Ana\n↳ follow-up: Password policy?");
    expect(lines(home)).toContain("1 of 3");
    expect(controlsOf(home ? [home] : [])).toEqual([]);
    expect(reply).toMatchObject({ key: "r_test0001-1/d1", under: "r_test0001-1", mention: [ANA.id] });
    expect(lines(reply)).toBe(
      "3 Password policy?\n  1 Lenient ★\n  2 Strict\n[★ Accept recommended] [Send to agent] [Cancel]",
    );
  });

  it("say what went when a follow-up is retracted, and bring it back last", () => {
    const two = did(did(asked("clarity", LOGIN), "pick", pick("d0", "o1")), "pick", pick("d1", "o1"));
    const back = draw(did(two, "pick", pick("d0", "o0")));
    expect(back).toHaveLength(1);
    expect(lines(back[0])).toContain("removed: Password policy? — Strict");
  });

  it("show the answers and no controls once it is sent", () => {
    const done = did(did(asked("clarity", LOGIN), "accept"), "send");
    const all = draw(done);
    expect(controlsOf(all)).toEqual([]);
    expect(lines(all.at(-1))).toContain("Sent to the agent by Ana in Slack");
    expect(all.every((card) => card.settled)).toBe(true);
  });

  it("offer to cancel between two pages of a flow", () => {
    const flow = { ...LOGIN, flow: { session_id: "login", continue_label: "Next", done_label: "Finish" } };
    const first = asked("clarity", flow);
    expect(controlsOf(draw(first)).map(({ label }) => label)).toEqual([
      "★ Accept recommended",
      "Next",
      "Finish",
      "Cancel",
    ]);
    const sent = did(did(first, "accept"), "send");
    const [cancel] = controlsOf(draw(sent));
    expect(cancel).toMatchObject({ verb: "cancel" });
    const ended = did(sent, "cancel", { target: "session" });
    expect(ended.ended).toMatchObject({ how: "cancelled", by: { name: "Ana" } });
    expect(controlsOf(draw(ended))).toEqual([]);
  });

  it("put roots that do not fit in cards of their own, whatever is picked later", () => {
    const decisions = Array.from({ length: 40 }, (_, at) => ({ ...LOGIN.decisions[0], id: `q${at}` }));
    const session = asked("clarity", { ...LOGIN, decisions });
    const before = draw(session, TIGHT);
    expect(before.length).toBeGreaterThan(10);
    expect(before.map(({ parts }) => parts.filter(({ kind }) => kind === "controls").length)).toEqual([
      ...before.slice(1).map(() => 0),
      1,
    ]);
    const later = draw(did(session, "accept"), TIGHT);
    expect(later.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  });

  it("mention only those who are named, on their own platform", () => {
    const policy = named(BEN);
    policy.named.push({ name: "Dan", ids: ["discord:42"] });
    const [home] = draw(asked("clarity", LOGIN, { policy }));
    expect(home?.mention).toEqual([BEN.id]);
  });

  it("are only to read on the page where others are named", () => {
    const session = asked("clarity", LOGIN, { policy: named(BEN) });
    expect(controlsOf(draw(session, ROOMY, PAGE))).toEqual([]);
    expect(lines(draw(session, ROOMY, PAGE)[0])).toContain("Ben");
    expect(controlsOf(draw(session, ROOMY, CHANNEL))).toHaveLength(3);
  });

  it("say that the agent went on", () => {
    const late = after(step(asked("clarity", LOGIN, { deadline: BEGIN + 1 }), { type: "tick" }, BEGIN + 1));
    expect(lines(draw(late)[0])).toContain("The agent went on");
    expect(controlsOf(draw(late))).not.toEqual([]);
  });
});

describe("the cards of a plan", () => {
  it("are a header, the blocks, and the controls again", () => {
    const all = draw(asked("plan", PLAN));
    expect(all.map(({ key }) => key.split("/")[1] ?? "header")).toEqual([
      "header",
      ...[0, 1, 2, 3, 4].map((block) => `b${block}-${block}`),
      "end",
    ]);
    expect(lines(all[0])).toContain("[file plan.md]");
    expect(lines(all[3])).toBe("¶3 ## Risks");
    expect(lines(all.at(-1))).toBe("[Approve] [Request changes] [Feedback] [Cancel]");
  });

  it("say who is asked and what they did", () => {
    const session = asked("plan", PLAN, { policy: { ...named(ANA, BEN, CHO), quorum: 2 } });
    const commented = did(session, "comment", { target: "b2", words: "why?", actor: ANA });
    const objected = did(commented, "revise", { actor: BEN });
    const [header] = draw(objected);
    expect(lines(header)).toContain("Ana: 1 comment · Ben: asks for changes · Cho: –");
    expect(lines(header)).toContain("waiting for Ana, Cho");
    expect(lines(header)).toContain("[Send to agent now]");
  });

  it("pack blocks into few messages, splitting at headings", () => {
    const plan = Array.from(
      { length: 12 },
      (_, at) => `## Part ${at}\n\n${"word ".repeat(40)}\n\n- a\n- b`,
    ).join("\n\n");
    const keys = (place: typeof CHANNEL) =>
      draw(asked("plan", { title: "Long", plan }), TIGHT, place).flatMap(({ key }) =>
        isFileKey(key) ? [] : (key.split("/")[1] ?? []),
      );
    expect(keys(CHANNEL).length - 1).toBeLessThanOrEqual(8);
    expect(keys(DIRECT).length - 1).toBeLessThanOrEqual(3);
    const firsts = keys(CHANNEL)
      .slice(0, -1)
      .map((key) => Number(/b(\d+)-/.exec(key)?.[1]));
    expect(firsts.every((first) => first % 3 === 0)).toBe(true);
  });

  it("show on the page what was written elsewhere, and in the chat what was written on the page", () => {
    const session = did(asked("plan", PLAN), "comment", { target: "b2", words: "why?", actor: ANA });
    expect(lines(draw(session, ROOMY, PAGE)[3])).toContain("Ana: why?");
    expect(lines(draw(session, ROOMY, CHANNEL)[3])).not.toContain("why?");
  });
});

describe("the cards of later rounds", () => {
  it("stand in the thread of the home message, and mention whoever acted last", () => {
    const first = did(did(asked("clarity", LOGIN), "accept"), "send");
    const second = open(first, {
      kind: "ask",
      payload: { question: "Which colour?", options: ["red", "blue"] },
    });
    const card = draw(second).at(-1);
    expect(card).toMatchObject({ under: "r_test0001-1", mention: [ANA.id] });
    expect(lines(card)).toBe(
      "Claude | has a question | shop-web@main · Claude on mac-7\nWhich colour?\n  1 red\n  2 blue\n[Skip]",
    );
  });

  it("leave out questions that were settled at once", () => {
    const first = asked("clarity", LOGIN);
    const ask = { kind: "ask" as const, payload: { question: "Which colour?" } };
    expect(draw(open(first, ask, { asks: 0 }))).toHaveLength(1);
    expect(draw(open(first, ask, { immediate: true }))).toHaveLength(1);
  });

  it("show what an agent wants to run", () => {
    const session = asked("permission", { title: "Migrate", command: "rm -rf db" });
    expect(lines(draw(session)[0])).toContain("rm -rf db\n[Allow once] [Deny] [Deny with words]");
    expect(lines(draw(did(session, "deny", { words: "not on prod" }))[0])).toContain(
      "Denied by Ana in Slack",
    );
  });
});
