import { afterEach, beforeEach, expect, test } from "vitest";
import type { Channel, Message, Person } from "./slack/index.ts";
import { type TestBot, testBot } from "./slack/test-bot.ts";
import { type Scene, scene } from "./slack/testing.ts";
import { type Json, record, str } from "./slack/wire.ts";

let it: Scene;
let bot: TestBot;
let ana: Person;
let ben: Person;
let plans: Channel;
let time = Date.UTC(2026, 10, 30);

beforeEach(async () => {
  it = await scene({ ackMs: 1000, now: () => time });
  ana = it.acme.person({ id: "U1", name: "Ana Lee" });
  ben = it.acme.person({ id: "U2", name: "Ben" });
  plans = it.acme.channel({ id: "C1", name: "plans", members: [ana, ben, it.acme.bot] });
  bot = await testBot(it.slack, it.acme);
});

afterEach(async () => {
  await bot.stop();
  await it.slack.stop();
});

const plain = (text: string) => ({ type: "plain_text", text });
const button = (text: string, more = {}) => ({ type: "button", action_id: text, text: plain(text), ...more });
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() });
const choices = (type: string, action_id: string, more = {}) => ({
  type,
  action_id,
  options: [option("Postgres"), option("SQLite"), option("Redis")],
  ...more,
});

async function posted(elements: Json[], more: Json = {}): Promise<Message> {
  const blocks = [{ type: "actions", block_id: "b", elements }];
  await it.web.apiCall("chat.postMessage", { channel: "C1", text: "a", blocks, ...more });
  const message = plans.messages().at(-1);
  if (message === undefined) throw new Error("nothing was posted");
  return message;
}

test("mentions, broadcasts and direct messages buzz; escaped ones, replies and changes do not", async () => {
  const say = async (text: string, more: Json = {}) =>
    str(record(await it.web.apiCall("chat.postMessage", { channel: "C1", text, ...more })).ts);
  const why = (person: Person) => person.notifications().map((one) => one.why);
  const ts = await say("quiet &lt;!channel&gt; &lt;@U1&gt;");
  await it.web.chat.update({ channel: "C1", ts, text: "<@U1>" });
  await say("@Ana", { blocks: [{ type: "section", text: plain("<@U1> <!here>") }] });
  expect([why(ana), why(ben)]).toEqual([[], []]);
  await say("<@U1>");
  await say("a", { blocks: [{ type: "section", text: { type: "mrkdwn", text: "<!here> look" } }] });
  const user = {
    type: "rich_text",
    elements: [{ type: "rich_text_section", elements: [{ type: "user", user_id: "U2" }] }],
  };
  await say("b", { blocks: [user] });
  expect([why(ana), why(ben)]).toEqual([
    ["mention", "broadcast"],
    ["broadcast", "mention"],
  ]);
  const dm = ana.dm();
  const root = await say("psst", { channel: dm.id });
  await say("more", { channel: dm.id, thread_ts: root });
  await say("<@U1>", { channel: dm.id, thread_ts: root });
  expect(why(ana).slice(2)).toEqual(["direct", "mention"]);
  expect(ana.notifications().at(2)).toEqual({ channel: dm.id, ts: root, text: "psst", why: "direct" });
});

test("a response_url answers five times in thirty minutes", async () => {
  const message = await posted([button("Go")]);
  await ana.presses(message, "Go");
  const url = str(bot.last().response_url);
  const say = async (body: Json) =>
    (
      await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).status;
  expect(await say({ text: "only you" })).toBe(200);
  expect(ana.ephemerals(plans)).toMatchObject([{ text: "only you" }]);
  expect(await say({ text: "all", response_type: "in_channel" })).toBe(200);
  expect(await say({ text: "new", replace_original: true })).toBe(200);
  expect(message.text).toBe("new");
  expect(await say({ text: "" })).toBe(400);
  expect(await say({ delete_original: true })).toBe(200);
  expect(plans.messages().map((one) => one.text)).toEqual(["all"]);
  expect(await say({ text: "sixth" })).toBe(404);
  const other = await posted([button("Go")]);
  await ana.presses(other, "Go");
  time += 30 * 60_000 + 1;
  expect(await fetch(str(bot.last().response_url), { method: "POST", body: '{"text":"a"}' })).toMatchObject({
    status: 404,
  });
});

test("a private message can be pressed, replaced and taken away by its response_url", async () => {
  const blocks = [{ type: "actions", elements: [button("Go")] }];
  await it.web.apiCall("chat.postEphemeral", { channel: "C1", user: "U1", text: "psst", blocks });
  const [message] = ana.ephemerals(plans);
  if (message === undefined) throw new Error("she sees nothing");
  await ana.presses(message, "Go");
  expect(bot.last()).toMatchObject({ container: { is_ephemeral: true } });
  expect(bot.last().message).toBeUndefined();
  const say = (body: Json) =>
    fetch(str(bot.last().response_url), { method: "POST", body: JSON.stringify(body) });
  await say({ replace_original: true, text: "done" });
  expect(ana.ephemerals(plans)).toMatchObject([{ text: "done", blocks: [] }]);
  await say({ delete_original: true });
  expect(ana.ephemerals(plans)).toEqual([]);
});

test("a slash command carries its words, and its answer is seen by her alone", async () => {
  bot.answer = (payload) => (payload.command === "/askgate" ? { text: "here you are" } : undefined);
  expect(await ana.runs("/askgate", "status <now>", plans)).toMatchObject({ text: "here you are" });
  expect(bot.last()).toMatchObject({
    command: "/askgate",
    text: "status &lt;now&gt;",
    team_id: "T1",
    channel_id: "C1",
    channel_name: "plans",
    user_id: "U1",
  });
  expect(ben.ephemerals(plans)).toEqual([]);
  expect(await ana.runs("/other", "", ana.dm())).toBe(null);
  await it.slack.assertClean();
  bot.answer = () => null;
  expect(await ana.runs("/askgate", "", plans)).toBe(null);
  expect(ana.failedPresses).toEqual(["/askgate"]);
});

test("the transcript is what the phone shows", async () => {
  const blocks = [
    { type: "header", text: plain("Plan <1>") },
    {
      type: "section",
      text: { type: "mrkdwn", text: "*Use* &lt;pg&gt; <https://a.test|docs> <@U1>" },
      accessory: choices("static_select", "s"),
    },
    {
      type: "rich_text",
      elements: [
        {
          type: "rich_text_list",
          style: "ordered",
          elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "one" }] }],
        },
      ],
    },
    {
      type: "actions",
      elements: [choices("radio_buttons", "r", { initial_option: option("Redis") }), button("Send")],
    },
    { type: "divider" },
    { type: "context", elements: [plain("by askgate")] },
  ];
  await it.web.apiCall("chat.postMessage", { channel: "C1", text: "a", blocks });
  const [message] = plans.messages();
  if (message === undefined) throw new Error("nothing was posted");
  await ana.types(plans, "why <not>?", {
    thread: message.ts,
    files: [{ name: "a.txt", mimetype: "text/plain" }],
  });
  await it.web.reactions.add({ channel: "C1", timestamp: message.ts, name: "eyes" });
  await ana.chooses(message, { actionId: "s", values: ["sqlite"] });
  expect(it.slack.transcript(plans, ana)).toBe(
    [
      "# plans",
      "askgate: == Plan <1> ==",
      "  *Use* <pg> docs @Ana Lee",
      "  [ SQLite ▾ ]",
      "  1. one",
      "  ( ) Postgres",
      "  ( ) SQLite",
      "  (•) Redis [ Send ]",
      "  ────────",
      "  by askgate",
      "  :eyes: 1",
      "    Ana Lee: why <not>?",
      "      📎 a.txt",
    ].join("\n"),
  );
  expect(it.slack.transcript(plans)).toContain("[ Choose ▾ ]");
});
