import { afterEach, beforeEach, expect, test } from "vitest";
import type { Channel, Message, Person } from "./slack/index.ts";
import { type TestBot, testBot } from "./slack/test-bot.ts";
import { type Scene, scene } from "./slack/testing.ts";
import { type Json, list, record, records, str } from "./slack/wire.ts";

let it: Scene;
let bot: TestBot;
let ana: Person;
let ben: Person;
let plans: Channel;
const time = Date.UTC(2026, 10, 30);

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
const option = (text: string) => ({ text: { ...plain(text), emoji: true }, value: text.toLowerCase() });
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

const action = (): Json => record(records(bot.last().actions)[0]);

test("a press carries all that Slack sends", async () => {
  const message = await posted(
    [button("Go", { value: "v1", style: "primary" }), choices("static_select", "db")],
    {
      metadata: { event_type: "a", event_payload: { id: "s1" } },
    },
  );
  await ana.presses(message, "Go");
  expect(bot.last()).toMatchObject({
    type: "block_actions",
    team: { id: "T1", domain: "acme" },
    user: { id: "U1", username: "ana.lee", name: "ana.lee", team_id: "T1" },
    api_app_id: it.acme.appId,
    container: { type: "message", message_ts: message.ts, channel_id: "C1", is_ephemeral: false },
    channel: { id: "C1", name: "plans" },
    message: { ts: message.ts, bot_id: it.acme.botId, metadata: { event_type: "a" } },
    state: { values: { b: { db: { type: "static_select", selected_option: null } } } },
    actions: [
      { type: "button", action_id: "Go", block_id: "b", value: "v1", text: plain("Go"), style: "primary" },
    ],
  });
  expect(
    [bot.last().trigger_id, bot.last().response_url, action().action_ts].every((one) => str(one) !== ""),
  ).toBe(true);
  await it.slack.assertClean();
});

test("a press in a thread names the thread", async () => {
  const root = await posted([button("Go")]);
  await it.web.apiCall("chat.postMessage", {
    channel: "C1",
    text: "b",
    thread_ts: root.ts,
    blocks: [{ type: "actions", elements: [button("There")] }],
  });
  const [reply] = plans.thread(root.ts);
  if (reply === undefined) throw new Error("no reply");
  await ana.presses(reply, "There");
  expect(bot.last()).toMatchObject({ container: { thread_ts: root.ts, message_ts: reply.ts } });
});

test("nobody presses what is not there, is there twice, or stands where she is not", async () => {
  const message = await posted([
    button("Go"),
    button("Stop", { action_id: "s1" }),
    button("Stop", { action_id: "s2" }),
  ]);
  await expect(ana.presses(message, "Gone")).rejects.toThrow(
    'no button "Gone" there; there are: Go | Stop | Stop',
  );
  await expect(ana.presses(message, "Stop")).rejects.toThrow("more than one");
  expect(await ana.presses(message, { actionId: "s2" })).toEqual({ kind: "acked" });
  const eve = it.acme.person({ id: "U3", name: "Eve", external: true });
  await expect(eve.presses(message, "Go")).rejects.toThrow("Eve is not in plans");
  await it.web.chat.delete({ channel: "C1", ts: message.ts });
  await expect(ana.presses(message, "Go")).rejects.toThrow("not there any more");
});

test("a confirm dialog is confirmed, unless she declines", async () => {
  const confirm = { title: plain("Sure?"), text: plain("really"), confirm: plain("Yes"), deny: plain("No") };
  const message = await posted([button("Stop", { confirm })]);
  expect(await ana.presses(message, "Stop", { declines: true })).toEqual({ kind: "declined" });
  expect(bot.payloads).toHaveLength(0);
  expect(await ana.presses(message, "Stop")).toEqual({ kind: "acked" });
});

test("radio buttons tell a change only; a select tells each pick, and taking it back", async () => {
  const message = await posted([choices("radio_buttons", "r"), choices("static_select", "s")]);
  const radio = { actionId: "r" };
  expect(await ana.chooses(message, "SQL", radio)).toEqual({ kind: "acked" });
  expect(await ana.chooses(message, "SQL", radio)).toEqual({ kind: "unsent" });
  const select = { actionId: "s" };
  await ana.chooses(message, "Redis", select);
  await ana.chooses(message, "Redis", select);
  expect(bot.payloads).toHaveLength(3);
  await ana.chooses(message, { ...select, values: [] });
  expect(action()).toMatchObject({ action_id: "s", selected_option: null });
  await expect(ana.chooses(message, "Redis")).rejects.toThrow("more than one");
  await expect(ana.chooses(message, "Oracle", select)).rejects.toThrow("no choice");
});

test("several of many are told one by one, each time with all that are chosen", async () => {
  const message = await posted([choices("multi_static_select", "m", { max_selected_items: 2 })]);
  await ana.chooses(message, "Postgres", "Redis");
  expect(bot.payloads.map((one) => list(records(one.actions)[0]?.selected_options).length)).toEqual([1, 2]);
  await ana.chooses(message, { actionId: "m", values: ["redis"] });
  expect(action().selected_options).toEqual([option("Redis")]);
  await ana.chooses(message, "SQL");
  await expect(ana.chooses(message, "Post")).rejects.toThrow("takes 2");
  expect(ana.sees(message)[0]?.chosen).toEqual(["Redis", "SQLite"]);
  expect(ben.sees(message)[0]?.chosen).toEqual([]);
});

test("an input in a message keeps silent unless it dispatches, and its state comes along", async () => {
  const input = (block_id: string, dispatch_action: boolean) => ({
    type: "input",
    block_id,
    label: plain(block_id),
    dispatch_action,
    element: { type: "plain_text_input", action_id: "text" },
  });
  await it.web.apiCall("chat.postMessage", {
    channel: "C1",
    text: "a",
    blocks: [input("quiet", false), input("loud", true)],
  });
  const [message] = plans.messages();
  if (message === undefined) throw new Error("nothing was posted");
  expect(await ana.fills(message, "quiet", "one")).toEqual({ kind: "unsent" });
  expect(await ana.fills(message, "loud", "two")).toEqual({ kind: "acked" });
  expect(action()).toMatchObject({ type: "plain_text_input", value: "two" });
  expect(bot.last().state).toMatchObject({
    values: { quiet: { text: { value: "one" } }, loud: { text: { value: "two" } } },
  });
});
