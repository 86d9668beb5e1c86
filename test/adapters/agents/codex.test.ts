import { describe, expect, it } from "vitest";
import { fixturesOf, HEARING, inputOf, load } from "./hook-fixtures.ts";

const agent = await load("codex");

describe("what Codex reads", () => {
  it("never has a field that makes it deny", () => {
    const all = fixturesOf("codex").map(({ out }) =>
      JSON.stringify(Object.values(out.answers).map((one) => one.stdout)),
    );
    for (const text of all) expect(text).not.toMatch(/updatedInput|updatedPermissions|interrupt/);
  });
});

describe("a proposed plan", () => {
  const STOP = inputOf("codex", "Stop");
  const stopping = (more: Record<string, unknown>, transcript: unknown[] = []) =>
    agent.hear(
      { ...STOP, ...more },
      { ...HEARING, readText: () => transcript.map((line) => JSON.stringify(line)).join("\n") },
    ).heard;
  const message = (role: string, text: string) => ({
    type: "response_item",
    payload: { type: "message", role, content: [{ type: "text", text }] },
  });

  it("is the last whole one of a message", () => {
    const said =
      "<proposed_plan>first</proposed_plan> no: <proposed_plan>\nsecond\n</proposed_plan><proposed_plan>third";
    expect(stopping({ last_assistant_message: said })).toMatchObject({
      question: { payload: { title: "Plan by Codex", plan: "second" } },
    });
  });

  it.each([
    ["without any", { last_assistant_message: "Done." }, []],
    ["with an empty one", { last_assistant_message: "<proposed_plan>\n</proposed_plan>" }, []],
    ["with neither words nor transcript", { last_assistant_message: null, transcript_path: null }, []],
    [
      "with one of an earlier turn only",
      { last_assistant_message: null, transcript_path: "t" },
      [message("assistant", "<proposed_plan>old</proposed_plan>"), message("user", "and now?")],
    ],
  ])("%s is none", (_, more, transcript) => {
    expect(stopping(more, transcript)).toEqual({ kind: "nothing" });
  });

  it("that is too long to be shown goes back to the agent", () => {
    const said = `<proposed_plan>${"x".repeat(100_001)}</proposed_plan>`;
    expect(stopping({ last_assistant_message: said })).toMatchObject({
      kind: "decided",
      answer: { decision: "block", reason: expect.stringContaining("100001 characters") },
    });
  });
});
