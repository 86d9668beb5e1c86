/**
 * Run bundled, in a process of its own: a platform that says no, people on it, and what they see of two bots. Prints figures
 * as JSON.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { endAll, openState, question } from "./askgate.mjs";
import * as discord from "./chat-discord.mjs";
import * as slack from "./chat-slack.mjs";
import { inPairs } from "./measure.mjs";

const SESSIONS = 1_000;
const CLICKS = 1_000;
const PER_SECOND = 20;
const PAIRS = 40;
/** What a network adds, one way. */
const FAR_MS = 25;

let people = 1_000;

const surface = process.argv[2] ?? "";
const chat = await { slack, discord }[surface].begin();
const state = await openState();
const connection = (baseUrl) => state.gate.connections.connect({ surface, tokens: chat.tokens, baseUrl });
try {
  await connection(chat.url);
  const acknowledged = await clicks(await inBatches(SESSIONS, 20, asked));
  const near = await versus(chat.bareUrl ?? chat.url);
  const far = await distant(chat.url);
  await connection(far);
  const theirs = chat.bareUrl === undefined ? far : await distant(chat.bareUrl);
  console.log(JSON.stringify({ acknowledged, near, far: await versus(theirs) }));
} finally {
  await state.end();
  await endAll();
  await chat.stop();
}
process.exit(0);

/** Somebody with a question of her own, in a direct message. */
async function asked() {
  people += 1;
  const person = chat.person(people);
  const opened = await state.gate.open({
    ...question(`${surface}-${people}`),
    via: [surface],
    to: [person.id],
  });
  if (opened.result !== null) throw new Error(JSON.stringify(opened));
  // The platform's limits may hold a message up.
  await chat.until(() => chat.homes(person).length > 0);
  const [home] = chat.homes(person);
  return { person, home };
}

async function inBatches(count, size, task) {
  const all = [];
  for (let done = 0; done < count; done += size)
    all.push(...(await Promise.all(Array.from({ length: size }, task))));
  return all;
}

/** Picks on a decision that reveals nothing, at a rate. Resolves to how long each took until the platform had the acknowledgement. */
async function clicks(all) {
  const begun = performance.now();
  const runs = [];
  while (runs.length < CLICKS) {
    const late = performance.now() - begun - (runs.length * 1_000) / PER_SECOND;
    if (late < 0) await new Promise((resolve) => setTimeout(resolve, -late));
    const { person, home } = all[runs.length % all.length];
    runs.push(timed(() => chat.chooses(person, home, "1 Magic")));
  }
  return Promise.all(runs);
}

async function timed(task) {
  const sent = performance.now();
  await task();
  return performance.now() - sent;
}

/** A pick until its follow-up stands: of askgate, and of a bare app at this address that posts the same message. */
async function versus(bareUrl) {
  const sample = await asked();
  await chat.chooses(sample.person, sample.home, "2 Password");
  await chat.until(() => chat.replies(sample.person, sample.home).length === 1);
  const [reply] = chat.replies(sample.person, sample.home);
  await chat.until(() => chat.isDrawn(reply));
  const setUp = JSON.stringify(chat.bareSays(bareUrl, reply));
  const bare = spawn(process.execPath, [`bench/bare-${surface}.mjs`, setUp], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(bare.stdout, "data");
  try {
    people += 1;
    const theirs = chat.theirs(people);
    // Where nothing is picked: what a menu shows already is nowhere sent again.
    const { home: fresh } = await asked();
    return await inPairs(
      async () => followUp({ person: theirs, home: await chat.root(theirs, fresh) }),
      async () => followUp(await ready()),
      PAIRS,
    );
  } finally {
    bare.kill();
  }
}

/** A question that was picked on before: what that pick changed is drawn, and the bot knows it. */
async function ready() {
  const mine = await asked();
  const before = chat.stamp(mine.home);
  await chat.chooses(mine.person, mine.home, "1 Magic");
  await chat.until(() => chat.stamp(mine.home) !== before);
  await new Promise((resolve) => setTimeout(resolve, 3 * FAR_MS));
  return mine;
}

/** The same platform, as far away as a network makes it. */
async function distant(url) {
  const { port, pathname } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.setNoDelay(true);
      from.on("data", (data) => setTimeout(() => to.writable && to.write(data), FAR_MS));
      from.on("end", () => setTimeout(() => to.end(), FAR_MS));
      from.on("error", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}${pathname}`;
}

async function followUp({ person, home }) {
  const sent = performance.now();
  const acknowledged = chat.chooses(person, home, "2 Password");
  while (chat.replies(person, home).length === 0) await chat.changed();
  const seen = performance.now() - sent;
  await acknowledged;
  return seen;
}
