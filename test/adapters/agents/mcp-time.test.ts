/** What time does to a tool call: slices, signs of life, cancellation, a client that leaves. On clocks that tests move. */
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { beforeEach, describe, expect, it } from "vitest";
import { press } from "../../cli/askgate.ts";
import { LOGIN } from "../../support/login.ts";
import { breaking, openRound, openStage, quiet, roundOf, type Stage, tapped } from "./mcp-stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});

const WEB = { question: "Web or terminal?", options: ["Web", "Terminal"] };
const ASK = { name: "ask", arguments: WEB };
const asking = (more: Record<string, unknown>) => ({ name: "ask", arguments: { ...WEB, ...more } });

const answer = async (title = "Web"): Promise<void> =>
  press(stage.engine, await openRound(stage, title), "answer", { words: "Both" });

const isAnswer = (message: JSONRPCMessage): boolean =>
  JSON.stringify(message).includes('"status":"submitted"');

const late = { late: [expect.objectContaining({ status: "submitted", answer: "Both" })] };

describe("an answer that takes five minutes, and a client that ends every call after 60 seconds", () => {
  it("arrives, once, through wait", async () => {
    const { client } = await stage.connect();
    const first = client.callTool(ASK);
    await stage.pass(45);
    const pending = await first;
    expect(pending.isError).toBeUndefined();
    expect(pending.structuredContent).toMatchObject({ status: "pending", mode: "ask" });
    const round = roundOf(pending.structuredContent);
    expect(JSON.stringify(pending.content)).toContain(`Call wait with`);
    for (let waited = 45; waited < 300; waited += 45) {
      const next = client.callTool({ name: "wait", arguments: { round } });
      await stage.pass(45);
      expect((await next).structuredContent).toMatchObject({ status: "pending", round });
    }
    const last = client.callTool({ name: "wait", arguments: { round } });
    await stage.pass(10);
    await answer();
    expect((await last).structuredContent).toMatchObject({ status: "submitted", answer: "Both", round });
    const after = await client.callTool({ name: "inbox", arguments: {} });
    expect(after.structuredContent).toMatchObject({ messages: [], late: [] });
  });

  it("arrives in one call that shows signs of life", async () => {
    const { client } = await stage.connect();
    const signs: { at: number; progress: number; message?: string | undefined }[] = [];
    const call = client.callTool(asking({ wait_seconds: 600 }), undefined, {
      onprogress: ({ progress, message }) => void signs.push({ at: stage.clock.now(), progress, message }),
      resetTimeoutOnProgress: true,
    });
    await stage.pass(300);
    await answer();
    expect((await call).structuredContent).toMatchObject({ status: "submitted", answer: "Both" });
    const gaps = signs.slice(1).map(({ at }, index) => at - (signs[index]?.at ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15_000);
    expect(signs.map(({ progress }) => progress)).toEqual(signs.map((_, index) => index + 1));
    expect(signs.at(-1)?.message).toMatch(/^waiting for people · page · (4|5) min$/);
  });

  it("arrives at the next call when the client gave up after 60 seconds", async () => {
    const { client } = await stage.connect();
    const call = client.callTool(asking({ wait_seconds: 600, on_cancel: "close" }));
    const ended = expect(call).rejects.toThrow("timed out");
    await stage.pass(60);
    await ended;
    await stage.pass(240);
    await answer();
    const next = await client.callTool({ name: "say", arguments: { text: "going on" } });
    expect(next.structuredContent).toMatchObject({ said: true, ...late });
    const after = await client.callTool({ name: "say", arguments: { text: "again" } });
    expect(after.structuredContent).not.toHaveProperty("late");
  });
});

describe("a deadline that passes while no call waits", () => {
  it("is told once; whoever waits again gets the answer", async () => {
    const { client } = await stage.connect();
    const wait = async (seconds: number) => {
      const call = client.callTool({ name: "wait", arguments: { round, wait_seconds: seconds } });
      await stage.pass(seconds);
      return (await call).structuredContent;
    };
    const round = roundOf((await client.callTool(asking({ wait_seconds: 0 }))).structuredContent);
    await stage.pass(31 * 60);
    expect(await wait(10)).toMatchObject({ status: "timeout", advice: expect.any(String) });
    expect(await wait(10)).toMatchObject({ status: "pending" });
    await answer();
    expect(await wait(10)).toMatchObject({ status: "submitted", answer: "Both", round });
  });
});

describe("a call that the client cancels", () => {
  const cancelled = async (more: Record<string, unknown>): Promise<void> => {
    const { client } = await stage.connect();
    const stop = new AbortController();
    const call = client.callTool(asking(more), undefined, { signal: stop.signal });
    const ended = expect(call).rejects.toThrow();
    await openRound(stage, "Web");
    stop.abort("the user pressed Escape");
    await ended;
    await quiet();
  };

  it("leaves the question to people, and the same call gets the answer", async () => {
    await cancelled({});
    await answer();
    const { client } = await stage.connect();
    const again = await client.callTool(ASK);
    expect(again.structuredContent).toMatchObject({ status: "submitted", answer: "Both" });
    expect(again.structuredContent).not.toHaveProperty("late");
  });

  it("withdraws the question where that was asked for", async () => {
    await cancelled({ on_cancel: "close" });
    const [session] = await stage.engine.list("/repo");
    expect(session?.rounds).toMatchObject([{ status: "cancelled" }]);
    const { client } = await stage.connect();
    const inbox = await client.callTool({ name: "inbox", arguments: {} });
    expect(inbox.structuredContent).toMatchObject({ late: [] });
  });

  it("whose answer is on its way gives it with the next call", async () => {
    const stop = new AbortController();
    const crossing = (message: JSONRPCMessage): void => {
      if (isAnswer(message)) stop.abort("too late");
    };
    const { client } = await stage.connect(tapped(crossing));
    const call = client.callTool(ASK, undefined, { signal: stop.signal });
    const ended = expect(call).rejects.toThrow();
    await answer();
    await ended;
    const next = await client.callTool({ name: "inbox", arguments: {} });
    expect(next.structuredContent).toMatchObject(late);
    const after = await client.callTool({ name: "inbox", arguments: {} });
    expect(after.structuredContent).toMatchObject({ late: [] });
  });
});

describe("a client that is gone", () => {
  it("ends the server, and the next one goes on with the question", async () => {
    const { client, served } = await stage.connect();
    const call = client.callTool(asking({ on_cancel: "close" }));
    const ended = expect(call).rejects.toThrow();
    const round = await openRound(stage, "Web");
    await client.close();
    await ended;
    await served;
    const next = await stage.connect();
    const again = next.client.callTool(ASK);
    await answer();
    expect((await again).structuredContent).toMatchObject({ status: "submitted", answer: "Both", round });
  });

  it("gets its answer with whatever it calls next, also one that begins another session", async () => {
    const { client } = await stage.connect();
    const call = client.callTool(ASK);
    const ended = expect(call).rejects.toThrow();
    await openRound(stage, "Web");
    await client.close();
    await ended;
    await answer();
    const next = await stage.connect();
    const page = await next.client.callTool({ name: "clarify", arguments: { ...LOGIN, wait_seconds: 0 } });
    expect(page.structuredContent).toMatchObject({ status: "pending", mode: "clarity", ...late });
    const wait = await next.client.callTool({ name: "inbox", arguments: {} });
    expect(wait.structuredContent).toMatchObject({ late: [] });
  });
});

describe("an agent that has moved on to another session", () => {
  const page = (title: string) => ({
    name: "clarify",
    arguments: { ...LOGIN, title, wait_seconds: 0 },
  });

  it("is still given what people decide in the one before", async () => {
    const { client } = await stage.connect();
    const first = roundOf((await client.callTool(page("First"))).structuredContent);
    await client.callTool(page("Second"));
    await press(stage.engine, first, "cancel");
    const inbox = await client.callTool({ name: "inbox", arguments: {} });
    expect(inbox.structuredContent).toMatchObject({ late: [{ status: "cancelled", round: first }] });
  });
});

describe("an answer that could not be written to the client", () => {
  it("is not taken, and comes with the next call", async () => {
    const closed = (message: JSONRPCMessage): void => {
      if (isAnswer(message)) throw new Error("EPIPE");
    };
    const { client } = await stage.connect(undefined, breaking(closed));
    const call = client.callTool(ASK);
    const ended = expect(call).rejects.toThrow();
    await answer();
    await quiet();
    await client.close();
    await ended;
    const next = await stage.connect();
    const inbox = await next.client.callTool({ name: "inbox", arguments: {} });
    expect(inbox.structuredContent).toMatchObject(late);
  });
});

describe("a bot that falls silent", () => {
  it("holds up no call beyond its patience", async () => {
    stage = await openStage({ wait: () => new Promise(() => {}) });
    const { client } = await stage.connect();
    const call = client.callTool(ASK);
    await stage.pass(50);
    expect((await call).structuredContent).toMatchObject({ status: "pending", round: expect.any(String) });
  });

  it("says to make the same call again while the question is being put up", async () => {
    stage = await openStage({ open: () => new Promise(() => {}) });
    const { client } = await stage.connect();
    const call = client.callTool(asking({ wait_seconds: 1 }));
    await stage.pass(50);
    const { structuredContent, isError } = await call;
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ status: "pending", round: null });
    expect(JSON.stringify(structuredContent)).toContain("same arguments");
  });
});
