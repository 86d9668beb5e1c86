/** Guests, reactions, threads of messages, sweeps: what a bot hears of people beside their presses. */
import type { Interaction } from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, Person } from "./discord/index.ts";
import { type TestBot, testBot } from "./discord/test-bot.ts";
import { button, row } from "./discord/test-components.ts";
import { identify, testSocket } from "./discord/test-socket.ts";
import { posts, refusal, soon } from "./discord/testing.ts";
import { type Json, record, records, str } from "./discord/wire.ts";

let it: TestBot;
let ana: Person;
let plans: Channel;
afterEach(() => it.stop());

async function bot(act: (interaction: Interaction) => Promise<unknown> = async () => {}) {
  it = await testBot(act);
  ({ ana, plans } = it);
}

/** A session of its own that hears all, and the events of one kind that it heard. */
async function listener(): Promise<(t: string) => Promise<Json>> {
  const socket = testSocket(it.discord);
  await socket.frame(({ op }) => op === 10);
  socket.send(identify(it.discord, { intents: 46_599 }));
  await socket.frame(({ t }) => t === "READY");
  return async (t) => record((await socket.frame((frame) => frame.t === t)).d);
}

const get = async (path: `/${string}`): Promise<Json> => record(await it.rest.get(path));

test("a guest is known by a flag, a newcomer is pending until the rules are agreed to", async () => {
  await bot();
  it.acme.person({ id: "504", name: "Gus", guest: true });
  it.acme.person({ id: "505", name: "New", pending: true });
  expect(await get("/guilds/100/members/504")).toMatchObject({ flags: 1 << 4, pending: false });
  expect(await get("/guilds/100/members/505")).toMatchObject({ flags: 0, pending: true });
  expect(await get("/guilds/100/members/501")).toMatchObject({ flags: 0, pending: false });
});

test("a mention in a thread adds to it without a word, adding stands there and calls", async () => {
  await bot();
  const ben = it.acme.person({ id: "502", name: "Ben" });
  const root = await it.posted({ content: "root" });
  await it.rest.post(`/channels/201/messages/${root.id}/threads`, { body: { name: "talk" } });
  const thread = plans.thread(root.id);
  if (thread === null) throw new Error("no thread");
  await posts(it.rest, thread.id, { content: "<@501> look" });
  expect(thread.members()).toContain("501");
  await it.rest.put(`/channels/${thread.id}/thread-members/502`);
  await it.rest.put(`/channels/${thread.id}/thread-members/502`);
  expect(thread.members()).toContain("502");
  expect(thread.messages().map(({ type }) => type)).toEqual([0, 1]);
  expect(thread.transcript()).toContain("(askgate added Ben)");
  expect([ana, ben].map((person) => person.notifications().length)).toEqual([1, 1]);
});

test("a notification shows content, and nothing of components", async () => {
  await bot();
  await it.posted({ content: "<@501> **Login** needs you" });
  await it.posted({ flags: 1 << 15, components: [{ type: 10, content: "<@501> Login needs you" }] });
  expect(ana.notifications().map(({ text }) => text)).toEqual(["@Ana Login needs you", ""]);
});

test("a message carries the thread that was started from it", async () => {
  await bot();
  const root = await it.posted({ content: "root" });
  await it.rest.post(`/channels/201/messages/${root.id}/threads`, { body: { name: "talk" } });
  const { id } = await posts(it.rest, root.id, { content: "inside" });
  const thread = { id: root.id, last_message_id: id, thread_metadata: { archived: false, locked: false } };
  expect(await get(`/channels/201/messages/${root.id}`)).toMatchObject({ thread });
  expect(records(await it.rest.get("/channels/201/messages"))).toMatchObject([{ thread }]);
  plans.thread(root.id)?.delete();
  expect(records((await get("/guilds/100/threads/active")).threads)).toEqual([]);
  it.discord.expectError("POST /channels/:channel/messages", 10003);
  expect(await refusal(posts(it.rest, root.id, { content: "inside" }))).toBe(10003);
});

test("a thread that is deleted is told of by its ids", async () => {
  await bot();
  const heard = await listener();
  const thread = await ana.opensThread(plans, (await it.posted({ content: "root" })).id, "talk");
  thread.delete();
  const gone = { id: thread.id, guild_id: "100", parent_id: "201", type: 11 };
  expect(await heard("THREAD_DELETE")).toEqual(gone);
});

test("reactions of people and of the bot are told, those in direct channels too", async () => {
  await bot();
  const heard = await listener();
  const said = await ana.types(plans, "hello");
  await it.rest.put(`/channels/201/messages/${said}/reactions/${encodeURIComponent("❔")}/@me`);
  expect(await heard("MESSAGE_REACTION_ADD")).toMatchObject({ user_id: it.discord.bot.id });
  const again = await listener();
  await ana.reacts(plans, said, "❔");
  expect(await again("MESSAGE_REACTION_ADD")).toMatchObject({
    user_id: "501",
    message_id: said,
    channel_id: "201",
    guild_id: "100",
    message_author_id: "501",
    member: { user: { id: "501" } },
    emoji: { id: null, name: "❔" },
  });
  await ana.unreacts(plans, said, "❔");
  expect(await again("MESSAGE_REACTION_REMOVE")).toMatchObject({ user_id: "501", message_id: said });
  const direct = await listener();
  await ana.reacts(ana.dm(), await ana.types(ana.dm(), "psst"), "👀");
  const told = await direct("MESSAGE_REACTION_ADD");
  expect(told).toMatchObject({ user_id: "501", channel_id: ana.dm().id });
  expect(told.guild_id).toBeUndefined();
});

test("who manages messages deletes several at once", async () => {
  await bot();
  const heard = await listener();
  const ids = [(await it.posted({ content: "a" })).id, (await it.posted({ content: "b" })).id];
  await expect(ana.sweeps(plans, ids)).rejects.toThrow("no MANAGE_MESSAGES");
  plans.allows(["MANAGE_MESSAGES"], ana);
  await ana.sweeps(plans, ids);
  expect(await heard("MESSAGE_DELETE_BULK")).toEqual({ ids, channel_id: "201", guild_id: "100" });
  expect(plans.messages()).toEqual([]);
});

test("a press tells where it was and what its presser may do there", async () => {
  await bot(async (interaction) => {
    if (interaction.isMessageComponent()) await interaction.deferUpdate();
  });
  const gus = it.acme.person({ id: "504", name: "Gus", guest: true, locale: "fr" });
  const card = await it.posted({ components: [row(button({ custom_id: "go" }))] });
  plans.kicks(gus);
  const heard = await listener();
  await gus.forges(card, { customId: "go" });
  expect(await heard("INTERACTION_CREATE")).toMatchObject({
    version: 1,
    channel_id: "201",
    guild_id: "100",
    locale: "fr",
    channel: { id: "201", type: 0 },
    member: { user: { id: "504" }, roles: [], permissions: "0", flags: 1 << 4, pending: false },
    message: { id: card.id },
    app_permissions: expect.stringMatching(/^\d+$/),
  });
});

test("a component keeps the id that it was sent with", async () => {
  await bot();
  const card = await it.posted({ components: [{ ...row(button({ id: 77 })), id: 5 }, row(button())] });
  const { components } = await get(`/channels/201/messages/${card.id}`);
  expect(components).toMatchObject([
    { id: 5, components: [{ id: 77 }] },
    { id: 1, components: [{ id: 2 }] },
  ]);
});

test("a command is put beside the others, or in place of the one of its name", async () => {
  await bot();
  const path = `/applications/${it.discord.appId}/commands` as const;
  const put = async (name: string, description: string) =>
    str(record(await it.rest.post(path, { body: { name, description } })).id);
  const first = await put("askgate", "a");
  await put("other", "b");
  expect(await put("askgate", "c")).toBe(first);
  expect(records(await it.rest.get(path)).map(({ description }) => description)).toEqual(["b", "c"]);
  it.discord.expectError("POST /applications/:app/commands", 50035);
  expect(await refusal(put("Ask gate", "d"))).toBe(50035);
  await soon(() => it.discord.violations).toEqual([]);
});
