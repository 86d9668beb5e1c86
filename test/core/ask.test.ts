import { describe, expect, it } from "vitest";
import { PayloadError } from "../../src/core/error.ts";
import { result } from "../../src/core/outcome.ts";
import { parseAsk } from "../../src/core/payload.ts";
import type { Session } from "../../src/core/session.ts";
import { bench, request } from "../support/engine.ts";
import { asked, did, lastRound } from "../support/people.ts";

const GOAL = {
  question: "The goal cannot be reached. What now?",
  options: ["Accept it as it is", "Change the goal", "You misjudged: go on"],
  option_ids: ["accept", "change", "go-on"],
};

const resultOf = (session: Session) => result(session, lastRound(session));

describe("options with ids", () => {
  it("come back by their id, whatever their labels begin with", () => {
    expect(resultOf(did(asked("ask", GOAL), "answer", { values: ["o2"] }))).toMatchObject({
      answer: "You misjudged: go on",
      option: 3,
      optionId: "go-on",
    });
  });

  it("are none of them for somebody's own words, even for an id itself", () => {
    const own = resultOf(did(asked("ask", GOAL), "answer", { words: "accept" }));
    expect(own).toMatchObject({ answer: "accept", option: null, optionId: null });
  });

  it("are not spoken of where there are no ids", () => {
    const { option_ids: _, ...plain } = GOAL;
    expect(resultOf(did(asked("ask", plain), "answer", { values: ["o0"] }))).not.toHaveProperty("optionId");
  });

  it.each([
    [["accept", "change"], "option_ids", "expected one id for each of 3 options, found 2"],
    [["accept", "change", "accept"], "option_ids[2]", 'expected an id used once, found "accept" again'],
    [["accept", "change", "Go on"], "option_ids[2]", "expected kebab-case"],
  ])("that are %j are refused", (option_ids, path, message) => {
    try {
      parseAsk({ ...GOAL, option_ids });
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof PayloadError)) throw error;
      expect(error.issues).toEqual([{ path, message: expect.stringContaining(message) }]);
    }
  });
});

describe("the result of a question", () => {
  it("has what was asked, so that a late one can be understood alone", () => {
    const { options, question } = GOAL;
    const at = "2027-01-15T08:00:01Z";
    expect(resultOf(did(asked("ask", GOAL), "skip"))).toMatchObject({ question, options, at });
  });

  it("has what is left and advice also where the question is none", async () => {
    const { engine } = await bench();
    const ask = (question: string, asks: number | null) =>
      engine.open(request({ kind: "ask", payload: { question }, asks }));
    await ask("Which port?", 2);
    const { result: invalid } = await ask("  ", null);
    expect(invalid).toMatchObject({ status: "invalid", mode: "ask", remaining: 1 });
    expect(invalid?.advice).toContain("does not count");
    expect((await ask("", -1)).result).toMatchObject({ remaining: -1 });
  });
});

it("is put whatever the config says of recommended options, of which it has none", async () => {
  const { engine } = await bench();
  const payload = { question: "Which port?" };
  const opened = await engine.open(request({ kind: "ask", payload, floor: { onTimeout: "recommended" } }));
  expect(opened.result).toBeNull();
});
