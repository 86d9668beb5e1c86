/**
 * `askgate mcp` as a process of the official client, on a real bot. Runs what `npm run build` made. One answer takes five
 * minutes on real time, where the client's limit is 60 seconds; the others of that kind wait on a manual clock
 * (test/adapters/agents/mcp-time.test.ts).
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/adapters/link/client.ts";
import { MAIN, openWorkshop, press, type Workshop } from "../cli/askgate.ts";
import { until } from "../support/until.ts";

let shop: Workshop;
let gate: Client;
beforeAll(async () => {
  shop = openWorkshop();
  await shop.run(["bot", "start"]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await shop.close();
});

const OUTCOME = z.looseObject({ status: z.string(), round: z.string() });

const WEB = { question: "Web or terminal?", options: ["Web", "Terminal"] };
const late = { late: [expect.objectContaining({ status: "submitted", answer: "Both" })] };

/** An agent in this process; `said` is what its server wrote to standard error. */
async function connect(cwd: string, how: { name?: string; env?: Record<string, string> } = {}) {
  const wire = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp"],
    cwd,
    env: shop.env(how.env),
    stderr: "pipe",
  });
  let said = "";
  wire.stderr?.on("data", (text) => {
    said += text;
  });
  const client = new McpClient({ name: how.name ?? "claude-code", version: "2.1.300" });
  await client.connect(wire);
  await client.listTools();
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<unknown> =>
    (await client.callTool({ name, arguments: given })).structuredContent;
  return { client, wire, call, said: () => said };
}

/** An agent that can be killed, in the middle of one call. */
function startAgent(cwd: string, given: Record<string, unknown>) {
  const about = { name: "claude-code", main: MAIN, cwd, env: shop.env(), tool: "ask", given };
  const child = spawn(process.execPath, ["test/e2e/mcp-client.mjs", JSON.stringify(about)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The question that is open in a project. */
const openRound = (project: string): Promise<string> =>
  until(async () => {
    const sessions = await gate.list(project);
    return sessions.flatMap(({ rounds }) => rounds).find(({ status }) => status === "open")?.round ?? false;
  });

const answer = async (project: string): Promise<void> =>
  press(gate, await openRound(project), "answer", { words: "Both" });

const idle = () => until(async () => (await gate.health()).waiting === 0);

describe("a client with its own limit of 60 seconds, and no signs of life", () => {
  it("gets an answer that takes five minutes, once", async () => {
    const project = shop.project();
    const { call } = await connect(project);
    const asked = call("ask", WEB);
    const later = realTime(300_000).then(() => answer(project));
    let waited = OUTCOME.parse(await asked);
    const { round } = waited;
    while (waited.status === "pending") waited = OUTCOME.parse(await call("wait", { round }));
    expect(waited).toMatchObject({ status: "submitted", answer: "Both", round });
    await later;
    expect(await call("inbox")).toMatchObject({ late: [] });
  }, 400_000);
});

describe("a client that is killed while it waits", () => {
  it("finds its question again with the same call, and nobody is asked twice", async () => {
    const project = shop.project();
    const agent = startAgent(project, WEB);
    const round = await openRound(project);
    agent.kill("SIGKILL");
    await idle();
    const { call } = await connect(project);
    const again = call("ask", WEB);
    await answer(project);
    expect(await again).toMatchObject({ status: "submitted", answer: "Both", round });
    expect(await call("inbox")).toMatchObject({ late: [] });
  });

  it("is given the answer that came meanwhile with whatever it calls next, once", async () => {
    const project = shop.project();
    const agent = startAgent(project, { ...WEB, on_cancel: "close" });
    await openRound(project);
    agent.kill("SIGKILL");
    await idle();
    await answer(project);
    const { call } = await connect(project);
    expect(await call("inbox")).toMatchObject(late);
    expect(await call("inbox")).toMatchObject({ late: [] });
  });
});

describe("a call that is cancelled", () => {
  const cancel = async (project: string, given: Record<string, unknown>) => {
    const connected = await connect(project);
    const stop = new AbortController();
    const asked = connected.client.callTool({ name: "ask", arguments: given }, undefined, {
      signal: stop.signal,
    });
    const ended = expect(asked).rejects.toThrow();
    await openRound(project);
    stop.abort("Escape");
    await ended;
    return connected;
  };

  it("leaves the question open; its answer comes with the next call", async () => {
    const project = shop.project();
    const { call } = await cancel(project, WEB);
    await answer(project);
    expect(await call("say", { text: "going on" })).toMatchObject({ said: true, ...late });
  });

  it("closes it where that was asked for", async () => {
    const project = shop.project();
    await cancel(project, { ...WEB, on_cancel: "close" });
    await until(async () => (await gate.list(project))[0]?.rounds[0]?.status === "cancelled");
  });
});

describe("two agents in one project", () => {
  it("do not get each other's answers, and each finds its own again", async () => {
    const project = shop.project();
    const one = await connect(project);
    const other = await connect(project);
    const pending = { wait_seconds: 0 };
    await one.call("ask", { question: "Mine?", ...pending });
    await other.call("ask", { question: "Yours?", ...pending });
    const sessions = await gate.list(project);
    expect(sessions).toHaveLength(2);
    const mine = sessions.flatMap(({ rounds }) => rounds).find(({ title }) => title === "Mine?");
    await press(gate, mine?.round ?? "", "answer", { words: "Both" });
    expect(await other.call("inbox")).toMatchObject({ late: [] });
    await one.client.close();
    const again = await connect(project);
    expect(await again.call("inbox")).toMatchObject(late);
  });

  it("share a session that they name", async () => {
    const project = shop.project();
    const env = { ASKGATE_SESSION: "shared" };
    const one = await connect(project, { env });
    const other = await connect(project, { env, name: "codex-mcp-client" });
    await one.call("ask", { question: "Mine?", wait_seconds: 0 });
    await other.call("ask", { question: "Yours?", wait_seconds: 0 });
    expect(await gate.list(project)).toMatchObject([{ name: "shared", rounds: [{}, {}] }]);
  });
});

describe("what stays in the project", () => {
  const brief = "## Goal\nA login.\n\n## Acceptance criteria\nIt works.\n\n## Boundaries\nNo SSO.\n\n";

  it("is the brief, once it is complete", async () => {
    const project = shop.project();
    const { call } = await connect(project);
    expect(await call("brief_submit", { markdown: brief })).toEqual({
      complete: false,
      missing: ["Unknowns and assumptions"],
    });
    expect(existsSync(join(project, ".askgate"))).toBe(false);
    const whole = `${brief}## Unknowns and assumptions\nNone.\n`;
    expect(await call("brief_submit", { markdown: whole })).toMatchObject({
      complete: true,
      file: ".askgate/brief.md",
    });
    expect(readFileSync(join(project, ".askgate/brief.md"), "utf8")).toContain("No SSO.");
  });

  it("is each question with its answer", async () => {
    const project = shop.project();
    const { call } = await connect(project);
    const asked = call("ask", WEB);
    await answer(project);
    await asked;
    expect(readFileSync(join(project, ".askgate/qa.md"), "utf8")).toMatch(
      /\*\*Q\*\* Web or terminal\?.+\*\*A\*\* Both/s,
    );
  });
});

describe("the process", () => {
  it("works without a bot, in the project that the agent names", async () => {
    const project = shop.project();
    await shop.run(["bot", "stop"]);
    const { call } = await connect(shop.project(), { env: { CLAUDE_PROJECT_DIR: project } });
    expect(await call("ask", { ...WEB, wait_seconds: 0 })).toMatchObject({ status: "pending" });
    expect(await gate.list(project)).toMatchObject([{ agent: "Claude" }]);
  });

  it("ends when its input does: exit 0, and nothing but the protocol on standard output", async () => {
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    };
    const ended = await shop.run(["mcp"], { input: `${JSON.stringify(hello)}\n` });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const lines = ended.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{ id: 1, result: { serverInfo: { name: "askgate" } } }]);
  });

  it("explains how agents are told of it", async () => {
    const { stdout, code } = await shop.run(["mcp", "--help"]);
    expect(code).toBe(0);
    for (const agent of ["Claude Code", "Codex", "Gemini CLI", "OpenCode"]) expect(stdout).toContain(agent);
  });

  it("refuses a setting that is wrong as an error of the call, with what to do", async () => {
    const { client } = await connect(shop.project());
    const { isError, content } = await client.callTool({
      name: "ask",
      arguments: { ...WEB, timeout: "soon" },
    });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("wants a time such as 30m");
  });
});
