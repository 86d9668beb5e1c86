import { afterEach, beforeEach, expect, test } from "vitest";
import type { Channel, Person } from "./discord/index.ts";
import { complaints, posts, refusal, type Scene, scene } from "./discord/testing.ts";
import { type Json, record, records, str } from "./discord/wire.ts";

let it: Scene;
let ana: Person;
let plans: Channel;
beforeEach(async () => {
  it = await scene({ factor: Number.POSITIVE_INFINITY });
  ana = it.acme.person({ id: "501", name: "Ana" });
  plans = it.acme.channel({ id: "201", name: "plans" });
});
afterEach(() => it.discord.stop());

const open = async (id: string, channel = "201"): Promise<Json> =>
  record(await it.rest.post(`/channels/${channel}/messages/${id}/threads`, { body: { name: "talk" } }));
const post = (channel: string, body: Json = { content: "a" }) => posts(it.rest, channel, body);
const set = (thread: string, body: Json) => it.rest.patch(`/channels/${thread}`, { body });

/** A message of the bot with its thread. */
async function threaded(): Promise<Channel> {
  const { id } = await post("201", { content: "root" });
  await open(str(id));
  const thread = plans.thread(str(id));
  if (thread === null) throw new Error("no thread");
  return thread;
}

test("a thread on a message has its id, and there is but one", async () => {
  const thread = await threaded();
  await post(thread.id, { content: "inside" });
  await ana.types(thread, "me too");
  expect(plans.messages()[0]?.id).toBe(thread.id);
  expect(plans.transcript()).toBe("# plans\naskgate: root\n    # talk\n    askgate: inside\n    Ana: me too");
  it.discord.expectError("POST /channels/:channel/messages/:message/threads", 160004);
  expect(await refusal(open(thread.id))).toBe(160004);
  await it.discord.assertClean();
});

test("there are no threads in threads and none in direct channels", async () => {
  const thread = await threaded();
  const inner = await ana.types(thread, "inner");
  const direct = await ana.types(ana.dm(), "direct");
  expect(await refusal(open(inner, thread.id))).toBe(50024);
  expect(await refusal(open(direct, ana.dm().id))).toBe(50024);
});

test("writing takes a thread out of the archive, editing there is refused", async () => {
  const thread = await threaded();
  const { id } = await post(thread.id);
  const edit = () => it.rest.patch(`/channels/${thread.id}/messages/${str(id)}`, { body: { content: "b" } });
  thread.archive();
  it.discord.expectError("PATCH /channels/:channel/messages/:message", 50083);
  expect(await refusal(edit())).toBe(50083);
  await post(thread.id);
  expect(thread.archived).toBe(false);
  expect(await refusal(edit())).toBe(null);
  thread.archive();
  await ana.types(thread, "people too");
  expect(thread.archived).toBe(false);
  await it.discord.assertClean();
});

test("a locked thread is for those who manage threads", async () => {
  const thread = await threaded();
  thread.lock();
  it.discord.expectError("POST /channels/:channel/messages", 160005);
  it.discord.expectError("PATCH /channels/:channel", 50013);
  expect(await refusal(post(thread.id))).toBe(160005);
  await expect(ana.types(thread, "a")).rejects.toThrow("cannot write");
  thread.archive();
  expect(await refusal(set(thread.id, { archived: false }))).toBe(50013);
  plans.allows(["MANAGE_THREADS"]);
  await set(thread.id, { archived: false, locked: false });
  await post(thread.id);
  await it.discord.assertClean();
});

test("its owner archives a thread, but does not lock it", async () => {
  const thread = await threaded();
  it.discord.expectError("PATCH /channels/:channel", 50013);
  it.discord.expectError("PATCH /channels/:channel", 50083);
  expect(await refusal(set(thread.id, { locked: true }))).toBe(50013);
  await set(thread.id, { archived: true });
  const archived = record(await it.rest.get("/channels/201/threads/archived/public"));
  expect(records(archived.threads).map(({ id }) => id)).toEqual([thread.id]);
  expect(await refusal(set(thread.id, { name: "other" }))).toBe(50083);
  await set(thread.id, { archived: false, name: "other" });
  expect(plans.thread(thread.id)?.room.name).toBe("other");
  await it.discord.assertClean();
});

test("writing in threads is a permission of its own", async () => {
  const thread = await threaded();
  plans.denies(["SEND_MESSAGES"]);
  expect(await refusal(post(thread.id))).toBe(null);
  plans.denies(["SEND_MESSAGES_IN_THREADS"]);
  plans.allows(["SEND_MESSAGES"]);
  expect(await refusal(post(thread.id))).toBe(50013);
  plans.denies(["VIEW_CHANNEL"]);
  expect(await refusal(post(thread.id))).toBe(50001);
});

test("people are added to a thread, those who can see it", async () => {
  const thread = await threaded();
  const member = `/channels/${thread.id}/thread-members/501` as const;
  it.discord.expectError("GET /channels/:channel/thread-members/:user", 10007);
  it.discord.expectError("PUT /channels/:channel/thread-members/:user", 10013);
  it.discord.expectError("PUT /channels/:channel/thread-members/:user", 50001);
  expect(await refusal(it.rest.get(member))).toBe(10007);
  await it.rest.put(member);
  expect(record(await it.rest.get(member)).user_id).toBe("501");
  expect(await refusal(it.rest.put(`/channels/${thread.id}/thread-members/999`))).toBe(10013);
  const ben = it.acme.person({ id: "502", name: "Ben" });
  plans.denies(["VIEW_CHANNEL"], ben);
  expect(await refusal(it.rest.put(`/channels/${thread.id}/thread-members/502`))).toBe(50001);
  await it.discord.assertClean();
});

test("a thread without a message announces itself, a private one is seen by its members", async () => {
  const { id } = record(await it.rest.post("/channels/201/threads", { body: { name: "open", type: 11 } }));
  expect(plans.messages().map(({ type, content }) => `${type} ${content}`)).toEqual(["18 open"]);
  expect(plans.threads().map(({ name }) => name)).toEqual(["open"]);
  expect(plans.threads()[0]?.id).toBe(id);
  plans.allows(["CREATE_PRIVATE_THREADS"]);
  const hidden = record(await it.rest.post("/channels/201/threads", { body: { name: "hidden" } }));
  const room = it.acme.room(str(hidden.id));
  await expect(ana.types(room, "a")).rejects.toThrow("does not see");
  await post(room.id, { content: "<@501> come in" });
  expect(room.members()).toContain("501");
  await ana.types(room, "here I am");
  const active = record(await it.rest.get("/guilds/100/threads/active"));
  expect(records(active.threads).map(({ name }) => name)).toEqual(["open", "hidden"]);
  await it.discord.assertClean();
});

test("a deleted root leaves its thread", async () => {
  const thread = await threaded();
  await it.rest.delete(`/channels/201/messages/${thread.id}`);
  await post(thread.id, { content: "still here" });
  expect(thread.messages().map(({ content }) => content)).toEqual(["still here"]);
  await it.discord.assertClean();
});

test("a server tells who and what is in it", async () => {
  it.acme.channel({ id: "202", name: "secret", members: [ana] });
  const names = async (path: `/${string}`) => records(await it.rest.get(path)).map(({ name }) => name);
  expect(await names("/users/@me/guilds")).toEqual(["acme"]);
  expect(await names("/guilds/100/channels")).toEqual(["plans", "secret"]);
  const search = await it.rest.get("/guilds/100/members/search?query=an&limit=5");
  expect(records(search).map(({ user }) => record(user).global_name)).toEqual(["Ana"]);
  expect(record(record(await it.rest.get("/guilds/100/members/501")).user).id).toBe("501");
  expect(record(await it.rest.get("/oauth2/applications/@me")).flags).toBe((1 << 13) | (1 << 15) | (1 << 19));
  it.discord.grants({ messageContent: false });
  expect(record(await it.rest.get("/applications/@me")).flags).toBe((1 << 13) | (1 << 15));
  expect(await refusal(it.rest.get("/guilds/999"))).toBe(10004);
  expect(await refusal(it.rest.get("/guilds/100/members/999"))).toBe(10013);
  expect(await refusal(it.rest.get("/channels/202"))).toBe(50001);
  expect(await complaints(it.rest.post("/users/@me/channels", { body: { recipient_id: "x" } }))).toHaveLength(
    1,
  );
});
