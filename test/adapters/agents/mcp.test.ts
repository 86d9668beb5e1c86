/** What each tool takes and gives. The official client checks every result against the schema that the tool promises. */
import { describe, expect, it } from "vitest";
import { AskgateError } from "../../../src/core/error.ts";
import { press } from "../../cli/askgate.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { call, connected, openRound, type Stage } from "./mcp-stage.ts";

const now = { wait_seconds: 0 };

/** Presses what ends the only open question. */
async function settle(stage: Stage, title: string, verb: Parameters<typeof press>[2]): Promise<void> {
  await press(stage.engine, await openRound(stage, title), verb);
}

describe("the server", () => {
  it("says who it is, and when to ask", async () => {
    const { client } = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: "askgate", version: "1.2.3" });
    expect(client.getInstructions()).toMatch(/Ask before you guess.+wait_seconds/s);
  });

  it("lists its tools, with titles and schemas", async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "ask",
      "clarify",
      "review_plan",
      "request_permission",
      "wait",
      "inbox",
      "say",
      "brief_submit",
    ]);
    for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(title).toBeTruthy();
      expect(description).toBeTruthy();
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean) });
    }
  });

  it("knows no other tool", async () => {
    const { client } = await connected();
    await expect(client.callTool(call("guess"))).rejects.toThrow("There is no tool guess");
  });
});

describe("ask", () => {
  const WEB = { question: "Web or terminal?", options: ["Web", "Terminal"] };

  it("gives the answer, as data and in words", async () => {
    const { stage, client } = await connected();
    const asked = client.callTool(call("ask", WEB));
    await press(stage.engine, await openRound(stage, "Web"), "answer", { words: "Both" });
    const { structuredContent, content, isError } = await asked;
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({
      mode: "ask",
      status: "submitted",
      answer: "Both",
      option: null,
      by: "ana",
      concluded: true,
    });
    const text = `Answered by ana in the browser.\n${JSON.stringify(structuredContent)}`;
    expect(content).toEqual([{ type: "text", text }]);
  });

  it("that is skipped is a result, not an error", async () => {
    const { stage, client } = await connected();
    const asked = client.callTool(call("ask", WEB));
    await settle(stage, "Web", "skip");
    const { structuredContent, isError } = await asked;
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ status: "declined", advice: expect.any(String) });
  });

  it("past its deadline is a result, and wait goes on past it", async () => {
    const { stage, client } = await connected();
    const asked = client.callTool(call("ask", { ...WEB, wait_seconds: 3600 }), undefined, { timeout: 4e6 });
    await stage.pass(31 * 60);
    const { structuredContent, isError } = await asked;
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ status: "timeout" });
    const round = await openRound(stage, "Web");
    const wait = client.callTool(call("wait", { round }));
    await settle(stage, "Web", "skip");
    expect((await wait).structuredContent).toMatchObject({ status: "declined", round });
  });

  it("tells where people answer while it is pending", async () => {
    const { client } = await connected();
    const { structuredContent } = await client.callTool(call("ask", { ...WEB, ...now }));
    expect(structuredContent).toMatchObject({ status: "pending", links: [{ surface: "web" }] });
    expect(JSON.stringify(structuredContent)).not.toContain("http://page/t");
  });

  it("asks several at once, each answered by its own", async () => {
    const { stage, client } = await connected();
    const first = client.callTool(call("ask", { question: "First?" }));
    const second = client.callTool(call("ask", { question: "Second?" }));
    await press(stage.engine, await openRound(stage, "Second"), "answer", { words: "two" });
    const ended = (await second).structuredContent;
    await press(stage.engine, await openRound(stage, "First"), "answer", { words: "one" });
    expect(ended).toMatchObject({ answer: "two" });
    expect((await first).structuredContent).toMatchObject({ answer: "one" });
    expect((await first).structuredContent).not.toHaveProperty("late");
  });

  it("names every mistake in its arguments", async () => {
    const { client } = await connected();
    const { structuredContent, isError } = await client.callTool(
      call("ask", { question: " ", wait_seconds: -1, colour: "red" }),
    );
    expect(isError).toBe(true);
    const paths = { issues: expect.arrayContaining([expect.objectContaining({ path: "question" })]) };
    expect(structuredContent).toMatchObject({ status: "invalid", ...paths });
    expect(JSON.stringify(structuredContent)).toMatch(/colour.+wait_seconds|wait_seconds.+colour/);
  });

  it("that nobody can be asked is an error, with what to do", async () => {
    const refused = new AskgateError("unreachable", "No bot is running.", { help: "askgate bot start" });
    const { client } = await connected({ open: () => Promise.reject(refused) });
    const { structuredContent, isError, content } = await client.callTool(call("ask", WEB));
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ status: "unreachable", help: "askgate bot start" });
    expect(JSON.stringify(content)).toContain("No bot is running.");
  });
});

describe("clarify", () => {
  it("gives one item for each decision", async () => {
    const { stage, client } = await connected();
    const asked = client.callTool(call("clarify", LOGIN));
    await settle(stage, "Login", "accept");
    await settle(stage, "Login", "send");
    const { structuredContent } = await asked;
    expect(structuredContent).toMatchObject({
      status: "submitted",
      result: [
        { decisionId: "auth", optionId: "magic" },
        { decisionId: "session", optionId: "day" },
      ],
    });
  });

  it("names mistakes that are between its parts", async () => {
    const { client } = await connected();
    const [decision] = LOGIN.decisions;
    const twice = { ...LOGIN, decisions: [decision, decision] };
    const { structuredContent, isError } = await client.callTool(call("clarify", twice));
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ issues: [{ path: "decisions[1].id" }] });
  });
});

describe("review_plan", () => {
  it("gives the verdict", async () => {
    const { stage, client } = await connected();
    const asked = client.callTool(call("review_plan", PLAN));
    await settle(stage, "Login flow", "approve");
    const { structuredContent, content } = await asked;
    expect(structuredContent).toMatchObject({ status: "submitted", decision: "approve", annotations: [] });
    expect(JSON.stringify(content)).toContain("Approved by ana");
  });
});

describe("request_permission", () => {
  const DEPLOY = { title: "Deploy", command: "make deploy" };

  it("says whether it may be done", async () => {
    const { stage, client } = await connected();
    const asked = client.callTool(call("request_permission", DEPLOY));
    await settle(stage, "Deploy", "allow");
    expect((await asked).structuredContent).toMatchObject({ status: "submitted", decision: "allow" });
  });

  it("that is denied is a result, not an error", async () => {
    const { stage, client } = await connected();
    const asked = client.callTool(call("request_permission", DEPLOY));
    await settle(stage, "Deploy", "deny");
    const { structuredContent, isError, content } = await asked;
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ status: "declined", decision: "deny" });
    expect(JSON.stringify(content)).toContain("do not do it");
  });
});

describe("wait", () => {
  it("gives an outcome any number of times", async () => {
    const { stage, client } = await connected();
    await client.callTool(call("ask", { question: "First?", ...now }));
    const round = await openRound(stage, "First");
    await press(stage.engine, round, "answer", { words: "one" });
    for (const _ of [1, 2]) {
      const { structuredContent } = await client.callTool(call("wait", { round }));
      expect(structuredContent).toMatchObject({ status: "submitted", answer: "one" });
    }
  });

  it("on a round that nobody knows is an error", async () => {
    const { client } = await connected();
    const { isError, content } = await client.callTool(call("wait", { round: "r_none-1" }));
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("not known here");
  });
});
