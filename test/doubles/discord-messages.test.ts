import { RateLimitError } from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, DiscordOptions, Person } from "./discord/index.ts";
import { posts, refusal, restOf, type Scene, scene } from "./discord/testing.ts";
import { record, records, str } from "./discord/wire.ts";

let it: Scene;
let ana: Person;
let plans: Channel;
afterEach(() => it.discord.stop());

async function open(options: DiscordOptions = {}) {
  it = await scene({ factor: Number.POSITIVE_INFINITY, ...options });
  ana = it.acme.person({ id: "501", name: "Ana" });
  plans = it.acme.channel({ id: "201", name: "plans" });
}

const post = (body: object, channel = "201") => posts(it.rest, channel, { ...body });
const at = (id: unknown, channel = "201") => `/channels/${channel}/messages/${str(id)}` as const;

test("a message is posted, read, edited and deleted", async () => {
  await open();
  const { id } = await post({ content: "a plan" });
  expect(plans.messages().map(({ content }) => content)).toEqual(["a plan"]);
  expect(await it.rest.get(at(id))).toMatchObject({
    id,
    content: "a plan",
    author: { id: it.discord.bot.id },
  });
  await it.rest.patch(at(id), { body: { content: "another" } });
  expect(plans.transcript()).toBe("# plans\naskgate: another (edited)");
  await it.rest.delete(at(id));
  expect(plans.messages()).toEqual([]);
  it.discord.expectError("GET /channels/:channel/messages/:message", 10008);
  expect(await refusal(it.rest.get(at(id)))).toBe(10008);
  await it.discord.assertClean();
});

test("what is unknown or somebody else's is refused, and the test fails unless it said so", async () => {
  await open();
  const theirs = await ana.types(plans, "mine");
  expect(await refusal(post({ content: "a" }, "999"))).toBe(10003);
  expect(await refusal(it.rest.patch(at(theirs), { body: { content: "b" } }))).toBe(50005);
  expect(await refusal(it.rest.delete(at(theirs)))).toBe(50013);
  expect(await refusal(post({}))).toBe(50006);
  expect(await refusal(post({ content: " " }))).toBe(50006);
  expect(await refusal(post({ content: "a" }, "general"))).toBe(50035);
  await expect(it.discord.assertClean()).rejects.toThrow(
    "POST /channels/:channel/messages was refused: 50006",
  );
  expect(it.discord.violations).toHaveLength(6);
});

test("two doubles are two bots", async () => {
  await open({ app: { id: "900000000000000002", name: "other" } });
  const { id, username } = record(await it.rest.get("/users/@me"));
  expect([id, username]).toEqual(["900000000000000002", "other"]);
  await post({ content: "a" });
  expect(plans.transcript()).toBe("# plans\nother: a");
});

test("an unknown route is a 404 and a violation, a wrong token a 401", async () => {
  await open();
  it.discord.expectError("GET /users/@me", 401);
  await expect(restOf(it.discord, "wrong").get("/users/@me")).rejects.toThrow("401");
  await expect(it.rest.get("/voice/regions")).rejects.toThrow("404");
  expect(it.discord.violations).toEqual(["GET /voice/regions was refused: 404"]);
});

test("files come as a form and stand in the message; what is named must have come", async () => {
  await open();
  const files = [{ name: "plan.md", data: Buffer.from("# Plan"), contentType: "text/markdown" }];
  const body = { content: "see", attachments: [{ id: "0", description: "the plan" }] };
  const sent = record(await it.rest.post("/channels/201/messages", { body, files }));
  const [file] = records(sent.attachments);
  expect(file).toMatchObject({ filename: "plan.md", size: 6, description: "the plan" });
  expect(await (await fetch(str(file?.url))).text()).toBe("# Plan");
  it.discord.expectError("POST /channels/:channel/messages", 50035);
  expect(await refusal(post({ content: "a", attachments: [{ id: "0" }] }))).toBe(50035);
  await it.discord.assertClean();
});

test("with Components V2 a file shows where a component names it", async () => {
  await open();
  const files = [{ name: "plan.md", data: Buffer.from("# Plan") }];
  const named = (name: string) => ({
    flags: 1 << 15,
    components: [{ type: 13, file: { url: `attachment://${name}` } }],
  });
  await it.rest.post("/channels/201/messages", { body: named("plan.md"), files });
  expect(plans.transcript()).toBe("# plans\naskgate: 📎 plan.md");
  it.discord.expectError("POST /channels/:channel/messages", 50035);
  expect(await refusal(it.rest.post("/channels/201/messages", { body: named("other.md"), files }))).toBe(
    50035,
  );
  await it.discord.assertClean();
});

test("the files that people send can be fetched, where content is granted", async () => {
  await open();
  const id = await ana.types(plans, "", {
    files: [{ name: "a.txt", mimetype: "text/plain", content: "hi" }],
  });
  const [file] = records(record(await it.rest.get(at(id))).attachments);
  expect(await (await fetch(str(file?.url))).text()).toBe("hi");
  it.discord.grants({ messageContent: false });
  expect(record(await it.rest.get(at(id)))).toMatchObject({ attachments: [], content: "" });
  await it.discord.assertClean();
});

test("the history is paged: the newest, before, after and around", async () => {
  await open();
  const ids: string[] = [];
  for (const text of ["a", "b", "c", "d", "e"]) ids.push(await ana.types(plans, text));
  const list = async (query: string) =>
    records(await it.rest.get(`/channels/201/messages?${query}`))
      .map(({ content }) => content)
      .join("");
  expect(await list("limit=2")).toBe("ed");
  expect(await list(`before=${ids[3]}&limit=2`)).toBe("cb");
  expect(await list(`after=${ids[0]}&limit=2`)).toBe("cb");
  expect(await list(`around=${ids[2]}&limit=3`)).toBe("dcb");
  it.discord.expectError("GET /channels/:channel/messages", 50035);
  expect(await refusal(list("limit=101"))).toBe(50035);
  await it.discord.assertClean();
});

test("the same nonce gives the same message for minutes where it is enforced", async () => {
  let time = Date.UTC(2026, 10, 30);
  await open({ now: () => time });
  const send = () => post({ content: "once", nonce: "n1", enforce_nonce: true });
  const first = await send();
  expect((await send()).id).toBe(first.id);
  expect((await post({ content: "once", nonce: "n1" })).id).not.toBe(first.id);
  time += 6 * 60_000;
  expect((await send()).id).not.toBe(first.id);
  expect(plans.messages()).toHaveLength(3);
  await it.discord.assertClean();
});

test("a reply names a message that is there, or goes without where it may", async () => {
  await open();
  const id = await ana.types(plans, "why?");
  await post({ content: "so", message_reference: { message_id: id } });
  await ana.deletes(plans, id);
  it.discord.expectError("POST /channels/:channel/messages", 50035);
  expect(await refusal(post({ content: "so", message_reference: { message_id: id } }))).toBe(50035);
  await post({ content: "still", message_reference: { message_id: id, fail_if_not_exists: false } });
  expect(plans.messages().map(({ type, content }) => `${type} ${content}`)).toEqual(["19 so", "0 still"]);
  await it.discord.assertClean();
});

test("whom a message calls is up to allowed_mentions; without it everybody hears it", async () => {
  await open();
  const why = () => ana.notifications().map((one) => `${one.why}: ${one.text}`);
  await post({ content: "<@501> a", allowed_mentions: { parse: [] } });
  await post({ content: "<@501> b", allowed_mentions: { users: ["501"] } });
  await post({ content: "@everyone c" });
  await post({ content: "`<@501>` d" });
  await post({ content: "<@501> e", flags: 4096 });
  const id = await ana.types(plans, "f");
  await post({ content: "g", message_reference: { message_id: id }, allowed_mentions: { parse: [] } });
  await post({ content: "h", message_reference: { message_id: id } });
  expect(why()).toEqual(["mention: @Ana b", "everyone: @everyone c", "reply: h"]);
  await it.discord.assertClean();
});

test("a person can close her direct messages, and with no common server nothing comes", async () => {
  await open();
  const { id } = record(await it.rest.post("/users/@me/channels", { body: { recipient_id: "501" } }));
  await post({ content: "hello" }, str(id));
  expect(ana.dm().transcript()).toBe("# Ana\naskgate: hello");
  expect(ana.notifications().map((one) => one.why)).toEqual(["direct"]);
  it.discord.expectError("POST /channels/:channel/messages", 50007);
  it.discord.expectError("POST /channels/:channel/messages", 50278);
  ana.closesDms();
  expect(await refusal(post({ content: "a" }, str(id)))).toBe(50007);
  ana.closesDms(false);
  it.acme.kicks(ana);
  expect(await refusal(post({ content: "a" }, str(id)))).toBe(50278);
  await it.discord.assertClean();
});

test("each permission that is missing is refused", async () => {
  await open();
  const embeds = [{ description: "an embed" }];
  const id = await ana.types(plans, "a");
  const files = [{ name: "a.txt", data: Buffer.from("a") }];
  const cases: [Parameters<Channel["denies"]>[0][number], () => Promise<unknown>, number][] = [
    ["EMBED_LINKS", () => post({ embeds }), 50013],
    ["ATTACH_FILES", () => it.rest.post("/channels/201/messages", { files }), 50013],
    ["ADD_REACTIONS", () => it.rest.put(`${at(id)}/reactions/${encodeURIComponent("👍")}/@me`), 50013],
    ["CREATE_PUBLIC_THREADS", () => it.rest.post(`${at(id)}/threads`, { body: { name: "t" } }), 50013],
    ["READ_MESSAGE_HISTORY", () => it.rest.get(at(id)), 50013],
    ["SEND_MESSAGES", () => post({ content: "a" }), 50013],
    ["VIEW_CHANNEL", () => post({ content: "a" }), 50001],
  ];
  for (const [permission, call, code] of cases) {
    plans.denies([permission]);
    expect([permission, await refusal(call())]).toEqual([permission, code]);
    plans.allows([permission]);
    expect([permission, await refusal(call())]).toEqual([permission, null]);
  }
});

test("a reaction is put and taken back, and must be an emoji", async () => {
  await open();
  const { id } = await post({ content: "a" });
  const reaction = (emoji: string) => `${at(id)}/reactions/${encodeURIComponent(emoji)}/@me` as const;
  await it.rest.put(reaction("✅"));
  await ana.reacts(plans, str(id), "✅");
  expect(plans.messages()[0]?.reactions).toEqual([{ emoji: "✅", users: [it.discord.bot.id, "501"] }]);
  await it.rest.delete(reaction("✅"));
  expect(plans.transcript()).toBe("# plans\naskgate: a\n  ✅ 1");
  expect(await refusal(it.rest.put(reaction("ok")))).toBe(10014);
  expect(await refusal(it.rest.delete(reaction("👍")))).toBe(10014);
});

test("edits of messages older than an hour are capped", async () => {
  let time = Date.UTC(2026, 10, 30);
  await open({ now: () => time, oldEdits: 3 });
  const { id } = await post({ content: "old" });
  time += 61 * 60_000;
  const edit = () => it.rest.patch(at(id), { body: { content: "new" } });
  for (let count = 0; count < 3; count += 1) await edit();
  await expect(edit()).rejects.toBeInstanceOf(RateLimitError);
  expect(it.discord.violations).toEqual(["PATCH /channels/:channel/messages/:message was refused: 30046"]);
});
