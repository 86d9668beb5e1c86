/** The end of a call to Slack's Web API, whatever stands between: a value, a refusal, a wait, or nothing known. */
import nock from "nock";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Api } from "../../../src/adapters/slack/api.ts";
import { answers } from "../../../src/adapters/slack/wire.ts";
import { manualClock } from "../../doubles/manual-clock.ts";

const HOST = "https://slack.test";
const TOKEN = `xox${"b"}-1-secret-0123456789`;

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

function opened() {
  const clock = manualClock();
  const logged: string[] = [];
  const note = (message: string, fields?: unknown) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const log = { info: note, warn: note, error: note };
  const api = new Api({ token: TOKEN, baseUrl: `${HOST}/api/`, clock, log });
  return { api, clock, logged };
}

const post = (api: Api, channel = "C1") =>
  api.call("chat.postMessage", { channel, text: "hello" }, answers.posted);
const on = (method: string) => nock(HOST).post(`/api/${method}`);
const fine = { ok: true, ts: "1.1", channel: "C1" };

it("gives what Slack answered", async () => {
  on("chat.postMessage").reply(200, fine);
  expect(await post(opened().api)).toEqual({ kind: "ok", value: { ts: "1.1", channel: "C1" } });
});

it("gives Slack's refusal, with the scope that is missing and where blocks are wrong", async () => {
  const { api } = opened();
  on("chat.postMessage").reply(200, { ok: false, error: "missing_scope", needed: "chat:write" });
  expect(await post(api)).toMatchObject({ kind: "error", error: "missing_scope", needed: "chat:write" });
  const messages = ["[ERROR] must be shorter [json-pointer:/blocks/0]"];
  on("chat.postMessage").reply(200, { ok: false, error: "invalid_blocks", response_metadata: { messages } });
  expect(await post(api)).toMatchObject({ kind: "error", error: "invalid_blocks", details: messages });
});

it.each([
  ["a broken line", () => on("chat.postMessage").replyWithError("socket hang up")],
  ["a proxy's page", () => on("chat.postMessage").reply(200, "<html>Sign in to the network</html>")],
  ["a server error", () => on("chat.postMessage").reply(502, "Bad Gateway")],
  ["trouble of Slack's own", () => on("chat.postMessage").reply(200, { ok: false, error: "fatal_error" })],
  ["an answer without what is needed", () => on("chat.postMessage").reply(200, { ok: true })],
])("does not know what became of it after %s, and tries once", async (_, answer) => {
  answer();
  expect(await post(opened().api)).toMatchObject({ kind: "lost", afterMs: 1_000 });
});

it("lets more time pass with each loss, up to half a minute, and forgets them with the first answer", async () => {
  const { api } = opened();
  const waits: number[] = [];
  for (let loss = 0; loss < 7; loss += 1) {
    on("chat.postMessage").reply(503);
    const reply = await post(api);
    if (reply.kind === "lost") waits.push(reply.afterMs);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  on("chat.postMessage").reply(200, fine);
  await post(api);
  on("chat.postMessage").reply(503);
  expect(await post(api)).toMatchObject({ kind: "lost", afterMs: 1_000 });
});

it("calls nothing before Retry-After is over: for posts in that channel, for the rest of that method", async () => {
  const { api, clock } = opened();
  on("chat.postMessage").reply(429, {}, { "retry-after": "3" });
  expect(await post(api)).toEqual({ kind: "limited", afterMs: 3_000 });
  clock.advance(1_000);
  expect(await post(api)).toEqual({ kind: "limited", afterMs: 2_000 });
  on("chat.postMessage").reply(200, fine);
  expect(await post(api, "C2")).toMatchObject({ kind: "ok" });
  on("chat.update").reply(200, fine);
  expect(await api.call("chat.update", { channel: "C1", ts: "1.1" }, answers.nothing)).toMatchObject({
    kind: "ok",
  });
  clock.advance(2_000);
  on("chat.postMessage").reply(200, fine);
  expect(await post(api)).toMatchObject({ kind: "ok" });
});

it("waits for a form no longer than its trigger lives", async () => {
  const { api } = opened();
  on("views.open").delay(4_000).reply(200, { ok: true });
  const begin = performance.now();
  const reply = await api.call("views.open", { trigger_id: "t" }, answers.nothing, { prompt: true });
  expect(reply.kind).toBe("lost");
  expect(performance.now() - begin).toBeLessThan(3_500);
});

it("lets no token into the log", async () => {
  const { api, logged } = opened();
  on("chat.postMessage").replyWithError(`no route with ${TOKEN}`);
  on("chat.postMessage").reply(200, { ok: false, error: "invalid_auth" });
  await post(api);
  await post(api);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join("\n")).not.toContain("secret-0123456789");
});
