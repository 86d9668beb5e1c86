/**
 * The bot is killed at a hundred random moments, while it starts, while it serves and while nothing happens: nothing that
 * was acknowledged is missing afterwards, and nothing counts twice. Runs what `npm run build` made.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/adapters/link/client.ts";
import { openWorkshop, press, type Running, type Workshop } from "../cli/askgate.ts";
import { temporaryFolder } from "../support/folder.ts";
import { PLAN } from "../support/login.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { until } from "../support/until.ts";
import { answerQuestions, decide, type Life, readAgain, review, show } from "./lives.ts";
import { MortalBot, type Stubborn, stubborn } from "./mortal-bot.ts";

const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const KILLS = 100;
const COMMAND_KILLS = 12;
const BOTS_KILLED = 15;

/** Two bots, so that both processors have something to do. */
test("a bot that is killed at 100 random moments loses nothing and does nothing twice", async ({
  annotate,
}) => {
  const seeds = [SEED, SEED + 1];
  const reports = await Promise.all(seeds.map((seed) => haunted(seed, KILLS / seeds.length)));
  const starts = reports.flatMap(({ starts }) => starts).sort((a, b) => a - b);
  const [half, most] = [0.5, 0.95].map((part) => Math.round(starts[Math.floor(starts.length * part)] ?? 0));
  const sum = (what: "rounds" | "presses" | "repeats"): number =>
    reports.reduce((total, report) => total + report[what], 0);
  const done = `${sum("rounds")} rounds, ${sum("presses")} presses, ${sum("repeats")} of them cut off by a kill`;
  await annotate(`seed ${SEED}: ${done}; a start took ${half} ms, the slowest 5 % over ${most} ms`);
}, 600_000);

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

async function haunted(seed: number, kills: number) {
  const stateDir = join(temporaryFolder(), "state");
  const bot = new MortalBot({ PATH: process.env.PATH ?? "", ASKGATE_STATE_DIR: stateDir });
  const client = stubborn(bot, stateDir);
  const world = { begun: 0, over: false };
  const lives = [decide, review, answerQuestions].map((live, at) => {
    const life = newLife({ world, client, name: live.name, random: randomFrom(seed * 10 + at) });
    return { life, lived: live(life) };
  });
  const all = Promise.all(lives.map(({ lived }) => lived));
  const haunting = haunt(bot, world, { kills, random: randomFrom(seed) });
  try {
    await Promise.race([all, haunting]);
    world.over = true;
    await all;
    await check(lives.map(({ life }) => life));
    expect(await bot.stop()).toBe(0);
    await expectQuiet(stateDir);
  } catch (cause) {
    throw new Error(`seed ${seed}, kill ${bot.kills} (CHAOS_SEED=${SEED} repeats the script)`, { cause });
  } finally {
    world.over = true;
    await haunting;
    await bot.stop();
    client.close();
  }
  const count = (of: (life: Life) => number): number => lives.reduce((sum, { life }) => sum + of(life), 0);
  return {
    starts: bot.starts,
    rounds: count(({ books }) => books.rounds.length),
    presses: count(({ presses }) => presses),
    repeats: count(({ repeats }) => repeats),
  };
}

interface World {
  begun: number;
  over: boolean;
}

/** Kills the bot while it starts, or after a few things have begun, and starts it again; in the end it lives. */
async function haunt(bot: MortalBot, world: World, { kills, random }: { kills: number; random: Random }) {
  for (let kill = 0; kill < kills && !world.over; kill += 1) {
    bot.start();
    if (random.chance(0.2)) await pause(random.next() * (bot.starts.at(-1) ?? 300));
    else {
      await bot.serving();
      const enough = world.begun + random.below(20);
      await until(() => world.begun >= enough || world.over, 60_000);
      await pause(random.next() * 10);
    }
    await bot.kill();
  }
  bot.start();
  await bot.serving();
}

interface Birth {
  world: World;
  client: Stubborn;
  name: string;
  random: Random;
}

const newLife = ({ world, client, name, random }: Birth): Life => ({
  name,
  random,
  client,
  begins: () => {
    world.begun += 1;
  },
  isOver: () => world.over,
  books: { sessions: new Set(), rounds: [], outcomes: new Map() },
  presses: 0,
  repeats: 0,
  store: "",
});

/** Every round is there once, with the outcome that was read, and known to be taken. */
async function check(lives: Life[]): Promise<void> {
  const [first] = lives;
  const list = (await first?.client.insist((gate) => gate.list(null))) ?? [];
  const booked = lives.flatMap(({ books }) => books.rounds).sort();
  expect(list.flatMap(({ rounds }) => rounds.map(({ round }) => round)).sort()).toEqual(booked);
  for (const life of lives) {
    for (const session of life.books.sessions) {
      for (const round of (await show(life, session)).rounds) {
        const taken = life.books.outcomes.has(round.id);
        expect(round).toMatchObject({ acknowledged: taken || round.acknowledged });
        if (taken) await readAgain(life, round.id);
      }
    }
  }
}

/** No error in the log, no damage found, no litter. */
async function expectQuiet(stateDir: string): Promise<void> {
  const log = readFileSync(join(stateDir, "bot.log"), "utf8").trim().split("\n");
  expect(log.filter((line) => !line.startsWith('{"level":"info"'))).toEqual([]);
  expect(readdirSync(join(stateDir, "store"))).toEqual(["store.mdb", "store.mdb-closed", "store.mdb-lock"]);
}
