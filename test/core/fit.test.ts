import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Card, Part } from "../../src/core/card.ts";
import { clip, entryText, fit as fitted } from "../../src/core/fit.ts";
import { TIGHT } from "../support/people.ts";

const string = (most: number) => fc.string({ unit: "grapheme", maxLength: most });
const long = fc
  .tuple(string(60), fc.integer({ min: 1, max: 400 }))
  .map(([text, times]) => text.repeat(times));

const text: fc.Arbitrary<Part> = long.map((value) => ({ kind: "text", text: value, tone: "body", at: null }));
const entry = fc.record({
  value: fc.constant("o0"),
  number: fc.constant(1),
  label: string(80),
  description: string(400),
  reason: string(400),
  recommended: fc.boolean(),
  chosen: fc.boolean(),
});
const choice: fc.Arbitrary<Part> = fc.record({
  kind: fc.constant("choice" as const),
  target: fc.constant("d0"),
  number: fc.constant(1),
  question: string(240),
  why: string(600),
  entries: fc.array(entry, { minLength: 2, maxLength: 25 }),
  multi: fc.boolean(),
  parent: fc.constant(null),
  answer: string(100),
  own: long,
  notes: fc.array(string(100), { maxLength: 3 }),
  reveals: fc.constant([]),
  pick: fc.constant(null),
  other: fc.constant(null),
});
const block: fc.Arbitrary<Part> = long.map((raw) => ({
  kind: "block",
  target: "b0",
  number: 1,
  raw,
  comments: [],
  comment: null,
}));

const cardOf = (parts: Part[]): Card => ({
  key: "k",
  round: "r",
  under: null,
  topic: "",
  settled: false,
  mention: [],
  alert: "",
  parts,
});

/** Every text that a part shows. */
function texts(part: Part): string[] {
  if (part.kind === "text") return [part.text];
  if (part.kind === "block") return [part.raw];
  if (part.kind !== "choice") return [];
  const entries = part.entries.flatMap(({ label, description, reason }) => [label, description, reason]);
  return [part.question, part.why, ...entries, part.answer, part.own, ...part.notes];
}

describe("fit", () => {
  it("never drops a character: what is not on the card stands in its file", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, choice, block), { minLength: 1, maxLength: 12 }), (parts) => {
        const card = fitted(cardOf(parts), TIGHT);
        const shown = card.parts.flatMap(texts);
        const together = card.parts.map((part) => (part.kind === "text" ? part.text : "\u0000")).join("");
        const file = card.parts.map((part) => (part.kind === "file" ? part.text : "")).join("\n");
        for (const value of parts.flatMap(texts)) {
          expect(shown.includes(value) || together.includes(value) || file.includes(value)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("keeps within the limits", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, choice, block), { minLength: 1, maxLength: 12 }), (parts) => {
        const shown = fitted(cardOf(parts), TIGHT).parts.filter(({ kind }) => kind !== "file");
        const lengths = shown.flatMap(texts).map((value) => value.length);
        expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(TIGHT.text);
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(TIGHT.card);
      }),
      { numRuns: 200 },
    );
  });

  it("leaves what fits as it is", () => {
    const parts: Part[] = [{ kind: "text", text: "short", tone: "body", at: null }];
    expect(fitted(cardOf(parts), TIGHT).parts).toEqual(parts);
  });

  it("cuts entries with an ellipsis, never inside a character", () => {
    expect(entryText({ number: 1, label: "Magic link only" }, 75)).toBe("1 Magic link only");
    expect(entryText({ number: 2, label: "x".repeat(80) }, 75)).toHaveLength(75);
    expect(clip("ab😀", 3)).toBe("ab…");
    expect(clip("ab😀", 4)).toBe("ab😀");
  });
});
