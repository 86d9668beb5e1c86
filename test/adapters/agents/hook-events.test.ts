import { describe, expect, it } from "vitest";
import { AGENT_NAMES } from "../../../src/adapters/agents/agents.ts";
import { parsePayload } from "../../../src/core/payload.ts";
import { asData, fixturesOf, HEARING, load, stdoutOf } from "./hook-fixtures.ts";

/** Fields without which nothing can be answered: an event that lacks one has another shape than is covered. */
const NEEDED = ["session_id", "cwd", "hook_event_name"];

describe.each(AGENT_NAMES)("an event of %s", (name) => {
  const fixtures = fixturesOf(name);

  it.each(fixtures)("$name comes to what the fixture says", async (fixture) => {
    const agent = await load(name);
    const { heard } = agent.hear(fixture.input, fixture.hearing);
    expect(asData(heard)).toEqual(fixture.out.heard);
    if (heard.kind === "ask") parsePayload(heard.question.kind, heard.question.payload);
  });

  it.each(fixtures)("$name is answered as the fixture says", async (fixture) => {
    const agent = await load(name);
    for (const [when, { stdout }] of Object.entries(fixture.out.answers))
      expect({ [when]: stdoutOf(agent, fixture, when) }).toEqual({ [when]: stdout });
  });

  it.each(fixtures)("$name is refused in another shape, never taken for something else", async (fixture) => {
    const agent = await load(name);
    for (const key of NEEDED) {
      const { [key]: _, ...lacking } = fixture.input;
      expect(() => agent.hear(lacking, HEARING)).toThrow();
      expect(() => agent.hear({ ...fixture.input, [key]: 7 }, HEARING)).toThrow();
    }
    if (!("tool_name" in fixture.input)) return;
    expect(() => agent.hear({ ...fixture.input, tool_input: "ls" }, HEARING)).toThrow();
    expect(() => agent.hear({ ...fixture.input, tool_name: 7 }, HEARING)).toThrow();
  });

  it("that is new is no business of ours", async () => {
    const agent = await load(name);
    const input = { session_id: "a", cwd: "/shop", hook_event_name: "SomethingNew" };
    expect(agent.hear(input, HEARING).heard).toEqual({ kind: "nothing" });
  });

  it("that is nothing at all is refused without a word that would allow", async () => {
    const agent = await load(name);
    for (const input of [null, "", [], 7, {}, { hook_event_name: null }]) {
      expect(() => agent.hear(input, HEARING)).toThrow();
      expect(JSON.stringify(agent.refuse(input, "It failed."))).not.toContain("allow");
    }
  });
});
