/** What people write besides their answers, what the agent says, and the brief: the tools that wait for nobody. */
import { describe, expect, it } from "vitest";
import type { Letter } from "../../../src/core/gate.ts";
import { press } from "../../cli/askgate.ts";
import { call, connected, openRound, quiet } from "./mcp-stage.ts";

const now = { wait_seconds: 0 };

describe("inbox", () => {
  it("is empty where nothing was asked", async () => {
    const { client } = await connected();
    const { structuredContent } = await client.callTool(call("inbox"));
    expect(structuredContent).toEqual({ session: null, messages: [], late: [], amendments: null });
  });

  it("gives what people wrote, kept beside the brief, and other tools say that it waits", async () => {
    const letter = {
      id: "m1",
      text: "Mobile too",
      by: "Ana",
      byId: "slack:U1",
      where: "slack",
      at: "2026",
    } as const;
    const carries = { rounds: [], messages: ["m1"] };
    const taken: unknown[] = [];
    const { client } = await connected({
      inbox: async () => ({ session: "s_1", messages: [letter], late: [], carries }),
      show: async () => ({ rounds: [], outcomes: [], inbox: [{ takenAt: null }], ended: null }),
      say: async () => ({ session: "s_1" }),
      acknowledge: async (...given) => void taken.push(given),
    });
    const said = await client.callTool(call("say", { text: "hello" }));
    expect(said.structuredContent).toMatchObject({ said: true, unread: 1 });
    const look = await client.callTool(call("inbox", { peek: true }));
    expect(look.structuredContent).toMatchObject({ messages: [{ text: "Mobile too" }], amendments: null });
    const { structuredContent } = await client.callTool(call("inbox"));
    expect(structuredContent).toMatchObject({ messages: [letter], amendments: { file: "s_1-1.md" } });
    await quiet();
    expect(taken).toEqual([["s_1", carries]]);
  });

  it("gives what people wrote in the session before as well", async () => {
    const about = { by: "Ana", byId: "slack:U1", where: "slack" } as const;
    const boxes: Record<string, Letter[]> = {
      s_0: [{ id: "m2", text: "first", at: "2026-11-30T10:00:00Z", ...about }],
      s_1: [{ id: "m1", text: "second", at: "2026-11-30T11:00:00Z", ...about }],
    };
    const { client } = await connected({
      inbox: async ({ session }) => {
        const id = session ?? "s_1";
        return { session: id, messages: boxes[id] ?? [], late: [], carries: { rounds: [], messages: [] } };
      },
      show: async () => ({ rounds: [], outcomes: [], inbox: [], ended: null }),
      say: async () => ({ session: "s_0" }),
    });
    await client.callTool(call("say", { text: "hello" }));
    const { structuredContent } = await client.callTool(call("inbox"));
    expect(structuredContent).toMatchObject({ messages: [{ text: "first" }, { text: "second" }] });
  });

  it("gives what came late once, and any number of times to whoever only looks", async () => {
    const { stage, client } = await connected();
    await client.callTool(call("ask", { question: "First?", ...now }));
    await press(stage.engine, await openRound(stage, "First"), "answer", { words: "one" });
    const late = { late: [{ status: "submitted", answer: "one" }] };
    const look = async (how: Record<string, unknown>) =>
      (await client.callTool(call("inbox", how))).structuredContent;
    expect(await look({ peek: true })).toMatchObject(late);
    expect(await look({})).toMatchObject(late);
    await quiet();
    expect(await look({})).toMatchObject({ late: [] });
  });
});

describe("say", () => {
  it("puts a note into the session's thread", async () => {
    const { client } = await connected();
    expect((await client.callTool(call("say", { text: "hello" }))).structuredContent).toEqual({
      said: false,
      session: null,
    });
    await client.callTool(call("ask", { question: "First?", ...now }));
    const { structuredContent } = await client.callTool(call("say", { text: "hello" }));
    expect(structuredContent).toMatchObject({ said: true, session: expect.stringMatching(/^s_/) });
  });
});

describe("brief_submit", () => {
  it("says where a complete brief stands", async () => {
    const { client } = await connected();
    const { structuredContent } = await client.callTool(call("brief_submit", { markdown: "# Brief" }));
    expect(structuredContent).toEqual({ complete: true, file: "brief.md", missing: [] });
  });

  it("names what an incomplete one lacks, and that is no error", async () => {
    const { client } = await connected({}, { missing: ["Boundaries"] });
    const { structuredContent, isError } = await client.callTool(call("brief_submit", { markdown: "" }));
    expect(isError).toBeUndefined();
    expect(structuredContent).toEqual({ complete: false, missing: ["Boundaries"] });
  });
});
