/** The end of a call to Discord's REST API, whatever stands between: a value, a refusal, a wait, or nothing known. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { Api } from "../../../src/adapters/discord/api.ts";
import { answers } from "../../../src/adapters/discord/wire.ts";
import { close, listen } from "../../doubles/shared/port.ts";

const TOKEN = "OTAwMDAwMDAwMDAwMDAwMDAx.GtestX.0123456789-abcdefghij";

type Say = (response: ServerResponse) => void;

/** A server that says to each call what comes next. */
async function opened(...says: Say[]) {
  const heard: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    heard.push({ path: request.url ?? "", headers: request.headers });
    request.resume().on("end", () => (says.shift() ?? says.at(-1) ?? fails)(response));
  });
  const baseUrl = `${await listen(server)}/api`;
  const logged: string[] = [];
  const note = (message: string, fields?: unknown) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const api = new Api({ token: TOKEN, baseUrl, log: { info: note, warn: note, error: note } });
  onTestFinished(() => {
    api.stop();
    return close(server);
  });
  return { api, heard, logged };
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Say =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const page =
  (status: number, text: string): Say =>
  (response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(text);
const breaks: Say = (response) => response.destroy();
const unauthorized = json(401, { code: 0, message: "401: Unauthorized" });
const fails = page(503, "Service Unavailable");
const done: Say = (response) => response.writeHead(204).end();

const post = (api: Api, channel = "201") =>
  api.call(
    { method: "POST", path: `/channels/${channel}/messages`, body: { content: "hello" } },
    answers.message,
  );
const press = (api: Api, token = "t") =>
  api.call(
    { method: "POST", path: `/interactions/1/${token}/callback`, body: { type: 6 }, prompt: true },
    answers.nothing,
  );
const MESSAGE = {
  id: "1",
  channel_id: "201",
  type: 0,
  author: { id: "900", username: "askgate" },
  content: "",
};
const fine = json(200, MESSAGE);
const limited = (seconds: number, scope: "user" | "shared" | "global"): Say =>
  json(
    429,
    { message: "You are being rate limited.", retry_after: seconds, global: scope === "global" },
    {
      "retry-after": String(seconds),
      "x-ratelimit-scope": scope,
      "x-ratelimit-reset-after": String(seconds),
      ...(scope === "global" && { "x-ratelimit-global": "true" }),
    },
  );

it("gives what Discord answered", async () => {
  const { api } = await opened(fine);
  expect(await post(api)).toMatchObject({ kind: "ok", value: { id: "1", channel_id: "201" } });
});

it("gives Discord's refusal, with its own code", async () => {
  const { api } = await opened(json(403, { code: 50013, message: "Missing Permissions" }));
  expect(await post(api)).toEqual({
    kind: "error",
    code: 50013,
    status: 403,
    message: "Missing Permissions",
  });
});

it.each([
  ["a broken line", breaks],
  ["a proxy's page", page(200, "<html>Sign in to the network</html>")],
  ["a proxy's refusal", page(403, "<html>Forbidden</html>")],
  ["a server error", page(502, "Bad Gateway")],
  ["a server error in JSON", json(500, { code: 0, message: "500: Internal Server Error" })],
  ["an answer without what is needed", json(200, { id: "1" })],
] as const)("does not know what became of it after %s, and tries once", async (_, say) => {
  const { api, heard } = await opened(say);
  expect(await post(api)).toMatchObject({ kind: "lost", afterMs: 1_000 });
  expect(heard).toHaveLength(1);
});

it("lets more time pass with each loss, up to half a minute, and forgets them with the first answer", async () => {
  const { api } = await opened(...Array.from({ length: 7 }, () => fails), fine, fails);
  const waits: number[] = [];
  for (let loss = 0; loss < 7; loss += 1) {
    const reply = await post(api);
    if (reply.kind === "lost") waits.push(reply.afterMs);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  await post(api);
  expect(await post(api)).toMatchObject({ kind: "lost", afterMs: 1_000 });
});

it.each(["user", "shared"] as const)(
  "calls nothing before a limit is over, in that channel, and goes on elsewhere: %s",
  async (scope) => {
    const { api, heard } = await opened(limited(219, scope), fine);
    const first = await post(api);
    expect(first.kind === "limited" ? first.afterMs : 0).toBeGreaterThan(217_000);
    expect((await post(api)).kind).toBe("limited");
    expect(heard).toHaveLength(1);
    expect(await post(api, "202")).toMatchObject({ kind: "ok" });
  },
);

it("calls nothing anywhere before a limit for everything is over, but answers presses", async () => {
  const { api, heard } = await opened(limited(30, "global"), done);
  expect((await post(api)).kind).toBe("limited");
  const elsewhere = await post(api, "202");
  expect(elsewhere.kind === "limited" ? elsewhere.afterMs : 0).toBeGreaterThan(28_000);
  expect(heard).toHaveLength(1);
  expect((await press(api)).kind).toBe("ok");
});

it("answers a press without the bot's token, and gives up before the press does", async () => {
  const { api, heard } = await opened(() => {});
  const begin = performance.now();
  expect((await press(api)).kind).toBe("lost");
  expect(performance.now() - begin).toBeLessThan(2_900);
  expect(heard[0]?.headers.authorization).toBeUndefined();
});

it("answers a press once, also when the answer to that is lost", async () => {
  const { api, heard } = await opened(breaks, done);
  expect((await press(api)).kind).toBe("lost");
  expect(heard).toHaveLength(1);
});

it("says the same of a token once it was refused, without asking", async () => {
  const { api, heard } = await opened(unauthorized);
  expect(await post(api)).toMatchObject({ kind: "error", status: 401 });
  expect(await post(api)).toMatchObject({ kind: "error", status: 401 });
  expect(heard).toHaveLength(1);
});

it("keeps a token that only a proxy refused", async () => {
  const { api } = await opened(page(401, "<html>Sign in to the network</html>"), fine);
  expect((await post(api)).kind).toBe("lost");
  expect((await post(api)).kind).toBe("ok");
});

it("lets no token into the log", async () => {
  const { api, logged } = await opened(
    json(400, { code: 0, message: `no route with ${TOKEN}` }),
    json(404, { code: 10062, message: "nothing at /interactions/1/aW50ZXJhY3Rpb24/callback" }),
    breaks,
  );
  await post(api);
  await press(api, "aW50ZXJhY3Rpb24");
  await press(api, "aW50ZXJhY3Rpb24");
  expect(logged).toHaveLength(3);
  expect(logged.join("\n")).not.toMatch(/0123456789|aW50ZXJhY3Rpb24/);
});
