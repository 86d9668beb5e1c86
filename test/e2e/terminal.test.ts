import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { MAIN, openWorkshop, press, type Workshop } from "../cli/askgate.ts";
import { PLAN } from "../support/login.ts";
import { inTerminal, type Size, type Terminal } from "./pty.ts";

/** The payload of DESIGN §5: magic link first, a follow-up behind the other option. */
const LOGIN = {
  title: "Login PRD",
  subtitle: "v1 · B2C",
  context: "Email-first, magic-link primary.",
  flow: { session_id: "login-prd", page_id: "entry-path" },
  decisions: [
    {
      id: "auth-method",
      question: "Which auth methods for v1?",
      recommendation_reason: "Spec twice says 'low friction'.",
      options: [
        { id: "magic-link", label: "Magic link only", recommended: true, reason: "Lowest friction." },
        { id: "password", label: "Password + magic link", recommended: false },
      ],
    },
    {
      id: "policy",
      question: "Password policy?",
      recommendation_reason: "Most people cope with it.",
      allow_custom: true,
      show_if: { decision: "auth-method", in: ["password"] },
      options: [
        { id: "lenient", label: "Lenient", recommended: true },
        { id: "strict", label: "Strict", recommended: false },
      ],
    },
  ],
};

let shop: Workshop;
let gate: Client;
beforeAll(async () => {
  shop = openWorkshop();
  await shop.run(["bot", "start"]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await shop.close();
});

interface Sitting extends Terminal {
  /** What standard output has taken. */
  result(): Record<string, unknown>;
  round(): Promise<string>;
}

/** `askgate KIND up` in a terminal of its own, in a project of its own. */
function sit(
  kind: "clarity" | "plan",
  payload: unknown,
  how: Size & { cwd?: string; flags?: string } = {},
): Sitting {
  const cwd = how.cwd ?? shop.project();
  const input = shop.file(`${kind}-${sittings++}.json`, payload);
  const command = `cd ${cwd} && echo $$ > pid && exec ${process.execPath} ${MAIN} ${kind} up --no-open --input ${input} ${how.flags ?? ""} > answer.json`;
  const terminal = inTerminal(command, shop.env(), how);
  return {
    ...terminal,
    result: () => JSON.parse(readFileSync(join(cwd, "answer.json"), "utf8")),
    async round() {
      await terminal.see("or answer here");
      return /round (\S+)/.exec(terminal.raw())?.[1] ?? "";
    },
  };
}
let sittings = 0;

describe("the login payload in a terminal", () => {
  it("is answered by two numbers and s", async () => {
    const here = sit("clarity", LOGIN);
    const round = await here.round();
    await here.see("1  Which auth methods for v1?");
    await here.see("1 Magic link only  ★  Lowest friction.");
    await here.see("> ");
    here.type("2");
    await here.see("2  Password policy?");
    await here.see("> ");
    here.type("2");
    await here.see("2 of 2");
    await here.see("> ");
    here.type("s");
    await here.see("answered by ");
    await here.see(" · 2 decisions · 00:00:");
    expect(await here.ended).toBe(0);
    const person = { by: expect.any(String), byId: expect.stringMatching(/^local:/), where: "terminal" };
    const item = {
      custom: false,
      status: "answered",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      ...person,
    };
    expect(here.result()).toEqual({
      mode: "clarity",
      title: "Login PRD",
      action: "continue",
      sessionId: "login-prd",
      pageId: "entry-path",
      result: [
        {
          decisionId: "auth-method",
          question: "Which auth methods for v1?",
          optionId: "password",
          answer: "Password + magic link",
          ...item,
        },
        { decisionId: "policy", question: "Password policy?", optionId: "strict", answer: "Strict", ...item },
      ],
      status: "submitted",
      round,
      session: expect.stringMatching(/^s_/),
      ...person,
    });
  });

  it("goes back, changes a pick, says what that took away, and sends the rest", async () => {
    const here = sit("clarity", LOGIN);
    await here.see("> ");
    here.type("2");
    await here.see("2  Password policy?");
    await here.see("> ");
    here.type("o at least 12 characters");
    await here.see("at least 12 characters — ");
    await here.see("2 of 2");
    await here.see("> ");
    here.type("b");
    await here.see("2  Password policy?");
    await here.see("> ");
    here.type("b");
    await here.see("1  Which auth methods for v1?");
    await here.see("✓ 2 Password + magic link");
    await here.see("> ");
    here.type("1");
    await here.see("removed: Password policy? — at least 12 characters");
    await here.see("1 of 1");
    await here.see("> ");
    here.type("s");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({ result: [{ optionId: "magic-link", answer: "Magic link only" }] });
  });

  it("fits 40 columns", async () => {
    const here = sit("clarity", LOGIN, { columns: 40 });
    await here.see("Spec twice says 'low friction'.");
    await here.see("> ");
    here.type("a");
    await here.see("1 of 1");
    await here.see("> ");
    here.type("s");
    expect(await here.ended).toBe(0);
  });

  it("is never sent by Enter, and too early not at all", async () => {
    const here = sit("clarity", LOGIN);
    await here.see("> ");
    here.type("");
    await here.see("Enter alone sends nothing");
    await here.see("> ");
    here.type("s");
    await here.see("Still open: 1 Which auth methods for v1?");
    await here.see("> ");
    here.type("c");
    await here.see("y does it");
    here.type("n");
    await here.see("Nothing was sent.");
    await here.see("> ");
    here.type("c");
    await here.see("y does it");
    here.type("y");
    expect(await here.ended).toBe(3);
    expect(here.result()).toMatchObject({ status: "cancelled" });
  });

  it("is asked on the terminal itself when the payload comes through a pipe", async () => {
    const cwd = shop.project();
    const input = shop.file("piped.json", LOGIN);
    const command = `cd ${cwd} && cat ${input} | ${process.execPath} ${MAIN} clarity up --via terminal > answer.json 2> talk`;
    const here = inTerminal(command, shop.env());
    await here.see("1  Which auth methods for v1?");
    await here.see("> ");
    here.type("1");
    await here.see("1 of 1");
    await here.see("> ");
    here.type("s");
    expect(await here.ended).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, "answer.json"), "utf8"))).toMatchObject({ status: "submitted" });
  });
});

describe("what is typed", () => {
  it("before a question is drawn is thrown away", async () => {
    const here = sit("clarity", LOGIN);
    here.press("2\r2\rs\rhalf a li");
    await here.see("1  Which auth methods for v1?");
    await here.see("> ");
    here.type("1");
    await here.see("✓ Magic link only — ");
    await here.see("1 of 1");
    await here.see("> ");
    here.type("s");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({ result: [{ optionId: "magic-link" }] });
  });

  it("as words may be pasted with its lines", async () => {
    const here = sit("clarity", LOGIN);
    await here.see("> ");
    here.type("2");
    await here.see("2  Password policy?");
    await here.see("> ");
    here.type("o");
    await here.see("words > ");
    here.press("twelve\rno pet names\r");
    await here.see("2 of 2");
    await here.see("> ");
    here.type("s");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({ result: [{}, { custom: true, answer: "twelve\nno pet names" }] });
  });

  it("^C ends the command and leaves the question open", async () => {
    const here = sit("clarity", LOGIN);
    const round = await here.round();
    await here.see("> ");
    here.press("\x03");
    await here.see(`askgate wait ${round}`);
    expect(await here.ended).toBe(130);
    await press(gate, round, "accept");
    await press(gate, round, "send");
    expect((await shop.run(["wait", round])).code).toBe(0);
  });

  it("q leaves the terminal and nothing else", async () => {
    const here = sit("clarity", LOGIN);
    const round = await here.round();
    await here.see("> ");
    here.type("q");
    await here.see("You left. The question stays open elsewhere");
    await press(gate, round, "cancel");
    await here.see("cancelled by ");
    expect(await here.ended).toBe(3);
  });
});

describe("other surfaces", () => {
  it("are seen at once: a pick moves on, the settling ends it", async () => {
    const here = sit("clarity", LOGIN);
    const round = await here.round();
    await here.see("> ");
    await press(gate, round, "pick", { target: "d0", values: ["o1"] });
    await here.see("1 Which auth methods for v1? ✓ Password + magic link — ");
    await here.see("2  Password policy?");
    await press(gate, round, "pick", { target: "d1", values: ["o0"] });
    await here.see("2 of 2");
    await press(gate, round, "send");
    await here.see("answered by ");
    expect(await here.ended).toBe(0);
  });

  it("may take away the question that stands there", async () => {
    const here = sit("clarity", LOGIN);
    const round = await here.round();
    await here.see("> ");
    here.type("2");
    await here.see("2  Password policy?");
    await here.see("> ");
    await press(gate, round, "pick", { target: "d0", values: ["o0"] });
    await here.see("That is not asked any more.");
    await here.see("1 of 1");
    await here.see("> ");
    here.type("s");
    expect(await here.ended).toBe(0);
  });
});

describe("a plan in a terminal", () => {
  it("is commented, the comment rewritten, and approved", async () => {
    const here = sit("plan", PLAN);
    await here.see("¶1 # Login");
    await here.see("¶5 Done.");
    await here.see("> ");
    here.type("2: which link?");
    await here.see("¶2 a1 ");
    await here.see("which link?");
    await here.see("> ");
    here.type("e a1 a link by mail?");
    await here.see("a link by mail?");
    await here.see("> ");
    here.type("f fine otherwise");
    await here.see("fine otherwise");
    await here.see("> ");
    here.type("approve");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({
      decision: "approve",
      annotations: [{ id: "a1", blockIndex: 1, comment: "a link by mail?" }],
      generalFeedback: "fine otherwise",
    });
  });

  it("is sent back with words that are asked for", async () => {
    const here = sit("plan", PLAN);
    await here.see("> ");
    here.type("4: one");
    await here.see("¶4 a1 ");
    await here.see("> ");
    here.type("r a1");
    await here.see("> ");
    here.type("changes");
    await here.see("What should change?");
    await here.see("> ");
    here.type("tighten the TTL");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({
      decision: "revise",
      annotations: [],
      generalFeedback: "tighten the TTL",
    });
  });
});

describe("a payload", () => {
  it("cannot emit escape codes", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m";
    const here = sit("clarity", { ...LOGIN, title: evil, context: evil });
    await here.see("␛]0;owned␇␛[2J<U+009B>31m");
    await here.see("> ");
    here.press("\x03");
    await here.ended;
    expect(here.raw()).not.toContain("\u001b]0;");
    expect(here.raw()).not.toContain("\u001b[2J");
  });
});

describe("list and show", () => {
  it("are readable on a terminal", async () => {
    const cwd = shop.project();
    const here = sit("clarity", LOGIN, { cwd });
    const round = await here.round();
    await here.see("> ");
    const list = inTerminal(`cd ${cwd} && ${process.execPath} ${MAIN} list`, shop.env());
    await list.see("(login-prd)  Login PRD");
    await list.see(`${round}  clarity  open  Login PRD`);
    expect(await list.ended).toBe(0);
    const show = inTerminal(`${process.execPath} ${MAIN} show ${round}`, shop.env());
    await show.see(`project: ${cwd}`);
    expect(await show.ended).toBe(0);
    await press(gate, round, "cancel");
    await here.ended;
  });
});

describe("what is killed", () => {
  it("as the command, is asked again where it was, and once", async () => {
    const cwd = shop.project();
    const killed = sit("clarity", LOGIN, { cwd });
    const round = await killed.round();
    await killed.see("> ");
    killed.type("2");
    await killed.see("2  Password policy?");
    process.kill(Number(readFileSync(join(cwd, "pid"), "utf8")), "SIGKILL");
    await killed.ended;
    const again = sit("clarity", LOGIN, { cwd });
    expect(await again.round()).toBe(round);
    await again.see("2  Password policy?");
    await again.see("> ");
    again.type("1");
    await again.see("2 of 2");
    await again.see("> ");
    again.type("s");
    expect(await again.ended).toBe(0);
    expect(again.result()).toMatchObject({ status: "submitted", round });
  });

  it("as the bot, is replaced by the next press", async () => {
    const here = sit("clarity", LOGIN);
    await here.see("> ");
    const { pid } = await gate.health();
    process.kill(pid, "SIGKILL");
    here.type("2");
    await here.see("2  Password policy?");
    await here.see("> ");
    here.type("1");
    await here.see("2 of 2");
    await here.see("> ");
    here.type("s");
    expect(await here.ended).toBe(0);
    expect(here.result()).toMatchObject({
      status: "submitted",
      result: [{ optionId: "password" }, { optionId: "lenient" }],
    });
  });
});
