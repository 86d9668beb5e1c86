import { once } from "node:events";
import { connect } from "node:net";
import { HTTPError, RateLimitError, REST } from "discord.js";
import { afterEach, expect, test } from "vitest";
import type { Channel, DiscordOptions } from "./discord/index.ts";
import { posts, refusal, restOf, type Scene, scene } from "./discord/testing.ts";
import type { Json } from "./discord/wire.ts";

let it: Scene;
let plans: Channel;
let time = Date.UTC(2026, 10, 30);
afterEach(() => it.discord.stop());

async function open(options: DiscordOptions = {}) {
  it = await scene({ now: () => time, ...options });
  plans = it.acme.channel({ id: "201", name: "plans" });
  it.acme.channel({ id: "202", name: "other" });
}

const POST = "POST /channels/:channel/messages";
const post = (channel = "201", content = "a") => posts(it.rest, channel, { content });

/** One call past the client's own bookkeeping: status, body and headers as they come. */
async function bare(channel = "201", content = "a") {
  const answer = await fetch(`${it.discord.apiUrl}/v10/channels/${channel}/messages`, {
    method: "POST",
    headers: { authorization: `Bot ${it.discord.token}`, "content-type": "application/json" },
    body: JSON.stringify({ content }),
  });
  const body: unknown = await answer.json();
  return { status: answer.status, headers: answer.headers, body };
}

test("each answer tells what is left in its bucket, and what is empty answers 429", async () => {
  await open();
  const left: (string | null)[] = [];
  for (let count = 0; count < 5; count += 1) left.push((await bare()).headers.get("x-ratelimit-remaining"));
  expect(left).toEqual(["4", "3", "2", "1", "0"]);
  const refused = await bare("201", "b");
  expect(refused).toMatchObject({ status: 429, body: { retry_after: 5, global: false } });
  expect(refused.headers.get("x-ratelimit-scope")).toBe("user");
  expect((await bare("202")).status).toBe(200);
  time += 5000;
  expect((await bare("201", "b")).status).toBe(200);
  expect(plans.messages()).toHaveLength(6);
  await it.discord.assertClean();
});

test("the real client waits by the headers, and meets no 429", async () => {
  await open({ now: Date.now, factor: 1 });
  const rest = restOf(it.discord);
  for (let count = 0; count < 5; count += 1) await posts(rest, "201", { content: "a" });
  await expect(posts(rest, "201", { content: "b" })).rejects.toBeInstanceOf(RateLimitError);
  expect(it.discord.calls.map(({ error }) => error)).toEqual([null, null, null, null, null]);
});

test("fifty calls a second are all there are, over all routes", async () => {
  await open();
  const get = () => fetch(`${it.discord.apiUrl}/v10/users/@me`, { headers });
  const headers = { authorization: `Bot ${it.discord.token}` };
  for (let count = 0; count < 50; count += 1) expect((await get()).status).toBe(200);
  const refused = await bare();
  expect(refused).toMatchObject({ status: 429, body: { global: true } });
  expect(refused.headers.get("x-ratelimit-global")).toBe("true");
});

test("calling again before retry_after has passed is a violation", async () => {
  await open();
  it.discord.fail(POST, { retryAfter: 2.5 });
  expect((await bare()).body).toMatchObject({ retry_after: 2.5 });
  time += 2000;
  expect((await bare()).body).toMatchObject({ retry_after: 0.5 });
  time += 500;
  expect((await bare()).status).toBe(200);
  await expect(it.discord.assertClean()).rejects.toThrow("500 ms before its retry_after had passed");
});

test("what was on its way when the refusal came is refused in good faith, the same again is not", async () => {
  await open();
  it.discord.fail(POST, { retryAfter: 3, scope: "shared" });
  await bare("201", "a");
  expect((await bare("201", "b")).headers.get("x-ratelimit-scope")).toBe("shared");
  await it.discord.assertClean();
  await bare("201", "a");
  expect(it.discord.violations).toHaveLength(1);
});

test("a global 429 holds for all channels", async () => {
  await open();
  it.discord.fail(POST, { retryAfter: 2, scope: "global" }, { channel: "202" });
  expect((await bare("201")).status).toBe(200);
  expect((await bare("202")).body).toMatchObject({ global: true });
  expect((await bare("201", "b")).status).toBe(429);
});

const FAULTS: [name: string, fault: Parameters<Scene["discord"]["fail"]>[1], done: number][] = [
  ["a 502 does nothing", { http: 502 }, 0],
  ["a reset before does nothing", { lose: "request" }, 0],
  ["a reset after has done it", { lose: "response" }, 1],
];

test.each(FAULTS)("%s", async (_name, fault, done) => {
  await open({ factor: Number.POSITIVE_INFINITY });
  it.discord.fail(POST, fault);
  await expect(post()).rejects.toThrow();
  expect(plans.messages()).toHaveLength(done);
  await post();
  expect(plans.messages()).toHaveLength(done + 1);
  await it.discord.assertClean();
});

test("the real client sends a lost post again: twice it stands, once with a nonce that is enforced", async () => {
  await open({ factor: Number.POSITIVE_INFINITY });
  const rest = new REST({ api: it.discord.apiUrl, retries: 1 }).setToken(it.discord.token);
  it.discord.fail(POST, { lose: "response" });
  await posts(rest, "201", { content: "a" });
  expect(plans.messages()).toHaveLength(2);
  it.discord.fail(POST, { lose: "response" });
  await posts(rest, "201", { content: "b", nonce: "n", enforce_nonce: true });
  expect(plans.messages()).toHaveLength(3);
  await it.discord.assertClean();
});

test("an error that is planned is answered as it is, and is nobody's fault", async () => {
  await open({ factor: Number.POSITIVE_INFINITY });
  it.discord.fail(POST, { status: 403, code: 50001 }, { times: 2, channel: "201" });
  expect(await refusal(post("202"))).toBe(null);
  expect(await refusal(post())).toBe(50001);
  expect(await refusal(post())).toBe(50001);
  expect(await refusal(post())).toBe(null);
  await it.discord.assertClean();
});

test("a call is held before it is done, or before it is answered", async () => {
  await open({ factor: Number.POSITIVE_INFINITY });
  for (const [at, done] of [
    ["request", 0],
    ["response", 1],
  ] as const) {
    let release = () => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const met = new Promise<void>((resolve) => it.discord.fail(POST, { hold, at, met: resolve }));
    const before = plans.messages().length;
    const call = post();
    await met;
    expect(plans.messages().length - before).toBe(done);
    release();
    await call;
    expect(plans.messages().length - before).toBe(1);
  }
  await it.discord.assertClean();
});

test("what was expected and never came fails the test too", async () => {
  await open();
  it.discord.expectError(POST, 50013);
  it.discord.expectFailedPress();
  await expect(it.discord.assertClean()).rejects.toThrow("never was");
});

test("an error of the server is one of the client's HTTP errors", async () => {
  await open({ factor: Number.POSITIVE_INFINITY });
  it.discord.fail("*", { http: 500 });
  const body: Json = { content: "a" };
  await expect(posts(it.rest, "201", body)).rejects.toBeInstanceOf(HTTPError);
});

test("a request that breaks off before its end never came", async () => {
  await open();
  const { port } = new URL(it.discord.apiUrl);
  const socket = connect(Number(port), "127.0.0.1");
  const head = `POST /api/v10/channels/201/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"con`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  socket.destroy();
  await once(socket, "close");
  await post();
  expect(plans.messages()).toHaveLength(1);
  await it.discord.assertClean();
});
