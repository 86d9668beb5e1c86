/**
 * The bot is killed at a hundred random moments while people answer in Slack and Slack itself limits, loses and fails
 * calls: nothing that Slack saw acknowledged is missing afterwards, every card stands once and as it should, and every
 * outcome reached its command once. Runs what `npm run build` made.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { until } from "../support/until.ts";
import { show as rounds } from "./books.ts";
import { MortalBot, type Stubborn, stubborn } from "./mortal-bot.ts";
import { decide } from "./slack-pages.ts";
import { answerQuestions } from "./slack-questions.ts";
import { review } from "./slack-reviews.ts";
import { expectObedience, expectOncePosted, expectScene, expectSigns } from "./slack-scene.ts";
import { eventually, kill, openWorld, type SlackLife, type SlackWorld, withTokens } from "./slack-world.ts";

const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const KILLS = 100;

/** Two bots, so that both processors have something to do. */
test("a bot in Slack that is killed at 100 random moments loses nothing and posts nothing twice", async ({
  annotate,
}) => {
  const haunts = [SEED, SEED + 1].map((seed) => haunted(seed, KILLS / 2));
  await Promise.allSettled(haunts);
  const reports = await Promise.all(haunts);
  const sum = (what: keyof (typeof reports)[number]): number =>
    reports.reduce((total, report) => total + report[what], 0);
  const done = `${sum("rounds")} rounds, ${sum("presses")} presses and messages, ${sum("failures")} presses failed`;
  await annotate(`seed ${SEED}: ${done}; ${sum("calls")} calls of Slack, ${sum("kills")} kills`);
}, 600_000);

async function haunted(seed: number, kills: number) {
  const stateDir = join(temporaryFolder(), "state");
  const bot = new MortalBot({ PATH: process.env.PATH ?? "", ASKGATE_STATE_DIR: stateDir });
  const world = await openWorld();
  const client = stubborn(bot, stateDir);
  const lives = livesIn(world, withTokens(client, world.credentials), seed);
  const all = Promise.all(lives.map(({ life, live }) => live(life)));
  const haunting = haunt(bot, world, { kills, random: randomFrom(seed) });
  try {
    await Promise.race([all, haunting]);
    world.over = true;
    await all;
    for (const { life } of lives) await check(life);
    expectObedience(world);
    expect(await bot.stop()).toBe(0);
    await world.slack.assertClean();
    expectQuiet(stateDir);
  } catch (cause) {
    throw new Error(`seed ${seed}, kill ${bot.kills} (CHAOS_SEED=${SEED} repeats the script)`, { cause });
  } finally {
    world.over = true;
    await haunting.catch(() => {});
    await bot.stop();
    client.close();
    await world.stop();
  }
  const count = (of: (life: SlackLife) => number): number =>
    lives.reduce((total, { life }) => total + of(life), 0);
  return {
    rounds: count(({ books }) => books.rounds.length),
    presses: count(({ presses }) => presses),
    failures: count(({ failures }) => failures),
    calls: world.slack.calls.length,
    kills: bot.kills,
  };
}

/** Each life has people of its own, and a channel or direct message to itself: what one does is never another's. */
function livesIn(world: SlackWorld, client: Stubborn, seed: number) {
  const lives = [
    { name: "Page", live: decide, direct: false },
    { name: "Leaf", live: decide, direct: true },
    { name: "Plan", live: review, direct: false },
    { name: "Draft", live: review, direct: false },
    { name: "Question", live: answerQuestions, direct: true },
    { name: "Riddle", live: answerQuestions, direct: true },
  ];
  return lives.map(({ name, live, direct }, at) => {
    const person = (who: string) =>
      world.acme.person({ id: `U${at}${who.toUpperCase()}`, name: `${who} ${name}` });
    const [ana, ben] = [person("Ana"), person("Ben")];
    const members = [ana, ben, world.acme.bot];
    const channel = direct
      ? ana.dm()
      : world.acme.channel({ id: `C${at}LIFE`, name: name.toLowerCase(), members });
    const life: SlackLife = {
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
      channel,
      to: direct ? ana.id : channel.id,
      failures: 0,
      typed: [],
    };
    return { life, live };
  });
}

/** Kills the bot while it starts, or after some things have happened in Slack, and starts it again; in the end it lives. */
async function haunt(
  bot: MortalBot,
  world: SlackWorld,
  { kills, random }: { kills: number; random: Random },
) {
  for (let number = 0; number < kills && !world.over; number += 1) {
    bot.start();
    if (random.chance(0.2)) await pause(random.next() * (bot.starts.at(-1) ?? 300));
    else {
      await bot.serving();
      if (random.chance(0.5)) disturb(world, random);
      const enough = world.ticks + random.below(50);
      await until(() => world.ticks >= enough || world.over, 60_000);
      await pause(random.next() * 10);
    }
    await kill(world, bot);
  }
  bot.start();
  await bot.serving();
}

const METHODS = [
  "chat.postMessage",
  "chat.update",
  "chat.delete",
  "conversations.history",
  "conversations.replies",
  "files.completeUploadExternal",
];

/** Slack itself has a bad moment. */
function disturb({ slack }: SlackWorld, random: Random): void {
  const faults = [{ retryAfter: 1 }, { http: 500 }, { lose: "request" }, { lose: "response" }] as const;
  slack.fail(random.of(METHODS), random.of(faults));
}

async function check(life: SlackLife): Promise<void> {
  const { world, channel, books, client } = life;
  const show = (id: string) => client.insist((gate) => gate.show(id));
  await eventually(world, () => expectScene({ world, channel, sessions: books.sessions, show }));
  await eventually(world, () => expectSigns(life));
  expectOncePosted(life);
  for (const session of life.books.sessions)
    for (const { id, acknowledged } of (await rounds(life, session)).rounds)
      expect([id, acknowledged]).toEqual([id, true]);
}

/** What people and kills may bring about: a message that is deleted before its sign, words below a post nobody noted. */
const USUAL = /"reason":"the message was deleted"|not_known_yet/;

/** No error in the log, and nothing else that was not acknowledged. */
function expectQuiet(stateDir: string): void {
  const log = readFileSync(join(stateDir, "bot.log"), "utf8").trim().split("\n");
  expect(log.filter((line) => !line.startsWith('{"level":"info"') && !USUAL.test(line))).toEqual([]);
}
