import { describe, expect, it } from "vitest";
import { result } from "../../src/core/outcome.ts";
import { step } from "../../src/core/step.ts";
import { LOGIN } from "../support/login.ts";
import {
  ANA,
  asked,
  BEGIN,
  BEN,
  did,
  GUEST,
  LOCAL,
  lastRound,
  named,
  PAGE,
  press,
  pressOf,
  STRANGER,
} from "../support/people.ts";

const page = () => asked("clarity", LOGIN);
const pick = (target: string, ...values: string[]) => ({ target, values });
const answered = () => did(did(page(), "pick", pick("d0", "o0")), "pick", pick("d2", "o1"));

describe("a clarity page", () => {
  it("hands over what was picked, with who and when", () => {
    const done = did(answered(), "send", { rev: 2 });
    const round = lastRound(done);
    expect(result(done, round)).toEqual({
      mode: "clarity",
      title: "Login PRD",
      action: "done",
      result: [
        {
          decisionId: "auth",
          question: "Which auth methods?",
          optionId: "magic",
          answer: "Magic link only",
          custom: false,
          status: "answered",
          by: "Ana",
          byId: "slack:T1/U1",
          where: "slack",
          at: "2027-01-15T08:00:01Z",
        },
        expect.objectContaining({ decisionId: "session", optionId: "month", answer: "One month" }),
      ],
      status: "submitted",
      round: "r_test0001-1",
      session: "s_test0001",
      by: "Ana",
      byId: "slack:T1/U1",
      where: "slack",
    });
  });

  it("reveals a follow-up, and drops its pick when the parent is picked anew", () => {
    const revealed = did(did(page(), "pick", pick("d0", "o1")), "pick", pick("d1", "o1"));
    expect(lastRound(revealed)).toMatchObject({ shown: ["auth", "session", "policy"] });
    const back = did(revealed, "pick", pick("d0", "o0"));
    expect(lastRound(back)).toMatchObject({
      shown: ["auth", "session"],
      appeared: ["auth", "session", "policy"],
      picks: { auth: { kind: "option", optionId: "magic" } },
      dropped: [{ cause: "auth", decision: "policy", answer: "Strict" }],
    });
    const again = lastRound(did(back, "pick", pick("d0", "o1")));
    expect(again).toMatchObject({ shown: ["auth", "session", "policy"], dropped: [] });
    expect(Object.keys(again.kind === "clarity" ? again.picks : {})).toEqual(["auth"]);
  });

  it("refuses a pick on a decision that is not asked any more", () => {
    expect(press(page(), "pick", pick("d1", "o0"))).toMatchObject({ ok: false, code: "retracted" });
  });

  it.each([[["o7"]], [[]], [["o0", "o1"]], [["x"]], [["o-1"]]])("refuses the values %j", (values) => {
    expect(press(page(), "pick", { target: "d0", values })).toMatchObject({
      ok: false,
      code: "unknown_option",
    });
  });

  it("asks for own words, keeps them, and refuses blank or unwanted ones", () => {
    const form = press(page(), "own", { target: "d2" });
    expect(form).toMatchObject({
      ok: true,
      answer: { kind: "form", form: { fields: [{ label: "Session length?" }] } },
    });
    expect(press(page(), "own", { target: "d2", words: " \n" })).toMatchObject({ ok: false, code: "blank" });
    expect(press(page(), "own", { target: "d0", words: "x" })).toMatchObject({
      code: "own_words_not_allowed",
    });
    const own = lastRound(did(page(), "own", { target: "d2", words: " two weeks " }));
    expect(own).toMatchObject({ picks: { session: { kind: "custom", value: "two weeks" } } });
  });

  it("tells which decisions are open when sent too early", () => {
    const early = press(did(page(), "pick", pick("d0", "o1")), "send", { rev: 1 });
    expect(early).toMatchObject({
      ok: false,
      code: "incomplete",
      text: "Still open: 2 Session length? · 3 Password policy?",
    });
  });

  it("accepts what is recommended, and leaves existing picks", () => {
    const all = lastRound(did(did(page(), "pick", pick("d0", "o1")), "accept", { rev: 1 }));
    expect(all).toMatchObject({
      picks: {
        auth: { kind: "option", optionId: "password" },
        policy: { kind: "option", optionId: "lenient" },
        session: { kind: "option", optionId: "day" },
      },
    });
  });

  it("shows what somebody else changed before it sends, once", () => {
    const changed = did(answered(), "pick", { ...pick("d0", "o1"), actor: BEN });
    const both = did(changed, "pick", { ...pick("d1", "o0"), actor: BEN });
    const stale = press(both, "send", { rev: 2 });
    expect(stale).toMatchObject({ ok: true, answer: { kind: "word", code: "stale" } });
    if (!stale.ok || stale.answer.kind !== "word") throw new Error("no word");
    expect(stale.answer.text).toContain("Ben changed “Which auth methods?” to Password + magic link.");
    expect(lastRound(did(stale.session, "send", { rev: 2 })).outcome).toMatchObject({ status: "submitted" });
  });

  it("takes the same press, delivered again, neither as done nor as the confirmation", () => {
    const both = did(did(answered(), "pick", { ...pick("d0", "o1"), actor: BEN }), "pick", pick("d1", "o0"));
    const once = press(both, "send", { rev: 2, id: "same" });
    if (!once.ok) throw new Error(once.code);
    expect(press(once.session, "send", { rev: 2, id: "same" })).toMatchObject({ ok: false, code: "stale" });
  });

  it("does not scold whoever changed it, nor whoever saw it", () => {
    const changed = did(
      did(answered(), "pick", { ...pick("d0", "o0"), actor: BEN }),
      "pick",
      pick("d2", "o0"),
    );
    expect(lastRound(did(changed, "send", { rev: 3 })).outcome).not.toBeNull();
    expect(lastRound(did(answered(), "send", { rev: 0 })).outcome).not.toBeNull();
  });

  it("settles once", () => {
    const done = did(answered(), "send", { rev: 2 });
    expect(press(done, "send", { rev: 2 })).toMatchObject({ ok: false, code: "settled" });
    expect(press(done, "own", { target: "d2", words: "late words" })).toMatchObject({
      ok: false,
      text: expect.stringContaining("late words"),
    });
  });

  it("takes the same delivery once", () => {
    const event = pressOf(page(), "pick", { ...pick("d0", "o1"), id: "same" });
    const once = step(page(), event, BEGIN);
    expect(once.ok && step(once.session, event, BEGIN)).toEqual({ ok: false, code: "duplicate", text: "" });
  });

  it("is cancelled by a person", () => {
    const done = did(page(), "cancel");
    expect(result(done, lastRound(done))).toMatchObject({ status: "cancelled", by: "Ana", items: [] });
  });
});

describe("who may answer", () => {
  it.each([
    [GUEST, "guest"],
    [STRANGER, "somebody who is not in the channel"],
  ])("not a %s", (actor) => {
    expect(press(page(), "pick", { ...pick("d0", "o0"), actor })).toMatchObject({
      ok: false,
      code: "not_allowed",
    });
  });

  it("only those who are named, where somebody is", () => {
    const session = asked("clarity", LOGIN, { policy: named(BEN) });
    expect(press(session, "pick", { ...pick("d0", "o0"), actor: ANA })).toMatchObject({
      code: "not_allowed",
    });
    expect(press(session, "pick", { ...pick("d0", "o0"), actor: BEN }).ok).toBe(true);
  });

  it("the local user on the page, unless others are named", () => {
    const here = { ...pick("d0", "o0"), actor: LOCAL, place: PAGE };
    expect(press(page(), "pick", here).ok).toBe(true);
    expect(press(page(), "pick", { ...here, place: { ...PAGE, surface: "slack" } })).toMatchObject({
      ok: false,
    });
    const session = asked("clarity", LOGIN, { policy: named(BEN) });
    expect(press(session, "pick", here)).toMatchObject({ ok: false, text: expect.stringContaining("Ben") });
  });
});

describe("the deadline of a page", () => {
  const due = (onTimeout: "keep" | "recommended" | "fail") =>
    asked("clarity", LOGIN, { deadline: BEGIN + 500, policy: { ...named(), onTimeout } });
  const tick = (session: ReturnType<typeof due>) => {
    const stepped = step(session, { type: "tick" }, BEGIN + 500);
    if (!stepped.ok) throw new Error(stepped.code);
    return stepped.session;
  };

  it("under keep leaves it open, and takes the answer late", () => {
    const late = tick(due("keep"));
    expect(lastRound(late)).toMatchObject({ outcome: null, lateAt: BEGIN + 500 });
    expect(result(late, lastRound(late), "timeout")).toMatchObject({ status: "timeout", items: [] });
    expect(lastRound(did(did(late, "accept"), "send")).outcome).toMatchObject({ status: "submitted" });
  });

  it("under recommended defaults what is missing, and says so", () => {
    const picked = did(due("recommended"), "pick", pick("d0", "o1"));
    const done = tick(picked);
    expect(result(done, lastRound(done))).toMatchObject({
      status: "submitted",
      result: [{ status: "answered", by: "Ana" }, { status: "defaulted" }, { status: "defaulted" }],
    });
  });

  it("under fail closes it", () => {
    const done = tick(due("fail"));
    expect(lastRound(done).outcome).toMatchObject({ status: "timeout" });
    expect(press(done, "pick", pick("d0", "o0"))).toMatchObject({ ok: false, code: "settled" });
  });
});
