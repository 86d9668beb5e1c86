import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Client, connect } from "../../../src/adapters/link/client.ts";
import { recordedSocket } from "../../../src/adapters/link/paths.ts";
import { systemClock } from "../../../src/adapters/shared/clock.ts";
import { openLog } from "../../../src/adapters/shared/log.ts";
import { openVault } from "../../../src/adapters/shared/vault.ts";
import { AskgateError } from "../../../src/core/error.ts";
import type { Check } from "../../../src/core/surface.ts";
import { ACME, BETA, openTeams, type Team, tokensOf } from "../../doubles/teams.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { type Bot, type BotOptions, planRequest, startBot, VERSIONS } from "./support.ts";

let stateDir = "";
beforeEach(() => {
  stateDir = temporaryFolder();
});

async function bot(more: Partial<BotOptions> = {}): Promise<Bot> {
  const started = await startBot({ stateDir, ...more });
  onTestFinished(() => started.end());
  return started;
}

async function command(): Promise<Client> {
  const client = await connect({ stateDir, start: false, versions: VERSIONS });
  onTestFinished(() => client.close());
  return client;
}

const kept = () => openVault(stateDir, () => {}).list("slack");

const rotated: Team = { ...ACME, tokens: { bot: "xoxb-9-acme", app: "xapp-9-acme" } };

describe("connecting", () => {
  test("gives what the platform calls it, and keeps it", async () => {
    await bot({ teams: openTeams(ACME, BETA) });
    const { connections } = await command();
    const acme = { surface: "slack", connection: "T1", label: "acme (bot askgate)", me: null };
    expect(await connections.connect(tokensOf(ACME))).toEqual(acme);
    await connections.connect(tokensOf(BETA));
    expect(await connections.list()).toMatchObject([acme, { connection: "T2" }]);
    expect(kept()).toMatchObject({
      T1: { credentials: tokensOf(ACME) },
      T2: { label: "beta (bot askgate)" },
    });
  });

  test("with tokens that are refused says what to do, and keeps nothing", async () => {
    await bot({ teams: openTeams(ACME) });
    const { connections } = await command();
    const refused = connections.connect({ ...tokensOf(ACME), tokens: { bot: "xoxb-no", app: "xapp-no" } });
    await expect(refused).rejects.toMatchObject({ code: "connection_refused", help: /setup slack/ });
    expect(kept()).toEqual({});
  });

  test("to a platform that the bot does not know is refused", async () => {
    await bot();
    const { connections } = await command();
    const discord = { surface: "discord" as const, tokens: { bot: "x" }, baseUrl: null };
    await expect(connections.connect(discord)).rejects.toMatchObject({ code: "unknown_connection" });
  });
});

describe("pairing", () => {
  test("is asked by a button, and done once it is pressed", async () => {
    const teams = openTeams(ACME);
    await bot({ teams, clock: systemClock });
    const { connections } = await command();
    await connections.connect(tokensOf(ACME));
    const { pairing, name } = await connections.pair({ surface: "slack", connection: "T1", who: "@ana" });
    expect({ name, asked: teams.asked }).toEqual({ name: "Ana", asked: ["Ana"] });
    const body = { surface: "slack", pairing } as const;
    expect(await connections.paired({ ...body, patienceMs: 0 })).toBe(false);
    const paired = connections.paired({ ...body, patienceMs: 20_000 });
    teams.press();
    expect(await paired).toBe(true);
    expect(await connections.list()).toMatchObject([{ me: "Ana" }]);
  });

  test("of somebody who is not there, or on no connection, is refused", async () => {
    await bot({ teams: openTeams(ACME) });
    const { connections } = await command();
    await connections.connect(tokensOf(ACME));
    const who = { surface: "slack", connection: "T1", who: "@nobody" } as const;
    await expect(connections.pair(who)).rejects.toMatchObject({ code: "not_found" });
    await expect(connections.pair({ ...who, connection: "T9" })).rejects.toMatchObject({
      code: "unknown_connection",
    });
  });
});

describe("checks", () => {
  const look = async (client: Client, connection: string, to: string[] = []): Promise<Check[]> => {
    const found: Check[] = [];
    for await (const check of client.connections.check({ surface: "slack", connection, to }))
      found.push(check);
    return found;
  };

  test("come one after the other, with the places that were named", async () => {
    await bot({ teams: openTeams(ACME) });
    const client = await command();
    await client.connections.connect(tokensOf(ACME));
    expect(await look(client, "T1", ["#plans", "#secret"])).toMatchObject([
      { name: "bot token", state: "ok" },
      { name: "direct messages", state: "skipped" },
      { name: "#plans", state: "ok" },
      { name: "#secret", state: "failed", help: "/invite @askgate" },
    ]);
  });

  test("of a connection that is not there are refused", async () => {
    await bot();
    await expect(look(await command(), "T1")).rejects.toMatchObject({ code: "unknown_connection" });
  });
});

describe("a round with credentials", () => {
  const ask = (more: object = {}) => planRequest({ via: ["slack"], to: ["#plans"], ...more });

  test("is asked on the connection that they belong to, which is made once", async () => {
    const teams = openTeams(ACME, BETA);
    await bot({ teams });
    const agent = await command();
    const twice = [ask(), ask({ project: "/home/ana/other" })];
    await Promise.all(twice.map((request) => agent.open(request, [tokensOf(BETA)])));
    await agent.open(ask({ project: "/home/ana/third" }), [tokensOf(ACME)]);
    await agent.open(ask({ project: "/home/ana/fourth" }), [tokensOf(BETA)]);
    expect(teams.tried).toEqual(["xoxb-2-beta", "xoxb-1-acme"]);
    expect(new Set(teams.posts)).toEqual(new Set(["T2 #plans", "T1 #plans"]));
  });

  test("needs none after a restart: the bot has kept them", async () => {
    const first = await bot({ teams: openTeams(ACME) });
    await (await command()).open(ask(), [tokensOf(ACME)]);
    await first.end();
    const teams = openTeams(ACME);
    await bot({ teams });
    const agent = await command();
    expect(await agent.open(ask({ project: "/home/ana/other" }))).toMatchObject({ result: null });
    expect(teams.tried).toEqual(["xoxb-1-acme"]);
  });

  test("whose token was rotated replaces the one that is kept", async () => {
    const first = await bot({ teams: openTeams(ACME) });
    const agent = await command();
    await agent.open(ask(), [tokensOf(ACME)]);
    await first.end();
    await bot({ teams: openTeams(rotated) });
    const opened = await agent.open(ask({ project: "/home/ana/other" }), [tokensOf(rotated)]);
    expect(opened).toMatchObject({ result: null });
    expect(await agent.connections.list()).toHaveLength(1);
    expect(kept()).toMatchObject({ T1: { credentials: tokensOf(rotated) } });
  });

  test("that are refused is asked where else it can be, with a note", async () => {
    await bot({ teams: openTeams() });
    const opened = await (await command()).open(ask({ via: ["slack", "terminal"] }), [tokensOf(ACME)]);
    expect(opened).toMatchObject({
      result: null,
      notes: ["slack: the tokens were refused (invalid_auth) Copy both tokens again: askgate setup slack"],
    });
  });

  test("that are refused, with nothing else left, reaches nobody and says what to do", async () => {
    await bot({ teams: openTeams() });
    expect(await (await command()).open(ask(), [tokensOf(ACME)])).toMatchObject({
      result: {
        status: "unreachable",
        reason: "slack: the tokens were refused (invalid_auth)",
        help: "Copy both tokens again: askgate setup slack",
      },
    });
  });

  test("chooses a team by name or id where it brings no tokens of its own", async () => {
    const teams = openTeams(ACME, BETA);
    await bot({ teams });
    const agent = await command();
    await agent.connections.connect(tokensOf(ACME));
    await agent.connections.connect(tokensOf(BETA));
    await agent.open(ask({ connections: { slack: "Beta" } }));
    await agent.open(ask({ connections: { slack: "T1" }, project: "/home/ana/other" }));
    expect(teams.posts).toEqual(expect.arrayContaining(["T2 #plans", "T1 #plans"]));
    const gamma = await agent.open(ask({ connections: { slack: "gamma" }, project: "/home/ana/third" }));
    expect(gamma.result).toMatchObject({
      status: "unreachable",
      reason: "slack has no connection to gamma",
      help: "Connections: acme (bot askgate) (T1), beta (bot askgate) (T2).",
    });
  });

  test("on a bot without any connection is told how to begin", async () => {
    await bot();
    expect((await (await command()).open(ask())).result).toMatchObject({
      reason: "slack is not configured",
      help: "Connect: askgate setup slack",
    });
  });
});

describe("a command of link 1", () => {
  test("says nothing of connections or files, and is served", async () => {
    await bot();
    const { connections: _, ...older } = planRequest();
    expect(await post("/open", older)).toMatchObject({ status: 200, body: { result: null } });
  });
});

describe("a secret", () => {
  test("reaches no log and no answer, whatever fails", async () => {
    const log = openLog({ dir: stateDir, name: "bot.log" });
    const teams = openTeams(ACME);
    await bot({ teams, log });
    const agent = await command();
    const answers: unknown[] = [await agent.connections.connect(tokensOf(ACME))];
    const wrong = {
      ...tokensOf(ACME),
      tokens: { bot: "xoxb-0123456789-secret", app: "xapp-0123456789-secret" },
    };
    answers.push(await agent.connections.connect(wrong).catch(asData));
    answers.push(await agent.open(planRequest({ via: ["slack"] }), [wrong]));
    answers.push(await post("/connect", { credentials: { ...wrong, surface: "xoxb-secret" } }));
    answers.push(await post("/connect", '{"credentials": xoxb-secret'));
    teams.gate = Promise.reject(new TypeError(`no network for ${wrong.tokens.bot}`));
    teams.gate.catch(() => {});
    answers.push(await agent.connections.connect(wrong).catch(asData));
    answers.push(await agent.open(planRequest({ via: ["slack", "terminal"] }), [wrong]));
    expect(answers).toHaveLength(7);
    log.warn("the last line", {});
    await log.close();
    const lines = readFileSync(log.path, "utf8");
    expect(lines).toContain("no network for [secret]");
    expect(lines + JSON.stringify(answers)).not.toMatch(/xoxb-|xapp-/);
  });
});

/** All of an error that could be shown. */
function asData(value: unknown): unknown {
  if (value instanceof AskgateError) return [value.message, value.help, value.fields];
  if (value instanceof Error) return [value.message, value.stack];
  return value;
}

function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const socketPath = recordedSocket(stateDir) ?? "";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ socketPath, path, method: "POST" }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sent.once("error", reject).end(text);
  });
}
