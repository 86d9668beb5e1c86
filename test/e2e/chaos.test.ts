/**
 * The bot is killed at a hundred random moments, while it starts, while it serves and while nothing happens: nothing that
 * was acknowledged is missing afterwards, and nothing counts twice. Runs what `npm run build` made.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { until } from "../support/until.ts";
import { type Life, readAgain, show } from "./books.ts";
import { answerQuestions, decide, review } from "./lives.ts";
import { MortalBot, type Stubborn, stubborn } from "./mortal-bot.ts";

const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const KILLS = 100;

/** Two bots, so that both processors have something to do. */
test("a bot that is killed at 100 random moments loses nothing and does nothing twice", async ({
  annotate,
}) => {
  const seeds = [SEED, SEED + 1];
  const reports = await allOf(seeds.map((seed) => haunted(seed, KILLS / seeds.length)));
  const starts = reports.flatMap(({ starts }) => starts).sort((a, b) => a - b);
  const [half, most] = [0.5, 0.95].map((part) => Math.round(starts[Math.floor(starts.length * part)] ?? 0));
  const sum = (what: "rounds" | "presses" | "repeats"): number =>
    reports.reduce((total, report) => total + report[what], 0);
  const done = `${sum("rounds")} rounds, ${sum("presses")} presses, ${sum("repeats")} of them cut off by a kill`;
  await annotate(`seed ${SEED}: ${done}; a start took ${half} ms, the slowest 5 % over ${most} ms`);
}, 600_000);

/** As `Promise.all`, but waits for all of them also when one fails: no bot is left behind. */
async function allOf<T>(promises: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

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
