/**
 * The bot is killed at a hundred random moments while people answer in a chat that itself limits, loses and fails calls:
 * nothing that people saw acknowledged is missing afterwards, every card stands once and as it should, and every outcome
 * reached its command once. Runs what `npm run build` made.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { until } from "../support/until.ts";
import { show as rounds } from "./books.ts";
import { decide } from "./chat-pages.ts";
import type { OpenPlatform } from "./chat-platform.ts";
import { answerQuestions } from "./chat-questions.ts";
import { review } from "./chat-reviews.ts";
import { expectObedience, expectOncePosted, expectScene, expectSigns } from "./chat-scene.ts";
import { type ChatLife, eventually, kill, openWorld, type World, withTokens } from "./chat-world.ts";
import { MortalBot, type Stubborn, stubborn } from "./mortal-bot.ts";

const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const KILLS = 100;

/** Two bots, so that both processors have something to do; resolves to what happened, in words. */
export async function expectToSurvive(open: OpenPlatform): Promise<string> {
  const haunts = [SEED, SEED + 1].map((seed) => haunted(open, seed, KILLS / 2));
  await Promise.allSettled(haunts);
  const reports = await Promise.all(haunts);
  const sum = (what: keyof (typeof reports)[number]): number =>
    reports.reduce((total, report) => total + report[what], 0);
  const done = `${sum("rounds")} rounds, ${sum("presses")} presses and messages, ${sum("failures")} presses failed`;
  return `seed ${SEED}: ${done}; ${sum("calls")} calls of the bots, ${sum("kills")} kills`;
}

async function haunted(open: OpenPlatform, seed: number, kills: number) {
  const stateDir = join(temporaryFolder(), "state");
  const bot = new MortalBot({ PATH: process.env.PATH ?? "", ASKGATE_STATE_DIR: stateDir });
  const world = await openWorld(open);
  const client = stubborn(bot, stateDir);
  const lives = livesIn(world, withTokens(client, world.platform.credentials), seed);
  const all = Promise.all(lives.map(({ life, live }) => live(life)));
  const haunting = haunt(bot, world, { kills, random: randomFrom(seed) });
  try {
    await Promise.race([all, haunting]);
    world.over = true;
    await all;
    for (const { life } of lives) await check(life);
    expectObedience(world);
    expect(await bot.stop()).toBe(0);
    await world.platform.assertClean();
    expectQuiet(world, stateDir);
  } catch (cause) {
    throw new Error(`seed ${seed}, kill ${bot.kills} (CHAOS_SEED=${SEED} repeats the script)`, { cause });
  } finally {
    world.over = true;
    await haunting.catch(() => {});
    await bot.stop();
    client.close();
    await world.stop();
  }
  const count = (of: (life: ChatLife) => number): number =>
    lives.reduce((total, { life }) => total + of(life), 0);
  return {
    rounds: count(({ books }) => books.rounds.length),
    presses: count(({ presses }) => presses),
    failures: count(({ failures }) => failures),
    calls: world.platform.calls.length,
    kills: bot.kills,
  };
}

/** Each life has people of its own, and a channel or direct message to itself: what one does is never another's. */
function livesIn(world: World, client: Stubborn, seed: number) {
  const lives = [
    { name: "Page", live: decide, direct: false },
    { name: "Leaf", live: decide, direct: true },
    { name: "Plan", live: review, direct: false },
    { name: "Draft", live: review, direct: false },
    { name: "Question", live: answerQuestions, direct: true },
    { name: "Riddle", live: answerQuestions, direct: true },
  ];
  return lives.map(({ name, live, direct }, at) => {
    const { platform } = world;
    const ana = platform.person(601 + 2 * at, `Ana ${name}`);
    const ben = platform.person(602 + 2 * at, `Ben ${name}`);
    const room = direct ? ana.direct() : platform.channel(701 + at, name.toLowerCase(), [ana, ben]);
    const life: ChatLife = {
      name,
      random: randomFrom(seed * 10 + at),
      client,
      begins: () => {},
      isOver: () => world.over,
      books: { sessions: new Set(), rounds: [], outcomes: new Map() },
      presses: 0,
      repeats: 0,
      store: "",
      world,
      people: direct ? [ana] : [ana, ben],
      room,
      failures: 0,
      typed: [],
    };
    return { life, live };
  });
}

/** Kills the bot while it starts, or after some things have happened in the chat, and starts it again; in the end it lives. */
async function haunt(bot: MortalBot, world: World, { kills, random }: { kills: number; random: Random }) {
  for (let number = 0; number < kills && !world.over; number += 1) {
    bot.start();
    if (random.chance(0.2)) await pause(random.next() * (bot.starts.at(-1) ?? 300));
    else {
      await bot.serving();
      if (random.chance(0.5)) world.platform.disturb(random);
      const enough = world.ticks + random.below(50);
      await until(() => world.ticks >= enough || world.over, 60_000);
      await pause(random.next() * 10);
    }
    await kill(world, bot);
  }
  bot.start();
  await bot.serving();
}

async function check(life: ChatLife): Promise<void> {
  const { world, room, books, client } = life;
  const show = (id: string) => client.insist((gate) => gate.show(id));
  await eventually(world, () => expectScene({ world, room, sessions: books.sessions, show }));
  await eventually(world, () => expectSigns(life));
  expectOncePosted(life);
  for (const session of life.books.sessions)
    for (const { id, acknowledged } of (await rounds(life, session)).rounds)
      expect([id, acknowledged]).toEqual([id, true]);
}

/** No error in the log, and nothing else that was not acknowledged. */
function expectQuiet({ platform }: World, stateDir: string): void {
  const log = readFileSync(join(stateDir, "bot.log"), "utf8").trim().split("\n");
  expect(log.filter((line) => !line.startsWith('{"level":"info"') && !platform.usual.test(line))).toEqual([]);
}
