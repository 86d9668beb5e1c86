import { afterEach, beforeEach, expect, test } from "vitest";
import { refusal, refused, type Scene, scene } from "./slack/testing.ts";
import { record } from "./slack/wire.ts";

let it: Scene;
beforeEach(async () => {
  it = await scene({ factor: Number.POSITIVE_INFINITY }, { moreScopes: ["reactions:read", "team:read"] });
});
afterEach(() => it.slack.stop());

const CHANNEL = "C1";

function plans() {
  const ana = it.acme.person({ id: "U1", name: "Ana", email: "Ana@acme.test" });
  const ben = it.acme.person({ id: "U2", name: "Ben", guest: true });
  const eve = it.acme.person({ id: "U3", name: "Eve", external: true });
  const plans = it.acme.channel({ id: CHANNEL, name: "plans", members: [ana, ben, it.acme.bot] });
  return { ana, ben, eve, plans };
}

const post = async (more = {}): Promise<string> =>
  (await it.web.chat.postMessage({ channel: CHANNEL, text: "a", ...more })).ts ?? "";

test("posts with ids filled in, and keeps what was posted", async () => {
  const { plans: channel } = plans();
  const metadata = { event_type: "askgate", event_payload: { id: "s1" } };
  const button = { type: "button" as const, text: { type: "plain_text" as const, text: "Go" } };
  await post({ blocks: [{ type: "actions", elements: [button] }], metadata });
  const [message] = channel.messages();
  const [block] = message?.blocks ?? [];
  expect(block?.block_id).toMatch(/^b/);
  expect(JSON.stringify(block?.elements)).toContain('"action_id":"b');
  expect(message?.metadata).toEqual(metadata);
  const read = await it.web.conversations.history({ channel: CHANNEL, include_all_metadata: true });
  expect(read.messages?.[0]?.metadata).toEqual(metadata);
  expect((await it.web.conversations.history({ channel: CHANNEL })).messages?.[0]?.metadata).toBeUndefined();
  expect(it.slack.validated).toBe(1);
});

test("takes JSON as well as forms", async () => {
  const { plans: channel } = plans();
  const answer = await fetch(`${it.slack.apiUrl}chat.postMessage`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${it.acme.botToken}`,
      "content-type": "application/json; charset=utf-8",
    },
    body: JSON.stringify({ channel: CHANNEL, blocks: [{ type: "divider" }], text: "a" }),
  });
  expect(record(await answer.json()).ok).toBe(true);
  expect(channel.messages()[0]?.blocks).toHaveLength(1);
});

test("refuses places where the bot cannot write", async () => {
  const { ana } = plans();
  it.acme.channel({ id: "C2", name: "public", members: [ana] });
  it.acme.channel({ id: "C3", name: "private", members: [ana], private: true });
  const old = it.acme.channel({ id: "C4", name: "old", members: [ana, it.acme.bot], archived: true });
  const say = (channel: string) => refusal(it.web.chat.postMessage({ channel, text: "a" }));
  expect(await say("C0")).toBe("channel_not_found");
  expect(await say("#plans")).toBe("channel_not_found");
  expect(await say("C2")).toBe("not_in_channel");
  expect(await say("C3")).toBe("channel_not_found");
  expect(await say(old.id)).toBe("is_archived");
  expect(await say(ana.id)).toBe(null);
  expect(ana.dm().messages()).toHaveLength(1);
});

test("refuses content that is none, too long, or invalid, with the places", async () => {
  plans();
  const say = (more: object) => refused(it.web.chat.postMessage({ channel: CHANNEL, text: "a", ...more }));
  const text = (length: number) => "x".repeat(length);
  const section = (length: number) => ({ type: "section", text: { type: "mrkdwn", text: text(length) } });
  expect(await say({ text: "", blocks: [] })).toMatchObject({ error: "no_text" });
  expect(await refusal(post({ text: text(4000) }))).toBe(null);
  expect(await say({ text: text(4001) })).toMatchObject({ error: "msg_too_long" });
  const most = [...Array(4).fill(section(3000)), section(1200)];
  expect(await refusal(post({ blocks: most }))).toBe(null);
  expect(await say({ blocks: [...most, section(1)] })).toMatchObject({ error: "msg_blocks_too_long" });
  expect(await say({ blocks: [section(3001)] })).toMatchObject({
    error: "invalid_blocks",
    errors: ["must be less than 3001 characters [json-pointer:/blocks/0/text/text]"],
    response_metadata: {
      messages: ["[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"],
    },
  });
  expect(await say({ blocks: "nonsense" })).toMatchObject({ error: "invalid_blocks_format" });
  expect(await say({ metadata: { event_type: "a" } })).toMatchObject({ error: "invalid_metadata_format" });
  const deep = { event_type: "a", event_payload: { one: { two: { three: 3 } } } };
  expect(await say({ metadata: deep })).toMatchObject({ error: "invalid_metadata_schema" });
});

test("threads hang on roots only, and their root counts them", async () => {
  const { ana, plans: channel } = plans();
  const root = await post();
  const reply = await post({ thread_ts: root });
  expect(await refusal(post({ thread_ts: reply }))).toBe("cannot_reply_to_message");
  expect(await refusal(post({ thread_ts: "1.000000" }))).toBe("thread_not_found");
  const hers = await ana.types(channel, "but <why> & how?", { thread: root });
  const { messages } = await it.web.conversations.replies({ channel: CHANNEL, ts: root });
  expect(messages?.map((one) => one.ts)).toEqual([root, reply, hers]);
  expect(messages?.[0]).toMatchObject({
    thread_ts: root,
    reply_count: 2,
    reply_users: [it.acme.botUserId, "U1"],
    latest_reply: hers,
  });
  expect(messages?.[2]?.text).toBe("but &lt;why&gt; &amp; how?");
  expect(channel.thread(root)).toHaveLength(2);
  expect((await it.web.conversations.history({ channel: CHANNEL })).messages).toHaveLength(1);
  expect(await refusal(it.web.conversations.replies({ channel: CHANNEL, ts: "1.000000" }))).toBe(
    "thread_not_found",
  );
});

test("history and replies come in pages, newest and oldest first, within a span", async () => {
  plans();
  const sent: string[] = [];
  for (let index = 0; index < 5; index += 1) sent.push(await post());
  const [first = "", second = "", , fourth = ""] = sent;
  const page = await it.web.conversations.history({ channel: CHANNEL, limit: 2 });
  expect(page.messages?.map((one) => one.ts)).toEqual([sent[4], fourth]);
  const cursor = page.response_metadata?.next_cursor ?? "";
  const next = await it.web.conversations.history({ channel: CHANNEL, limit: 3, cursor });
  expect(next.messages?.map((one) => one.ts)).toEqual([sent[2], second, first]);
  expect(next.has_more).toBe(false);
  const span = { channel: CHANNEL, oldest: second, latest: fourth };
  expect((await it.web.conversations.history(span)).messages).toHaveLength(1);
  expect((await it.web.conversations.history({ ...span, inclusive: true })).messages).toHaveLength(3);
  for (let index = 0; index < 3; index += 1) await post({ thread_ts: first });
  const some = await it.web.conversations.replies({ channel: CHANNEL, ts: first, limit: 3 });
  expect(some).toMatchObject({ has_more: true });
  const more = await it.web.conversations.replies({
    channel: CHANNEL,
    ts: first,
    limit: 3,
    cursor: some.response_metadata?.next_cursor ?? "",
  });
  expect(more.messages).toHaveLength(1);
  expect(await refusal(it.web.conversations.history({ channel: CHANNEL, cursor: "x" }))).toBe(
    "invalid_cursor",
  );
});

test("only own messages are changed or deleted, and only those that stand", async () => {
  const { ana, plans: channel } = plans();
  const theirs = await ana.types(channel, "mine");
  const ts = await post();
  expect(await refusal(it.web.chat.update({ channel: CHANNEL, ts: theirs, text: "b" }))).toBe(
    "cant_update_message",
  );
  expect(await refusal(it.web.chat.delete({ channel: CHANNEL, ts: theirs }))).toBe("cant_delete_message");
  await it.web.chat.update({ channel: CHANNEL, ts, text: "b" });
  expect(channel.messages()[1]).toMatchObject({ text: "b", edited: { user: it.acme.botUserId } });
  await it.web.chat.delete({ channel: CHANNEL, ts });
  expect(channel.messages()).toHaveLength(1);
  expect(await refusal(it.web.chat.update({ channel: CHANNEL, ts, text: "c" }))).toBe("message_not_found");
  expect(await refusal(it.web.chat.delete({ channel: CHANNEL, ts }))).toBe("message_not_found");
});

test("an update keeps metadata that it does not name, and says nothing certain about blocks it leaves out", async () => {
  const { plans: channel } = plans();
  const ts = await post({ metadata: { event_type: "a", event_payload: {} }, blocks: [{ type: "divider" }] });
  await it.web.chat.update({ channel: CHANNEL, ts, text: "b", blocks: [] });
  expect(channel.messages()[0]).toMatchObject({ blocks: [], metadata: { event_type: "a" } });
  await it.web.chat.update({ channel: CHANNEL, ts, text: "b", blocks: [{ type: "divider" }] });
  await it.slack.assertClean();
  await it.web.chat.update({ channel: CHANNEL, ts, text: "c" });
  await expect(it.slack.assertClean()).rejects.toThrow("chat.update without blocks");
});

test("a deleted root leaves a tombstone until its last reply is gone", async () => {
  const { plans: channel } = plans();
  const root = await post();
  const reply = await post({ thread_ts: root });
  await it.web.chat.delete({ channel: CHANNEL, ts: root });
  expect(channel.messages()).toEqual([]);
  const { messages } = await it.web.conversations.replies({ channel: CHANNEL, ts: root });
  expect(messages?.[0]).toMatchObject({
    subtype: "tombstone",
    text: "This message was deleted.",
    reply_count: 1,
  });
  await it.web.chat.delete({ channel: CHANNEL, ts: reply });
  expect(await refusal(it.web.conversations.replies({ channel: CHANNEL, ts: root }))).toBe(
    "thread_not_found",
  );
});

test("a private message goes to members only, buzzes nobody and cannot be changed", async () => {
  const { ana, eve, plans: channel } = plans();
  const whisper = (user: string) => it.web.chat.postEphemeral({ channel: CHANNEL, user, text: "psst <@U1>" });
  const { message_ts = "" } = await whisper("U1");
  expect(ana.ephemerals(channel)).toMatchObject([{ text: "psst <@U1>" }]);
  expect(ana.notifications()).toEqual([]);
  expect(channel.messages()).toEqual([]);
  expect(await refusal(whisper(eve.id))).toBe("user_not_in_channel");
  expect(await refusal(whisper("U0"))).toBe("user_not_found");
  expect(await refusal(it.web.chat.update({ channel: CHANNEL, ts: message_ts, text: "b" }))).toBe(
    "message_not_found",
  );
});

test("reactions are there once per person", async () => {
  const { ana, plans: channel } = plans();
  const ts = await post();
  const it_ = { channel: CHANNEL, timestamp: ts, name: "eyes" };
  expect(await refusal(it.web.reactions.remove(it_))).toBe("no_reaction");
  await it.web.reactions.add(it_);
  expect(await refusal(it.web.reactions.add(it_))).toBe("already_reacted");
  await ana.reacts(channel, ts, "eyes");
  const { message } = await it.web.reactions.get(it_);
  expect(message?.reactions).toEqual([{ name: "eyes", users: [it.acme.botUserId, "U1"], count: 2 }]);
  await it.web.reactions.remove(it_);
  expect(channel.messages()[0]?.reactions).toEqual([{ name: "eyes", users: ["U1"] }]);
  expect(await refusal(it.web.reactions.add({ ...it_, timestamp: "1.000000" }))).toBe("message_not_found");
});

test("permalinks carry the thread", async () => {
  plans();
  const root = await post();
  const reply = await post({ thread_ts: root });
  const { permalink } = await it.web.chat.getPermalink({ channel: CHANNEL, message_ts: reply });
  expect(permalink).toBe(
    `https://acme.slack.com/archives/C1/p${reply.replace(".", "")}?thread_ts=${root}&cid=C1`,
  );
});
