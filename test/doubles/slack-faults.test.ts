import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";
import { afterEach, expect, test } from "vitest";
import type { SlackOptions } from "./slack/index.ts";
import { client, refusal, type Scene, scene } from "./slack/testing.ts";

let it: Scene;
let time = Date.UTC(2026, 10, 30);
afterEach(() => it.slack.stop());

async function plans(options: SlackOptions = {}) {
  it = await scene({ now: () => time, ...options });
  const ana = it.acme.person({ id: "U1", name: "Ana" });
  it.acme.channel({ id: "C2", name: "other", members: [ana, it.acme.bot] });
  return { ana, plans: it.acme.channel({ id: "C1", name: "plans", members: [ana, it.acme.bot] }) };
}

const post = (channel = "C1", text = "a") => it.web.chat.postMessage({ channel, text });
const many = async (count: number, act: () => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await act();
};

async function retryAfter(call: Promise<unknown>): Promise<number | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof WebAPIRateLimitedError) return error.retryAfter;
    throw error;
  }
}

test("a channel takes five messages in a burst and one a second after, others their own", async () => {
  const { plans: channel } = await plans();
  await many(5, () => post());
  expect(await retryAfter(post())).toBe(1);
  expect(await retryAfter(post("C2"))).toBe(null);
  time += 1000;
  expect(await retryAfter(post())).toBe(null);
  expect(await retryAfter(post())).toBe(1);
  expect(channel.messages()).toHaveLength(6);
  await it.slack.assertClean();
});

test("calling again before Retry-After has passed is a violation, and refused again", async () => {
  await plans();
  it.slack.fail("chat.postMessage", { retryAfter: 3 });
  expect(await retryAfter(post())).toBe(3);
  time += 1500;
  expect(await retryAfter(post("C1", "b"))).toBe(2);
  expect(await retryAfter(post("C2"))).toBe(null);
  await expect(it.slack.assertClean()).rejects.toThrow("before its Retry-After had passed");
});

test("what was on its way when the refusal came is refused in good faith, the same again is not", async () => {
  await plans();
  it.slack.fail("chat.postMessage", { retryAfter: 3 });
  await retryAfter(post("C1", "a"));
  expect(await retryAfter(post("C1", "b"))).toBe(3);
  await it.slack.assertClean();
  await retryAfter(post("C1", "a"));
  expect(it.slack.violations).toHaveLength(1);
});

test("a refusal of a whole method holds in all channels, and ends", async () => {
  await plans();
  it.slack.fail("chat.postMessage", { retryAfter: 2, wholeMethod: true }, { channel: "C2" });
  expect(await retryAfter(post("C1"))).toBe(null);
  expect(await retryAfter(post("C2"))).toBe(2);
  expect(await retryAfter(post("C1"))).toBe(2);
  time += 2000;
  expect(await retryAfter(post("C1"))).toBe(null);
  await it.slack.assertClean();
});

test("other methods have limits of their own", async () => {
  await plans();
  await many(20, () => it.web.conversations.list());
  expect(await retryAfter(it.web.conversations.list())).toBe(3);
  const { ts = "" } = await post();
  await many(50, () => it.web.chat.update({ channel: "C1", ts, text: "b" }));
  expect(await retryAfter(it.web.chat.update({ channel: "C1", ts, text: "b" }))).toBe(2);
});

test("a factor lifts all limits for tests that post a lot", async () => {
  await plans({ factor: 100 });
  await many(300, () => post());
  expect(await retryAfter(post())).toBe(null);
});

test("faults meet the next calls only: broken answers, errors, and nothing is done", async () => {
  const { plans: channel } = await plans();
  it.slack.fail("chat.postMessage", { http: 503 });
  await expect(post()).rejects.toThrow(WebAPIHTTPError);
  it.slack.fail("chat.postMessage", { error: "fatal_error" }, { times: 2 });
  expect([await refusal(post()), await refusal(post())]).toEqual(["fatal_error", "fatal_error"]);
  expect(channel.messages()).toEqual([]);
  expect(await refusal(post())).toBe(null);
  expect(it.slack.calls.map((call) => call.error)).toEqual(["http 503", "fatal_error", "fatal_error", null]);
  await it.slack.assertClean();
});

test("a lost request does nothing, a lost answer hides what was done", async () => {
  const { plans: channel } = await plans();
  it.slack.fail("chat.postMessage", { lose: "request" });
  await expect(post()).rejects.toThrow(WebAPIRequestError);
  expect(channel.messages()).toHaveLength(0);
  it.slack.fail("chat.postMessage", { lose: "response" });
  await expect(post()).rejects.toThrow(WebAPIRequestError);
  expect(channel.messages()).toHaveLength(1);
});

test("a call can be held before it is done, or before it is answered", async () => {
  const { plans: channel } = await plans();
  let release = () => {};
  const hold = () =>
    new Promise<void>((resolve) => {
      release = resolve;
    });
  it.slack.fail("chat.postMessage", { hold: hold() });
  const first = post();
  await post("C2");
  expect(channel.messages()).toHaveLength(0);
  release();
  await first;
  it.slack.fail("chat.postMessage", { hold: hold(), at: "response" });
  const second = post();
  await it.slack.until(() => channel.messages().length === 2);
  release();
  await second;
});

test("waiting in vain fails with what stands on the screens", async () => {
  await plans();
  await post();
  await expect(it.slack.until(() => false, 20)).rejects.toThrow("# plans\naskgate: a");
});

test("a change wakes those who wait", async () => {
  await plans();
  const changed = it.slack.changed();
  await post();
  await changed;
});

test("two workspaces share nothing but the port", async () => {
  await plans();
  const beta = it.slack.workspace({ id: "T2", name: "beta", domain: "beta" });
  beta.channel({ id: "C9", name: "plans", members: [beta.bot] });
  expect(await refusal(client(it.slack, beta.botToken).chat.postMessage({ channel: "C1", text: "a" }))).toBe(
    "channel_not_found",
  );
  expect(await refusal(client(it.slack, beta.botToken).chat.postMessage({ channel: "C9", text: "a" }))).toBe(
    null,
  );
  const same = it.slack.workspace({ id: "T3", name: "gamma", domain: "gamma", sameAppAs: beta });
  expect([same.appToken === beta.appToken, beta.appToken === it.acme.appToken]).toEqual([true, false]);
});

test("thousands of messages cost no more each than the first", async () => {
  const { plans: channel, ana } = await plans({ factor: Number.POSITIVE_INFINITY });
  for (let index = 0; index < 20_000; index += 1) await ana.types(channel, `m${index}`);
  const start = performance.now();
  await many(20, () => it.web.conversations.history({ channel: "C1", limit: 10 }));
  const { ts = "" } = await post();
  await many(20, () => it.web.chat.update({ channel: "C1", ts, text: "b" }));
  expect(performance.now() - start).toBeLessThan(2000);
});
