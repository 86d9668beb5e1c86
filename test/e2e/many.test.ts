/** Many commands on one bot, and several on one question: each gets what is its own. Runs what `npm run build` made. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { sessionIdOf } from "../../src/core/round.ts";
import { openWorkshop, press, type Running, type Workshop } from "../cli/askgate.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import { randomFrom, shuffled } from "../support/random.ts";
import { until } from "../support/until.ts";

const AGENTS = 50;
/** All of them start at the same moment, on however few processors there are. */
const START_MS = 120_000;

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

const roundOf = ({ said }: Running): Promise<string> =>
  until(() => /^round (\S+)/m.exec(said().stderr)?.[1] ?? false, START_MS);

const up = (kind: "clarity" | "plan", payload: unknown, how: { cwd: string; flags?: string[] }): Running =>
  shop.start([kind, "up", "--no-open", ...(how.flags ?? [])], {
    input: JSON.stringify(payload),
    cwd: how.cwd,
  });

const read = async (command: Running) => {
  const { code, stdout } = await command.ended;
  return { code, result: JSON.parse(stdout) };
};

async function answer(round: string): Promise<void> {
  await press(gate, round, "accept");
  await press(gate, round, "send");
}

describe("50 commands at once", () => {
  it("each get their own answer, in whatever order people answer", async () => {
    const seed = Date.now() % 1_000_000;
    const cwd = shop.project();
    const agents = Array.from({ length: AGENTS }, (_, number) => startAgent(number, cwd));
    const asked = await Promise.all(
      agents.map(async ({ number, command }) => ({ number, round: await roundOf(command) })),
    );
    expect(await gate.health()).toMatchObject({ openRounds: AGENTS, sessions: AGENTS });
    for (const { number, round } of shuffled(asked, randomFrom(seed))) await answerAgent(number, round);
    for (const { number, command } of agents) {
      const { code, result } = await read(command);
      const round = asked[number]?.round;
      expect({ code, seed, ...result }).toMatchObject({ code: 0, title: `Task ${number}`, round });
      expect(result.result).toMatchObject([
        { answer: "Password + magic link" },
        { answer: `policy ${number}`, custom: true },
        { answer: number % 2 === 0 ? "One day" : "One month" },
      ]);
    }
    expect(new Set(asked.map(({ round }) => round)).size).toBe(AGENTS);
    expect(await gate.health()).toMatchObject({ openRounds: 0 });
  }, 300_000);
});

/** Half of the agents name their session by flag, half by the environment. */
function startAgent(number: number, cwd: string): { number: number; command: Running } {
  const name = `agent-${number}`;
  const args = ["clarity", "up", "--no-open", ...(number % 2 === 0 ? ["--session", name] : [])];
  const command = shop.start(args, {
    input: JSON.stringify({ ...LOGIN, title: `Task ${number}` }),
    cwd,
    env: number % 2 === 0 ? {} : { ASKGATE_SESSION: name },
  });
  return { number, command };
}

async function answerAgent(number: number, round: string): Promise<void> {
  await press(gate, round, "pick", { target: "d0", values: ["o1"] });
  await press(gate, round, "own", { target: "d1", words: `policy ${number}` });
  await press(gate, round, "pick", { target: "d2", values: [`o${number % 2}`] });
  await press(gate, round, "send");
}

describe("one question", () => {
  it("asked twice on purpose is one round, and both commands get its outcome", async () => {
    const cwd = shop.project();
    const two = [up("clarity", LOGIN, { cwd }), up("clarity", LOGIN, { cwd })];
    const [one = "", other] = await Promise.all(two.map(roundOf));
    expect(other).toBe(one);
    await answer(one);
    const [first, second] = await Promise.all(two.map(read));
    expect(first).toMatchObject({ code: 0, result: { round: one, status: "submitted" } });
    expect(second).toEqual(first);
    expect(await gate.list(cwd)).toMatchObject([{ rounds: [{ round: one }] }]);
  });

  it("asked in two projects is two rounds", async () => {
    const two = [shop.project(), shop.project()].map((cwd) => up("clarity", LOGIN, { cwd }));
    const [one = "", other = ""] = await Promise.all(two.map(roundOf));
    expect(other).not.toBe(one);
    await press(gate, one, "cancel");
    await answer(other);
    expect((await Promise.all(two.map(read))).map(({ code }) => code)).toEqual([3, 0]);
  });

  it("gives its outcome to every command that waits for its round", async () => {
    const command = up("plan", PLAN, { cwd: shop.project() });
    const round = await roundOf(command);
    const waits = [shop.start(["wait", round]), shop.start(["wait", round])];
    await until(async () => (await gate.health()).waiting === 3);
    await press(gate, round, "approve");
    const outcomes = await Promise.all([command, ...waits].map(read));
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ code: 0, result: { decision: "approve", round } });
  });
});

describe("a command that died", () => {
  it("does not keep others from knowing which session is meant", async () => {
    const cwd = shop.project();
    const first = up("clarity", LOGIN, { cwd });
    await roundOf(first);
    const second = up("clarity", { ...LOGIN, title: "Other" }, { cwd });
    const last = await roundOf(second);
    const down = () => shop.run(["clarity", "down"], { cwd });
    await until(async () => (await gate.health()).waiting === 2);
    expect(await down()).toMatchObject({ code: 2, stderr: expect.stringContaining("--session") });
    for (const { child } of [first, second]) child.kill("SIGKILL");
    await until(async () => (await gate.health()).waiting === 0);
    expect(await down()).toMatchObject({ code: 0, stderr: `session ${sessionIdOf(last)} ended\n` });
  });
});

describe("an answer that comes after its deadline", () => {
  it("comes with the session's next command, and not again after that", async () => {
    const cwd = shop.project();
    const late = await read(up("clarity", LOGIN, { cwd, flags: ["--timeout", "50ms"] }));
    expect(late).toMatchObject({ code: 4, result: { status: "timeout", items: [] } });
    await answer(late.result.round);
    const next = await approved({ ...PLAN, title: "Next" }, cwd);
    expect(next).toMatchObject({ code: 0, result: { session: late.result.session, decision: "approve" } });
    expect(next.result.late).toMatchObject([
      { round: late.result.round, status: "submitted", title: "Login PRD", result: [{}, {}] },
    ]);
    expect((await approved({ ...PLAN, title: "Last" }, cwd)).result).not.toHaveProperty("late");
  });

  it("is still there for `wait`", async () => {
    const cwd = shop.project();
    const late = await read(up("clarity", LOGIN, { cwd, flags: ["--timeout", "50ms"] }));
    const waiting = shop.start(["wait", late.result.round]);
    await until(async () => (await gate.health()).waiting === 1);
    await answer(late.result.round);
    expect(await read(waiting)).toMatchObject({ code: 0, result: { status: "submitted" } });
  });
});

async function approved(plan: unknown, cwd: string) {
  const command = up("plan", plan, { cwd });
  await press(gate, await roundOf(command), "approve");
  return read(command);
}
