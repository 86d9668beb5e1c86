/**
 * Commands that outlive their bots, and commands that are killed themselves, at random moments. Runs what `npm run build`
 * made.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/adapters/link/client.ts";
import { openWorkshop, press, type Running, type Workshop } from "../cli/askgate.ts";
import { PLAN } from "../support/login.ts";
import { randomFrom } from "../support/random.ts";
import { until } from "../support/until.ts";

const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const COMMAND_KILLS = 12;
const BOTS_KILLED = 15;

beforeEach(({ onTestFailed }) => onTestFailed(() => console.error(`CHAOS_SEED=${SEED}`)));

test("commands that wait while bot after bot is killed, serving or starting, get their outcomes", async ({
  onTestFinished,
}) => {
  const shop = openWorkshop();
  onTestFinished(() => shop.close());
  const random = randomFrom(SEED);
  const commands = ["One", "Two"].map((title) =>
    shop.start(["plan", "up", "--no-open"], {
      input: JSON.stringify({ ...PLAN, title }),
      cwd: shop.project(),
    }),
  );
  const rounds = await Promise.all(commands.map(({ round }) => round()));
  let killed = 0;
  for (let kill = 0; kill < BOTS_KILLED; kill += 1) {
    const pid = await until(() => {
      expect(commands.map(({ said }) => said().stderr).join("")).not.toContain("askgate: ");
      return holderOf(shop.stateDir, killed);
    }, 60_000);
    if (random.chance(0.5)) await until(async () => (await healthOf(shop)).waiting === 2, 60_000);
    else await pause(random.next() * 300);
    process.kill(pid, "SIGKILL");
    killed = pid;
  }
  const gate = await until(() => shop.gate(), 60_000);
  onTestFinished(() => gate.close());
  for (const round of rounds) await until(() => press(gate, round, "approve").then(() => true), 60_000);
  for (const [at, { ended }] of commands.entries()) {
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ round: rounds[at], title: at === 0 ? "One" : "Two" });
  }
}, 300_000);

/** The process that holds the lock, if it is another one than before. */
function holderOf(stateDir: string, before: number): number | false {
  const numbers = readdirSync(stateDir).flatMap((name) => /^lock-(\d+)$/.exec(name)?.[1] ?? []);
  const lock = readFileSync(join(stateDir, `lock-${Math.max(...numbers.map(Number))}`), "utf8");
  const { pid } = Holder.parse(JSON.parse(lock));
  return pid !== before && pid;
}

const Holder = z.object({ pid: z.number() });

async function healthOf(shop: Workshop) {
  const gate = await shop.gate();
  return gate.health().finally(() => gate.close());
}

test("a command that is killed at any moment of its life, and run again, asks once and gets the answer", async ({
  onTestFinished,
}) => {
  const shop = openWorkshop();
  onTestFinished(() => shop.close());
  await shop.run(["bot", "start"]);
  const gate = await shop.gate();
  onTestFinished(() => gate.close());
  const random = randomFrom(SEED);
  const life = await livedOut({ shop, gate, cwd: shop.project() }, Number.POSITIVE_INFINITY);
  for (let kill = 0; kill < COMMAND_KILLS; kill += 1) {
    const cwd = shop.project();
    await livedOut({ shop, gate, cwd }, random.next() * life);
    expect((await gate.list(cwd)).map(({ rounds }) => rounds.length)).toEqual([1]);
    expect(await isTaken(gate, cwd)).toBe(true);
  }
}, 300_000);

interface Scene {
  shop: Workshop;
  gate: Client;
  cwd: string;
}

/** Runs a command until one has given its outcome, killing the first after so long. Resolves to how long that one lived. */
async function livedOut({ shop, gate, cwd }: Scene, killAfterMs: number): Promise<number> {
  const start = (): Running => shop.start(["plan", "up", "--no-open"], { input: JSON.stringify(PLAN), cwd });
  const began = performance.now();
  const command = start();
  const approved = approve(gate, cwd);
  const timer = setTimeout(() => command.child.kill("SIGKILL"), Math.min(killAfterMs, 60_000));
  let ended = await command.ended;
  clearTimeout(timer);
  const lived = performance.now() - began;
  const gone = ended.signal !== null && !(await isTaken(gate, cwd));
  if (gone) ended = await start().ended;
  expect(ended).toMatchObject(gone ? { code: 0 } : {});
  const round = await approved;
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: "submitted", decision: "approve", round });
  return lived;
}

/** Somebody approves what is asked in the project, as soon as it is. */
async function approve(gate: Client, project: string): Promise<string> {
  const round = await until(async () => (await gate.list(project))[0]?.rounds[0]?.round ?? false, 60_000);
  await press(gate, round, "approve");
  return round;
}

/** Whether a command said that it has the outcome. */
async function isTaken(gate: Client, project: string): Promise<boolean> {
  const [there] = await gate.list(project);
  if (there === undefined) return false;
  // Comes after whatever the command said before it died.
  await gate.acknowledge(there.session, { rounds: [], messages: [] });
  const { rounds } = Taken.parse(await gate.show(there.session));
  return rounds.every(({ acknowledged }) => acknowledged);
}

const Taken = z.object({ rounds: z.array(z.object({ acknowledged: z.boolean() })) });
