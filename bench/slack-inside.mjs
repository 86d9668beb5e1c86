/**
 * Run bundled, in a process of its own: a Slack that says no, people in it, and what they see of two bots. Prints figures as
 * JSON.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { startSlack } from "../test/doubles/slack/index.ts";
import { endAll, openState, question } from "./askgate.mjs";
import { inPairs } from "./measure.mjs";

const SESSIONS = 1_000;
const CLICKS = 1_000;
const PER_SECOND = 20;
const PAIRS = 40;
/** What a network adds, one way. */
const FAR_MS = 25;

let people = 1_000;

const slack = await startSlack({ factor: 1_000 });
const acme = slack.workspace({ id: "T1", name: "acme", domain: "acme" });
const bare = slack.workspace({ id: "T2", name: "bare", domain: "bare" });
const state = await openState();
const tokens = { bot: acme.botToken, app: acme.appToken };
try {
  await state.gate.connections.connect({ surface: "slack", tokens, baseUrl: slack.apiUrl });
  const acknowledged = await clicks(await inBatches(SESSIONS, 20, asked));
  const near = await versus(slack.apiUrl);
  const far = await distant(slack.apiUrl);
  await state.gate.connections.connect({ surface: "slack", tokens, baseUrl: far });
  console.log(JSON.stringify({ acknowledged, near, far: await versus(far) }));
} finally {
  await state.end();
  await endAll();
  await slack.stop();
}
process.exit(0);

/** Somebody with a question of her own, in a direct message. */
async function asked() {
  people += 1;
  const person = acme.person({ id: `U${people}`, name: `P${people}` });
  const opened = await state.gate.open({ ...question(`slack-${people}`), via: ["slack"], to: [person.id] });
  if (opened.result !== null) throw new Error(JSON.stringify(opened));
  const [home] = person.dm().messages();
  return { person, home };
}

async function inBatches(count, size, task) {
  const all = [];
  for (let done = 0; done < count; done += size)
    all.push(...(await Promise.all(Array.from({ length: size }, task))));
  return all;
}

/** Picks on a decision that reveals nothing, at a rate. Resolves to how long each took until Slack had the acknowledgement. */
async function clicks(all) {
  const begun = performance.now();
  const runs = [];
  while (runs.length < CLICKS) {
    const late = performance.now() - begun - (runs.length * 1_000) / PER_SECOND;
    if (late < 0) await new Promise((resolve) => setTimeout(resolve, -late));
    const { person, home } = all[runs.length % all.length];
    runs.push(timed(() => person.chooses(home, "1 Magic")));
  }
  return Promise.all(runs);
}

async function timed(task) {
  const sent = performance.now();
  await task();
  return performance.now() - sent;
}

/** A pick until its follow-up stands in the thread: of askgate, and of a bare Bolt app that posts the same message. */
async function versus(slackApiUrl) {
  const sample = await asked();
  await sample.person.chooses(sample.home, "2 Password");
  await slack.until(() => sample.person.dm().thread(sample.home.ts).length === 1);
  const [reply] = sample.person.dm().thread(sample.home.ts);
  const blocks = reply.blocks.map(({ block_id: _id, ...block }) => block);
  const message = { text: reply.text, blocks };
  const setUp = { botToken: bare.botToken, appToken: bare.appToken, slackApiUrl, message };
  const bolt = spawn(process.execPath, ["bench/bare-bolt.mjs", JSON.stringify(setUp)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(bolt.stdout, "data");
  try {
    people += 1;
    const theirs = bare.person({ id: `U${people}`, name: "Bea" });
    return await inPairs(
      async () => followUp({ person: theirs, home: await root(theirs, sample.home) }),
      async () => {
        const mine = await asked();
        await mine.person.chooses(mine.home, "1 Magic");
        // What that pick changed is drawn, and the bot knows it: nothing else is on its way.
        await slack.until(() => mine.home.edited !== null);
        await new Promise((resolve) => setTimeout(resolve, 3 * FAR_MS));
        return followUp(mine);
      },
      PAIRS,
    );
  } finally {
    bolt.kill();
  }
}

/** The same Slack, as far away as a network makes it. */
async function distant(apiUrl) {
  const { port } = new URL(apiUrl);
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
  return `http://127.0.0.1:${server.address().port}/api/`;
}

/** A message as the other bot's home, put up by Slack's own API. */
async function root(person, { text, blocks }) {
  const channel = person.dm().id;
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: "POST",
    headers: { authorization: `Bearer ${bare.botToken}`, "content-type": "application/json" },
    body: JSON.stringify({ channel, text, blocks }),
  });
  const { ts } = await response.json();
  return person
    .dm()
    .messages()
    .find((message) => message.ts === ts);
}

async function followUp({ person, home }) {
  const sent = performance.now();
  const acknowledged = person.chooses(home, "2 Password");
  while (person.dm().thread(home.ts).length === 0) await slack.changed();
  const seen = performance.now() - sent;
  await acknowledged;
  return seen;
}
