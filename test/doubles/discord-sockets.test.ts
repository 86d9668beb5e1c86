import { afterEach, beforeEach, expect, test } from "vitest";
import type { Channel, DiscordOptions, Person } from "./discord/index.ts";
import { identify, resume, testSocket } from "./discord/test-socket.ts";
import { refusal, type Scene, scene } from "./discord/testing.ts";
import { type Json, record, records } from "./discord/wire.ts";

let it: Scene;
let ana: Person;
let plans: Channel;
beforeEach(() => open());
afterEach(() => it.discord.stop());

async function open(options: DiscordOptions = {}) {
  it = await scene({ factor: Number.POSITIVE_INFINITY, sessionStarts: 2, ...options });
  ana = it.acme.person({ id: "501", name: "Ana" });
  plans = it.acme.channel({ id: "201", name: "plans" });
}

const isHello = ({ op }: Json) => op === 10;
const isReady = ({ t }: Json) => t === "READY";
const isInvalid = ({ op }: Json) => op === 9;

async function greeted(query?: string) {
  const socket = testSocket(it.discord, query);
  await socket.frame(isHello);
  return socket;
}

/** What is sent after HELLO, and the code that it is answered with. */
const CLOSING: [name: string, code: number, sent: () => unknown[]][] = [
  ["what is no JSON", 4002, () => ["{"]],
  ["an unknown opcode", 4001, () => [identify(it.discord), { op: 99, d: null }]],
  ["anything before IDENTIFY", 4003, () => [{ op: 3, d: {} }]],
  ["an unknown token", 4004, () => [identify(it.discord, { token: "wrong" })]],
  ["a token with Bot before it", 4004, () => [identify(it.discord, { token: `Bot ${it.discord.token}` })]],
  ["a second IDENTIFY", 4005, () => [identify(it.discord), identify(it.discord)]],
  ["intents that are none", 4013, () => [identify(it.discord, { intents: 1 << 30 })]],
  ["the 121st frame in a minute", 4008, () => Array.from({ length: 121 }, () => ({ op: 1, d: null }))],
  ["an IDENTIFY without intents", 4002, () => [identify(it.discord, { intents: undefined })]],
];

test.each(CLOSING)("%s closes the socket with %i", async (_name, code, sent) => {
  it.discord.expectError("gateway", code);
  const socket = await greeted();
  for (const frame of sent()) socket.send(frame);
  expect(await socket.closed).toBe(code);
  await it.discord.assertClean();
});

test("a gateway without version 10 and JSON closes, and this is the test's failure unless expected", async () => {
  expect(await testSocket(it.discord, "?v=9&encoding=json").closed).toBe(4012);
  expect(await testSocket(it.discord, "?v=10&encoding=etf").closed).toBe(4002);
  expect(it.discord.violations).toEqual(["gateway was refused: 4012", "gateway was refused: 4002"]);
});

test("without heartbeats the session times out, and can be resumed after", async () => {
  await it.discord.stop();
  await open({ heartbeatMs: 200 });
  it.discord.expectError("gateway", 4009);
  const socket = await greeted();
  socket.send(identify(it.discord));
  const { session_id } = record((await socket.frame(isReady)).d);
  expect(await socket.closed).toBe(4009);
  const again = await greeted();
  again.send(resume(it.discord, { session_id }));
  await again.frame(({ t }) => t === "RESUMED");
  await it.discord.assertClean();
});

test("a heartbeat is acknowledged, at any time", async () => {
  const socket = await greeted();
  socket.send({ op: 1, d: null });
  await socket.frame(({ op }) => op === 11);
  await it.discord.assertClean();
});

test("RESUME gives what came after its number, in order, and refuses a number from the future", async () => {
  const socket = await greeted();
  socket.send(identify(it.discord));
  const { session_id, resume_gateway_url } = record((await socket.frame(isReady)).d);
  expect(resume_gateway_url).toMatch(/^ws:.*\/resume$/);
  const { s } = await socket.frame(({ t }) => t === "GUILD_CREATE");
  it.discord.sockets.drop();
  await ana.types(plans, "a");
  await ana.types(plans, "b");
  const again = await greeted();
  again.send(resume(it.discord, { session_id, seq: s }));
  await again.frame(({ t }) => t === "RESUMED");
  expect(again.frames.slice(1).map(({ t, d }) => record(d).content ?? t)).toEqual(["a", "b", "RESUMED"]);
  it.discord.sockets.drop();
  it.discord.expectError("gateway", 4007);
  const wrong = await greeted();
  wrong.send(resume(it.discord, { session_id, seq: 99 }));
  expect(await wrong.closed).toBe(4007);
  await it.discord.assertClean();
});

test("a session that was closed with 1000 is gone, and the same socket may identify anew", async () => {
  const socket = await greeted();
  socket.send(identify(it.discord));
  const { session_id } = record((await socket.frame(isReady)).d);
  socket.close();
  await it.discord.until(() => it.discord.sockets.sessions === 0);
  const again = await greeted();
  again.send(resume(it.discord, { session_id }));
  expect((await again.frame(isInvalid)).d).toBe(false);
  again.send(identify(it.discord));
  await again.frame(isReady);
  await it.discord.assertClean();
});

test("as many sessions start as the limit says, one more is a violation", async () => {
  const limit = async () => record(record(await it.rest.get("/gateway/bot")).session_start_limit).remaining;
  expect(await limit()).toBe(2);
  for (let count = 0; count < 3; count += 1) {
    const socket = await greeted();
    socket.send(identify(it.discord));
    await socket.frame((frame) => isReady(frame) || isInvalid(frame));
  }
  expect(await limit()).toBe(0);
  expect(it.discord.violations).toEqual(["a session was started where session_start_limit left none"]);
});

test("members are told to those who ask for them and may", async () => {
  const socket = await greeted();
  socket.send(identify(it.discord));
  await socket.frame(isReady);
  socket.send({ op: 8, d: { guild_id: "100", query: "an", limit: 1 } });
  const { d } = await socket.frame(({ t }) => t === "GUILD_MEMBERS_CHUNK");
  expect(records(record(d).members).map(({ user }) => record(user).id)).toEqual(["501"]);
  socket.send({ op: 8, d: { guild_id: "100", query: "", limit: 0 } });
  await it.discord.until(() => it.discord.violations.length === 1);
  expect(it.discord.violations[0]).toContain("members were asked for without the intent");
});

test("a bot that is taken out of a server is told so, and finds nothing of it", async () => {
  const socket = await greeted();
  socket.send(identify(it.discord));
  await socket.frame(isReady);
  it.acme.everyone(["VIEW_CHANNEL"]);
  const role = record(record((await socket.frame(({ t }) => t === "GUILD_ROLE_UPDATE")).d).role);
  expect(role.permissions).toBe("1024");
  it.acme.kicksBot();
  await socket.frame(({ t }) => t === "GUILD_DELETE");
  expect(await refusal(it.rest.get("/guilds/100"))).toBe(10004);
  expect(await refusal(it.rest.get("/channels/201"))).toBe(50001);
  it.acme.invitesBot();
  expect(await refusal(it.rest.get("/channels/201"))).toBe(null);
});

test("the server that is told has channels, threads and members as the intents and permissions allow", async () => {
  const id = await ana.types(plans, "root");
  const thread = await ana.opensThread(plans, id, "talk");
  it.acme.channel({ id: "202", name: "secret", members: [ana] });
  const socket = await greeted();
  socket.send(identify(it.discord, { intents: 3 }));
  const guild = record((await socket.frame(({ t }) => t === "GUILD_CREATE")).d);
  expect(records(guild.threads).map((one) => one.id)).toEqual([thread.id]);
  expect(records(guild.members)).toHaveLength(2);
  plans.denies(["SEND_MESSAGES"]);
  const update = await socket.frame(({ t }) => t === "CHANNEL_UPDATE");
  expect(records(record(update.d).permission_overwrites)).toEqual([
    { id: it.discord.bot.id, type: 1, allow: "0", deny: "2048" },
  ]);
  it.acme.person({ id: "502", name: "Ben" });
  await socket.frame(({ t }) => t === "GUILD_MEMBER_ADD");
  it.acme.kicks({ id: "502" });
  await socket.frame(({ t }) => t === "GUILD_MEMBER_REMOVE");
  plans.delete();
  await socket.frame(({ t }) => t === "CHANNEL_DELETE");
  await it.discord.assertClean();
});
