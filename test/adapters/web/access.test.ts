import { statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { send } from "../../support/http.ts";
import { LOGIN } from "../../support/login.ts";
import { ask, type Bot, ground, startBot } from "../../support/web.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function onLogin() {
  const bot = await startBot();
  const { session, round } = await ask(bot, "clarity", LOGIN);
  return { bot, session, round, port: bot.web.port };
}

/** The cookie that a link gives, as a browser sends it back. */
async function enter(bot: Bot, session: string): Promise<string> {
  const secret = new URL(bot.web.page(session).url).hash.split(".")[1];
  const body = JSON.stringify({ session, secret });
  const reply = await send(bot.web.port, "/enter", { method: "POST", headers: JSON_TYPE, body });
  expect(reply.status).toBe(204);
  return reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

const press = (round: string, value = "o0") =>
  JSON.stringify({
    id: crypto.randomUUID(),
    button: `v1:st:pick:${round}:0:d0`,
    values: [value],
    words: null,
  });

test("a ticket opens the session once, with a cookie for this session and nothing else", async () => {
  const { bot, session, port } = await onLogin();
  const ticket = new URL(bot.web.page(session).open ?? "").pathname;
  const first = await send(port, ticket);
  expect(first.status).toBe(303);
  expect(first.headers.location).toBe(`/s/${session}`);
  const cookie = first.headers["set-cookie"]?.[0] ?? "";
  expect(cookie).toContain(`askgate_${session}=`);
  for (const part of ["HttpOnly", "SameSite=Strict", `Path=/s/${session};`]) expect(cookie).toContain(part);
  const second = await send(port, ticket);
  expect(second.status).toBe(410);
  expect(second.headers["set-cookie"]).toBeUndefined();
});

test("a ticket is of no use after a minute", async () => {
  let time = 1_000_000;
  const bot = await startBot(ground(), () => time);
  const { session } = await ask(bot, "clarity", LOGIN);
  const [early, late] = [bot.web.page(session), bot.web.page(session)].map(
    ({ open }) => new URL(open ?? "").pathname,
  );
  time += 59_000;
  expect((await send(bot.web.port, early ?? "")).status).toBe(303);
  time += 2_000;
  expect((await send(bot.web.port, late ?? "")).status).toBe(410);
});

test("the printed link has its secret in the fragment, and no ticket", async () => {
  const { bot, session } = await onLogin();
  const { url, open } = bot.web.page(session);
  const link = new URL(url);
  expect(link.origin).toBe(`http://127.0.0.1:${bot.web.port}`);
  expect(link.pathname + link.search).toBe("/");
  expect(link.hash).toMatch(new RegExp(`^#${session}\\.[\\w-]{43}$`));
  expect(open).not.toContain(link.hash.slice(1).split(".")[1]);
});

test("a wrong secret, or that of another session, opens nothing", async () => {
  const { bot, session, port } = await onLogin();
  const other = new URL(bot.web.page("s_other").url).hash.split(".")[1];
  for (const secret of ["", "x".repeat(43), other]) {
    const body = JSON.stringify({ session, secret });
    const reply = await send(port, "/enter", { method: "POST", headers: JSON_TYPE, body });
    expect([reply.status, reply.headers["set-cookie"]]).toEqual([401, undefined]);
  }
});

test("nothing is streamed or taken without the session's own cookie", async () => {
  const { bot, session, round, port } = await onLogin();
  const [mine, other] = [await enter(bot, session), await enter(bot, "s_other")];
  const stolen = mine.split("=")[1] ?? "";
  for (const cookie of [undefined, other, `askgate_${session}=${stolen}x`, `askgate_${session}=`]) {
    const headers = { ...JSON_TYPE, ...(cookie === undefined ? {} : { cookie }) };
    expect((await send(port, `/s/${session}/stream`, { headers })).status).toBe(401);
    const act = await send(port, `/s/${session}/act`, { method: "POST", headers, body: press(round) });
    expect(act.status).toBe(401);
  }
  expect((await bot.engine.show(session)).rounds).toMatchObject([{ picks: {} }]);
  expect(
    (
      await send(port, `/s/s_other/act`, {
        method: "POST",
        headers: { ...JSON_TYPE, cookie: mine },
        body: press(round),
      })
    ).status,
  ).toBe(401);
});

test("a press is taken with the cookie, and a repeated one once", async () => {
  const { bot, session, round, port } = await onLogin();
  const headers = { ...JSON_TYPE, cookie: await enter(bot, session) };
  const body = press(round, "o1");
  for (const _time of [1, 2]) {
    const reply = await send(port, `/s/${session}/act`, { method: "POST", headers, body });
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { kind: "done" }]);
  }
  expect((await bot.engine.show(session)).rounds).toMatchObject([{ rev: 1 }]);
});

test("a button of another session is refused by the gate itself", async () => {
  const { bot, session, port } = await onLogin();
  const other = await ask(bot, "clarity", { ...LOGIN, title: "Other" }, { project: "/other" });
  const headers = { ...JSON_TYPE, cookie: await enter(bot, session) };
  const reply = await send(port, `/s/${session}/act`, { method: "POST", headers, body: press(other.round) });
  expect(JSON.parse(reply.text)).toMatchObject({ kind: "word", code: "unknown_button" });
});

test.each([
  "evil.example",
  "evil.example:80",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "192.168.1.7:4000",
  "[::2]",
])("a request for the host %j is refused", async (host) => {
  const { port, session } = await onLogin();
  for (const path of ["/", `/s/${session}`, "/assets/page.js"]) {
    expect((await send(port, path, { headers: { host } })).status).not.toBe(200);
  }
});

test.each(["localhost", "localhost:9999", "127.0.0.1:1", "127.8.9.10:4000", "[::1]:8080", "LOCALHOST:5"])(
  "a request for the loopback name %j is served, from a page of that very name",
  async (host) => {
    const { bot, session, round, port } = await onLogin();
    const cookie = await enter(bot, session);
    const headers = { ...JSON_TYPE, cookie, host, origin: `http://${host}` };
    const reply = await send(port, `/s/${session}/act`, { method: "POST", headers, body: press(round) });
    expect(reply.status).toBe(200);
  },
);

test("a page of another origin is refused, on this machine too, and so is a request from one", async () => {
  const { bot, session, round, port } = await onLogin();
  const cookie = await enter(bot, session);
  const host = `127.0.0.1:${port}`;
  const foreign = [
    { origin: "https://evil.example" },
    { origin: "http://localhost:3000" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const more of foreign) {
    const headers = { ...JSON_TYPE, cookie, host, ...more };
    const reply = await send(port, `/s/${session}/act`, { method: "POST", headers, body: press(round) });
    expect(reply.status).toBe(403);
    expect((await send(port, `/s/${session}/stream`, { headers })).status).toBe(403);
  }
  expect((await bot.engine.show(session)).rounds).toMatchObject([{ picks: {} }]);
});

test("every answer forbids scripts of others, frames, guesses, referrers and caches", async () => {
  const { port, session } = await onLogin();
  for (const path of [
    "/",
    `/s/${session}`,
    "/assets/page.js",
    "/assets/page.css",
    "/t/none",
    "/nowhere",
    `/s/${session}/stream`,
  ]) {
    const { headers } = await send(port, path);
    const policy = headers["content-security-policy"];
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain("unsafe");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("too long a body is refused before it is parsed, whether it says how long it is or not", async () => {
  const { bot, session, port } = await onLogin();
  const headers = { ...JSON_TYPE, cookie: await enter(bot, session) };
  const body = Buffer.alloc(300 * 1024, 0x20);
  const said = await send(port, `/s/${session}/act`, { method: "POST", headers, body });
  const chunked = await send(port, `/s/${session}/act`, {
    method: "POST",
    headers: { ...headers, "transfer-encoding": "chunked" },
    body,
  });
  expect([said.status, chunked.status]).toEqual([413, 413]);
});

test("a stranger's body is not read at all", async () => {
  const { session, port } = await onLogin();
  const headers = { ...JSON_TYPE, "content-length": String(200 * 1024 * 1024) };
  const reply = await send(port, `/s/${session}/act`, { method: "POST", headers, body: "{" }, true);
  expect(reply.status).toBe(401);
});

test.each([
  ["no JSON", "{", JSON_TYPE, 400],
  [
    "another shape",
    JSON.stringify({ id: "x".repeat(20), button: "b", values: "o0", words: null }),
    JSON_TYPE,
    400,
  ],
  [
    "unknown keys",
    JSON.stringify({
      id: "x".repeat(20),
      button: "b",
      values: [],
      words: null,
      actor: { id: "slack:T1/U1" },
    }),
    JSON_TYPE,
    400,
  ],
  ["a form of another site", "a=b", { "content-type": "application/x-www-form-urlencoded" }, 415],
])("a press that is %s is refused", async (_what, body, type, status) => {
  const { bot, session, port } = await onLogin();
  const headers = { ...type, cookie: await enter(bot, session) };
  expect((await send(port, `/s/${session}/act`, { method: "POST", headers, body })).status).toBe(status);
});

test("nothing else is there", async () => {
  const { port, session } = await onLogin();
  for (const path of [
    "/assets/../web.json",
    "/assets/%2e%2e/web.json",
    "/web.json",
    "/s/",
    "/s/a/b",
    "/assets/other.js",
    "//evil.example/",
  ]) {
    expect((await send(port, path)).status).toBe(404);
  }
  expect((await send(port, `/s/${session}`, { method: "PUT" })).status).toBe(404);
  expect((await send(port, "/", { method: "OPTIONS" })).status).toBe(404);
});

test("the cookie of a session that is not known any more gets a plain answer", async () => {
  const { bot, port } = await onLogin();
  const cookie = await enter(bot, "s_gone");
  expect((await send(port, "/s/s_gone/stream", { headers: { cookie } })).status).toBe(404);
});

test("port and key are kept for the user alone, and a restarted bot knows its cookies", async () => {
  const on = ground();
  const bot = await startBot(on);
  const { session } = await ask(bot, "clarity", LOGIN);
  const cookie = await enter(bot, session);
  expect(statSync(join(on.stateDir, "web.json")).mode & 0o777).toBe(0o600);
  await bot.stop();
  const again = await startBot(on);
  expect(again.web.port).toBe(bot.web.port);
  const reply = await send(again.web.port, `/s/${session}/stream`, { headers: { cookie } }, true);
  expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
});

test("another free port is used only where the kept one is taken", async () => {
  const on = ground();
  const bot = await startBot(on);
  const { port } = bot.web;
  await bot.stop();
  const squatter = createServer().listen(port, "127.0.0.1");
  onTestFinished(() => new Promise((resolve) => squatter.close(() => resolve())));
  await new Promise((resolve) => squatter.once("listening", resolve));
  const again = await startBot(on);
  expect(again.web.port).not.toBe(port);
  expect((await send(again.web.port, "/")).status).toBe(200);
});
