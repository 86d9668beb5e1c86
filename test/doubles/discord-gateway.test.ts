import {
  type Client,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  ThreadAutoArchiveDuration,
} from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, DiscordOptions, Person } from "./discord/index.ts";
import { connected, INTENTS, posts, restOf, type Scene, scene, soon } from "./discord/testing.ts";
import { str } from "./discord/wire.ts";

let it: Scene;
let ana: Person;
let plans: Channel;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.destroy();
  await it.discord.stop();
});

async function open(options: DiscordOptions = {}) {
  it = await scene({ factor: Number.POSITIVE_INFINITY, ...options });
  ana = it.acme.person({ id: "501", name: "Ana" });
  plans = it.acme.channel({ id: "201", name: "plans" });
}

async function connect(more: Parameters<typeof connected>[1] = {}) {
  const client = await connected(it.discord, more);
  clients.push(client);
  return client;
}

/** The texts a client hears, in order. */
function heard(client: Client): string[] {
  const texts: string[] = [];
  client.on(Events.MessageCreate, (message) => {
    texts.push(message.content);
  });
  return texts;
}

test("the real client logs in and knows the server, its channels and threads", async () => {
  await open();
  const { id } = await posts(it.rest, "201", { content: "a plan" });
  await it.rest.post(`/channels/201/messages/${str(id)}/threads`, { body: { name: "more" } });
  const client = await connect();
  const guild = client.guilds.cache.get("100");
  expect(client.user.id).toBe(it.discord.bot.id);
  expect(guild?.channels.cache.map(({ name }) => name).sort()).toEqual(["more", "plans"]);
  expect(it.discord.sockets).toMatchObject({ count: 1, started: 1, resumed: 0 });
  await it.discord.assertClean();
});

test("it hears what people write, edit and delete, and its own words", async () => {
  await open();
  const client = await connect();
  const events: string[] = [];
  client.on(Events.MessageCreate, ({ content, author }) => events.push(`${author.displayName}: ${content}`));
  client.on(Events.MessageUpdate, (_, { content }) => events.push(`now ${content}`));
  client.on(Events.MessageDelete, ({ id }) => events.push(`gone ${id}`));
  const id = await ana.types(plans, "first");
  await ana.edits(plans, id, "second");
  await ana.deletes(plans, id);
  const channel = await client.channels.fetch("201");
  if (channel?.isSendable()) await channel.send("third");
  await ana.types(ana.dm(), "fourth");
  await it.discord.until(() => it.discord.sockets.count === 1);
  await soon(() => events).toEqual([
    "Ana: first",
    "now second",
    `gone ${id}`,
    "askgate: third",
    "Ana: fourth",
  ]);
  await it.discord.assertClean();
});

test("after a broken line everything that was missed comes, once, and then what is new", async () => {
  await open();
  const client = await connect();
  const texts = heard(client);
  await ana.types(plans, "a");
  await soon(() => texts).toEqual(["a"]);
  it.discord.sockets.drop();
  await ana.types(plans, "b");
  await it.discord.until(() => it.discord.sockets.resumed === 1);
  await ana.types(plans, "c");
  await soon(() => texts).toEqual(["a", "b", "c"]);
  expect(it.discord.sockets).toMatchObject({ started: 1, count: 1 });
  await it.discord.assertClean();
});

test("a RESUME can repeat what was heard already", async () => {
  await open();
  const client = await connect();
  const texts: string[] = [];
  client.ws.on(GatewayDispatchEvents.MessageCreate, ({ content }) => texts.push(content));
  await ana.types(plans, "a");
  it.discord.sockets.repeat(1);
  it.discord.sockets.reconnect();
  await it.discord.until(() => it.discord.sockets.resumed === 1);
  await soon(() => texts).toEqual(["a", "a"]);
});

test("an invalid session is resumed or started anew, as it says", async () => {
  await open();
  const texts = heard(await connect());
  it.discord.sockets.invalidate(true);
  await it.discord.until(() => it.discord.sockets.resumed === 1);
  it.discord.sockets.drop();
  it.discord.sockets.forget();
  await ana.types(plans, "lost");
  await it.discord.until(() => it.discord.sockets.started === 2 && it.discord.sockets.count === 1);
  await ana.types(plans, "heard");
  await soon(() => texts).toEqual(["heard"]);
  await it.discord.assertClean();
});

test("a heartbeat that nobody acknowledges ends in a new socket, resumed", async () => {
  await open({ heartbeatMs: 1_000 });
  const texts = heard(await connect());
  it.discord.sockets.acknowledge(false);
  await it.discord.until(() => it.discord.sockets.closes.length > 0 || it.discord.sockets.count === 0);
  it.discord.sockets.acknowledge(true);
  await it.discord.until(() => it.discord.sockets.resumed === 1);
  await ana.types(plans, "back");
  await soon(() => texts).toEqual(["back"]);
  await it.discord.assertClean();
});

test("a socket that says nothing any more is left, and what was missed comes on the next", async () => {
  await open({ heartbeatMs: 1_000 });
  const texts = heard(await connect());
  it.discord.sockets.silence();
  await ana.types(plans, "missed");
  await it.discord.until(() => it.discord.sockets.resumed === 1);
  await soon(() => texts).toEqual(["missed"]);
  it.discord.sockets.close(4000);
  await it.discord.until(() => it.discord.sockets.resumed === 2);
  await it.discord.assertClean();
});

test("events come only to those who asked for them, and content only where it is granted", async () => {
  await open();
  const blind = INTENTS.filter((intent) => intent !== GatewayIntentBits.MessageContent);
  const client = await connect({ intents: blind });
  const deaf = await connect({ intents: [GatewayIntentBits.Guilds] });
  const [texts, nothing] = [heard(client), heard(deaf)];
  await ana.types(plans, "hidden");
  await ana.types(plans, `<@${it.discord.bot.id}> called`);
  await ana.types(ana.dm(), "direct");
  await posts(it.rest, "201", { content: "own" });
  await soon(() => texts).toEqual(["", `<@${it.discord.bot.id}> called`, "direct", "own"]);
  expect(nothing).toEqual([]);
  await it.discord.assertClean();
});

test("what the portal does not grant closes the socket with 4014, a wrong token with 4004", async () => {
  await open();
  it.discord.grants({ messageContent: false });
  it.discord.expectError("gateway", 4014);
  await expect(connect()).rejects.toThrow("disallowed intents");
  it.discord.grants({ messageContent: true });
  const client = await connect();
  it.discord.revoke();
  await it.discord.until(() => it.discord.sockets.count === 0);
  expect(it.discord.sockets.closes).toEqual([4014, 4004]);
  await client.destroy();
  await it.discord.assertClean();
});

test("a gateway can be out of reach, or take a socket without a word", async () => {
  await open();
  it.discord.sockets.reachable(false);
  const connecting = connect();
  await it.discord.until(() => it.discord.calls.length > 0);
  it.discord.sockets.greet(false);
  it.discord.sockets.reachable(true);
  expect(it.discord.sockets.count).toBe(0);
  it.discord.sockets.reachable(false);
  it.discord.sockets.dropAll();
  it.discord.sockets.greet(true);
  it.discord.sockets.reachable(true);
  const client = await connecting;
  expect(it.discord.sockets).toMatchObject({ count: 1, started: 1 });
  await client.destroy();
  await it.discord.assertClean();
});

test("a new token ends the one before, and is as good", async () => {
  await open();
  const client = await connect();
  const token = it.discord.resetToken();
  await it.discord.until(() => it.discord.sockets.closes.length === 1);
  expect(it.discord.sockets.closes).toEqual([4004]);
  it.discord.expectError("GET /users/@me", 401);
  await expect(restOf(it.discord).get("/users/@me")).rejects.toThrow("401");
  expect(await restOf(it.discord, token).get("/users/@me")).toMatchObject({ username: "askgate" });
  await client.destroy();
  await it.discord.assertClean();
});

test("threads are told of when they open, change, are archived and locked", async () => {
  await open();
  const client = await connect({ makeCache: Options.cacheEverything() });
  const events: string[] = [];
  client.on(Events.ThreadCreate, ({ name, id }) => events.push(`new ${name} ${id}`));
  client.on(Events.ThreadUpdate, (_, now) =>
    events.push(`${now.archived ? "archived" : "open"} ${now.locked}`),
  );
  const id = await ana.types(plans, "root");
  const channel = await client.channels.fetch("201");
  if (channel === null || !channel.isTextBased() || !("messages" in channel)) throw new Error("no channel");
  const root = await channel.messages.fetch(id);
  const thread = await root.startThread({
    name: "talk",
    autoArchiveDuration: ThreadAutoArchiveDuration.OneWeek,
  });
  expect(thread.id).toBe(id);
  plans.thread(id)?.archive();
  await thread.send("awake");
  plans.thread(id)?.lock();
  await soon(() => events).toEqual([`new talk ${id}`, "archived false", "open false", "open true"]);
  await it.discord.assertClean();
});
