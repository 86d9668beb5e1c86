import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { exitOfStatus } from "../../src/cli/exit.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import { until } from "../support/until.ts";
import { type Ended, openWorkshop, press, type Workshop } from "./askgate.ts";

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

const login = JSON.stringify(LOGIN);
const ask = (cwd: string, ...flags: string[]) =>
  shop.start(["clarity", "up", "--no-open", ...flags], { input: login, cwd });
const wait = (round: string, ...flags: string[]) => shop.run(["wait", round, ...flags]);
const read = ({ stdout }: Ended) => JSON.parse(stdout);

async function answer(round: string): Promise<void> {
  await press(gate, round, "accept");
  await press(gate, round, "send");
}

/** The state of the project's only session. */
async function session(cwd: string) {
  const [found] = JSON.parse((await shop.run(["list"], { cwd })).stdout);
  return JSON.parse((await shop.run(["show", found.session])).stdout);
}

describe("every status has its exit code", () => {
  it.each([
    ["submitted", 0],
    ["cancelled", 3],
    ["declined", 3],
    ["timeout", 4],
    ["pending", 4],
    ["over_quota", 6],
    ["unreachable", 5],
    ["invalid", 2],
    ["constructor", 1],
  ])("%s: %i", (status, code) => {
    expect(exitOfStatus(status)).toBe(code);
  });
});

describe("a clarity page", () => {
  it("that is sent gives the answers: exit 0", async () => {
    const cwd = shop.project();
    const command = ask(cwd);
    const round = await command.round();
    await answer(round);
    const ended = await command.ended;
    expect(ended.code).toBe(0);
    expect(read(ended)).toMatchObject({
      mode: "clarity",
      title: "Login PRD",
      action: "done",
      status: "submitted",
      round,
    });
    expect(read(ended).result.map((item: { answer: string }) => item.answer)).toEqual([
      "Magic link only",
      "One day",
    ]);
    expect(ended.stdout).toBe(`${JSON.stringify(read(ended), null, 2)}\n`);
    expect(ended.stderr).toMatch(
      new RegExp(`^round ${round} · open http://127\\.0\\.0\\.1:\\d+/\\S+ +\\(\\^C stops waiting`),
    );
    expect(ended.stderr).toMatch(/answered by .+ · 2 decisions · 00:00:\d\d\n$/);
  });

  it("that is cancelled: exit 3, with what was answered", async () => {
    const command = ask(shop.project());
    const round = await command.round();
    await press(gate, round, "pick", { target: "d0", values: ["o0"] });
    await press(gate, round, "cancel");
    const ended = await command.ended;
    expect(ended.code).toBe(3);
    expect(read(ended)).toMatchObject({ status: "cancelled", round, items: [{ decisionId: "auth" }] });
    expect(ended.stderr).toContain("cancelled by ");
  });

  it("whose deadline passes stays open: exit 4, and a later answer comes with the next command", async () => {
    const cwd = shop.project();
    const first = await ask(cwd, "--timeout", "50ms").ended;
    expect(first.code).toBe(4);
    expect(read(first)).toMatchObject({ status: "timeout", items: [] });
    const { round } = read(first);
    await answer(round);
    const second = await ask(cwd).ended;
    expect(second.code).toBe(0);
    expect(read(second)).toMatchObject({ status: "submitted", round });
  });

  it("with --on-timeout fail: exit 4, closed", async () => {
    const ended = await ask(shop.project(), "--timeout-ms", "50", "--on-timeout", "fail").ended;
    expect(ended.code).toBe(4);
    expect((await wait(read(ended).round)).code).toBe(4);
  });

  it("with --on-timeout recommended: exit 0, marked as defaulted", async () => {
    const ended = await ask(shop.project(), "--timeout", "50ms", "--on-timeout", "recommended").ended;
    expect(ended.code).toBe(0);
    expect(read(ended).result).toMatchObject([{ status: "defaulted" }, { status: "defaulted" }]);
    expect(ended.stderr).toContain("the recommended options were taken");
  });

  it("that is invalid: exit 2, every mistake on both outputs", async () => {
    const ended = await shop.run(["clarity", "up"], { input: '{"title": 1, "decisions": []}' });
    expect(ended.code).toBe(2);
    expect(read(ended).status).toBe("invalid");
    expect(read(ended).issues.length).toBeGreaterThan(2);
    for (const { path } of read(ended).issues) expect(ended.stderr).toContain(`  ${path}: `);
  });

  it.each([
    ["terminal", "this command has no terminal"],
    ["slack", "slack is not configured"],
  ])("on %s alone, where nobody can be asked: exit 5 with the reason", async (via, said) => {
    const ended = await ask(shop.project(), "--via", via).ended;
    expect(ended.code).toBe(5);
    expect(read(ended)).toMatchObject({ status: "unreachable", round: null });
    expect(ended.stderr).toContain(said);
  });

  it("that --input - names is standard input", async () => {
    const command = ask(shop.project(), "--input", "-");
    await press(gate, await command.round(), "cancel");
    expect((await command.ended).code).toBe(3);
  });

  it("takes the last of a repeated flag", async () => {
    const ended = await ask(shop.project(), "--timeout", "2h", "--timeout", "50ms").ended;
    expect(read(ended).status).toBe("timeout");
  });
});

describe("a plan", () => {
  it("that is to be changed: exit 0, with the comments", async () => {
    const command = shop.start(["plan", "up", "--no-open"], {
      input: JSON.stringify(PLAN),
      cwd: shop.project(),
    });
    const round = await command.round();
    await press(gate, round, "comment", { target: "b1", words: "which link?" });
    await press(gate, round, "revise");
    const ended = await command.ended;
    expect(ended.code).toBe(0);
    expect(read(ended)).toMatchObject({
      mode: "plan",
      decision: "revise",
      annotations: [{ blockIndex: 1, comment: "which link?" }],
    });
    expect(ended.stderr).toContain("changes requested by ");
  });
});

describe("wait", () => {
  it("prints an outcome any number of times", async () => {
    const command = ask(shop.project());
    const round = await command.round();
    const waiting = shop.start(["wait", round]);
    await answer(round);
    const outcomes = [await command.ended, await waiting.ended, await wait(round), await wait(round)];
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(new Set(outcomes.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it("gives up when its patience ends: exit 4, and nothing changes for people", async () => {
    const command = ask(shop.project());
    const round = await command.round();
    const ended = await wait(round, "--timeout", "20ms");
    expect(ended.code).toBe(4);
    expect(read(ended)).toMatchObject({ status: "pending", round });
    expect(ended.stderr).toContain(`askgate wait ${round}`);
    await press(gate, round, "cancel");
    expect((await command.ended).code).toBe(3);
  });

  it("for a round that nobody knows is a usage error", async () => {
    const ended = await wait("r_nothing-1");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("See: askgate list");
  });
});

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends the command with %i and leaves the question open", async (signal, code) => {
    const command = ask(shop.project());
    const round = await command.round();
    command.child.kill(signal);
    const ended = await command.ended;
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(`askgate wait ${round}`);
    await answer(round);
    expect((await wait(round)).code).toBe(0);
  });

  it("SIGKILL, then the same command again: the same round, and its outcome once", async () => {
    const cwd = shop.project();
    const killed = ask(cwd);
    const round = await killed.round();
    killed.child.kill("SIGKILL");
    await killed.ended;
    const again = ask(cwd);
    expect(await again.round()).toBe(round);
    await answer(round);
    expect(read(await again.ended).round).toBe(round);
    const next = ask(cwd);
    expect(await next.round()).not.toBe(round);
    await press(gate, await next.round(), "cancel");
    await next.ended;
  });
});

describe("standard output that is closed", () => {
  it("has not taken the outcome: the next command gets it", async () => {
    const cwd = shop.project();
    const deaf = ask(cwd);
    const round = await deaf.round();
    deaf.child.stdout?.destroy();
    await answer(round);
    const ended = await deaf.ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`the result is kept:  askgate wait ${round}`);
    const again = await ask(cwd).ended;
    expect(read(again)).toMatchObject({ status: "submitted", round });
    expect((await session(cwd)).rounds).toHaveLength(1);
  });
});

describe("--out", () => {
  it("gets the same text, in folders that are made", async () => {
    const cwd = shop.project();
    const command = ask(cwd, "--out", "a/b/answer.json");
    await answer(await command.round());
    const { stdout } = await command.ended;
    expect(readFileSync(join(cwd, "a", "b", "answer.json"), "utf8")).toBe(stdout);
  });

  it("gets every status that is printed", async () => {
    const cwd = shop.project();
    const invalid = await shop.run(["clarity", "up", "--out", "out.json"], { cwd, input: "{}" });
    expect(readFileSync(join(cwd, "out.json"), "utf8")).toBe(invalid.stdout);
    const unreachable = await ask(cwd, "--via", "terminal", "--out", "out.json").ended;
    expect(readFileSync(join(cwd, "out.json"), "utf8")).toBe(unreachable.stdout);
  });

  it("that cannot be written: exit 1 with the reason, the result on standard output and for wait", async () => {
    const cwd = shop.project();
    mkdirSync(join(cwd, "taken"));
    const command = ask(cwd, "--out", "taken");
    const round = await command.round();
    await answer(round);
    const ended = await command.ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("cannot write --out taken: it is a folder");
    expect(read(ended)).toMatchObject({ status: "submitted", round });
    expect((await wait(round)).stdout).toBe(ended.stdout);
  });

  it("that cannot be written changes nothing about who has the outcome: standard output took it", async () => {
    const cwd = shop.project();
    const command = ask(cwd, "--out", ".");
    await answer(await command.round());
    expect((await command.ended).code).toBe(1);
    expect((await session(cwd)).rounds).toMatchObject([{ acknowledged: true }]);
  });
});

describe("down", () => {
  it("without a session says so: exit 0", async () => {
    for (const kind of ["clarity", "plan"]) {
      const ended = await shop.run([kind, "down"], { cwd: shop.project() });
      expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "no session is open here\n" });
    }
  });

  it("cancels what is open", async () => {
    const cwd = shop.project();
    const command = ask(cwd);
    await command.round();
    expect((await shop.run(["clarity", "down"], { cwd })).code).toBe(0);
    expect(await command.ended).toMatchObject({ code: 3 });
  });
});

describe("continue", () => {
  it("without a session is a usage error", async () => {
    const ended = await shop.run(["clarity", "continue"], { input: login, cwd: shop.project() });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("Start one with: askgate clarity up");
  });

  it("puts the next page into the same session", async () => {
    const cwd = shop.project();
    const flow = (page: string) =>
      JSON.stringify({ ...LOGIN, flow: { session_id: "login-prd", page_id: page } });
    const first = shop.start(["clarity", "up", "--no-open"], { input: flow("one"), cwd });
    await answer(await first.round());
    const one = read(await first.ended);
    const second = shop.start(["clarity", "continue", "--no-open"], { input: flow("two"), cwd });
    await answer(await second.round());
    const two = read(await second.ended);
    expect(one).toMatchObject({ action: "continue", sessionId: "login-prd", pageId: "one" });
    expect(two).toMatchObject({ action: "continue", pageId: "two", session: one.session });
  });
});

describe("which session", () => {
  it("is the project's, from any folder in it, and another agent's id is another session", async () => {
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), "{}");
    mkdirSync(join(cwd, "deep"));
    const claude = shop.start(["clarity", "up", "--no-open"], {
      input: login,
      cwd,
      env: { CLAUDE_CODE_SESSION_ID: "one" },
    });
    const codex = shop.start(["clarity", "up", "--no-open"], {
      input: login,
      cwd: join(cwd, "deep"),
      env: { CODEX_THREAD_ID: "two" },
    });
    const rounds = [await claude.round(), await codex.round()];
    expect(new Set(rounds).size).toBe(2);
    await press(gate, rounds[0] ?? "", "cancel");
    expect(read(await claude.ended).round).toBe(rounds[0]);
    await answer(rounds[1] ?? "");
    expect(read(await codex.ended)).toMatchObject({ status: "submitted", round: rounds[1] });
  });
});

describe("list and show", () => {
  it("give JSON where nobody watches", async () => {
    const cwd = shop.project();
    const command = ask(cwd);
    const round = await command.round();
    const [found] = JSON.parse((await shop.run(["list"], { cwd })).stdout);
    expect(found).toMatchObject({
      title: "Login PRD",
      ended: false,
      rounds: [{ round, kind: "clarity", status: "open" }],
    });
    const shown = JSON.parse((await shop.run(["show", round])).stdout);
    expect(shown).toMatchObject({ session: found.session, project: cwd });
    expect(JSON.parse((await shop.run(["list"], { cwd: shop.project() })).stdout)).toEqual([]);
    const everywhere = JSON.parse((await shop.run(["list", "--all"], { cwd: shop.project() })).stdout);
    expect(everywhere.map(({ project }: { project: string }) => project)).toContain(cwd);
    await press(gate, round, "cancel");
    await command.ended;
  });
});

describe("a late answer", () => {
  it("comes with the session's next command, once", async () => {
    const cwd = shop.project();
    const { round } = read(await ask(cwd, "--timeout", "50ms").ended);
    await answer(round);
    const approve = async (title: string): Promise<Record<string, unknown>> => {
      const plan = JSON.stringify({ ...PLAN, title });
      const command = shop.start(["plan", "up", "--no-open"], { input: plan, cwd });
      await press(gate, await command.round(), "approve");
      return read(await command.ended);
    };
    expect(await approve("first")).toMatchObject({
      decision: "approve",
      late: [{ round, status: "submitted" }],
    });
    expect(await approve("second")).not.toHaveProperty("late");
  });
});

describe("the project's .env", () => {
  it("counts where the environment says nothing", async () => {
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), "{}");
    writeFileSync(
      join(cwd, ".env"),
      "ASKGATE_SESSION=alpha\nASKGATE_TIMEOUT=50ms\nASKGATE_ON_TIMEOUT=fail\n",
    );
    expect((await ask(cwd).ended).code).toBe(4);
    const env = { ASKGATE_SESSION: "beta" };
    expect((await shop.run(["clarity", "up", "--no-open"], { input: login, cwd, env })).code).toBe(4);
    const names = JSON.parse((await shop.run(["list"], { cwd })).stdout).map(
      ({ name }: { name: string }) => name,
    );
    expect(names.sort()).toEqual(["alpha", "beta"]);
  });
});

describe("who decides", () => {
  it("must be somebody who can be asked: a usage error otherwise", async () => {
    const ended = await ask(shop.project(), "--responders", "slack:U1").ended;
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("slack:U1");
  });
});

describe("a key", () => {
  it("names the round: the same question under another key is asked anew", async () => {
    const cwd = shop.project();
    const first = ask(cwd, "--key", "one");
    const round = await first.round();
    const same = ask(cwd, "--key", "one");
    expect(await same.round()).toBe(round);
    await answer(round);
    expect(read(await first.ended)).toEqual(read(await same.ended));
    expect(read(await ask(cwd, "--key", "one").ended).round).toBe(round);
    const other = ask(cwd, "--key", "two");
    expect(await other.round()).not.toBe(round);
    await press(gate, await other.round(), "cancel");
    await other.ended;
  });
});

describe("the browser", () => {
  it("is opened with the ticket, unless it shall not or there is none", async () => {
    const tools = shop.project();
    const opened = join(tools, "opened");
    writeFileSync(join(tools, "xdg-open"), `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 });
    const env = { PATH: `${tools}:${process.env.PATH}`, DISPLAY: ":0" };
    const settle = async (flags: string[], more: Record<string, string>): Promise<void> => {
      const command = shop.start(["clarity", "up", ...flags], {
        input: login,
        cwd: shop.project(),
        env: more,
      });
      await press(gate, await command.round(), "cancel");
      await command.ended;
    };
    await settle(["--no-open"], env);
    await settle([], { PATH: env.PATH });
    await settle([], { ...env, ASKGATE_OPEN: "0" });
    await settle([], env);
    await until(() => existsSync(opened) && readFileSync(opened, "utf8").endsWith("\n"));
    expect(readFileSync(opened, "utf8")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\S+\n$/);
  });
});
