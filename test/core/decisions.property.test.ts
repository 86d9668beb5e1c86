import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  acceptRecommended,
  activeSet,
  checkPicks,
  clarityResult,
  missing,
  type Pick,
  type Picks,
  pick,
} from "../../src/core/decisions.ts";
import { type Clarity, parseClarity } from "../../src/core/payload.ts";

const OPTIONS = ["x", "y", "z"];
const IDS = ["constructor", "b", "to-string", "d", "e", "value-of"];

/** Payloads of one to six decisions, each with a guard on an earlier one or none. */
const payloads: fc.Arbitrary<Clarity> = fc
  .array(
    fc.record({
      recommended: fc.subarray(OPTIONS, { minLength: 1 }),
      multi: fc.boolean(),
      allow_custom: fc.boolean(),
      parent: fc.option(fc.nat()),
      in: fc.subarray(OPTIONS, { minLength: 1 }),
    }),
    { minLength: 1, maxLength: IDS.length },
  )
  .map((drafts) =>
    parseClarity({
      title: "T",
      context: "C",
      decisions: drafts.map(({ recommended, multi, allow_custom, parent, in: guards }, at) => ({
        id: IDS[at],
        question: "Which one?",
        recommendation_reason: "reason that is long enough",
        multi,
        allow_custom,
        options: OPTIONS.map((id) => ({
          id,
          label: id,
          recommended: multi ? recommended.includes(id) : recommended[0] === id,
        })),
        ...(at > 0 && parent !== null && { show_if: { decision: IDS[parent % at], in: guards } }),
      })),
    }),
  );

const hostile: fc.Arbitrary<{ id: string; picked: Pick }> = fc.record({
  id: fc.constantFrom(...IDS, "__proto__", "ghost"),
  picked: fc.oneof(
    fc.record({
      kind: fc.constant("option" as const),
      optionId: fc.constantFrom(...OPTIONS, "ghost", "constructor"),
    }),
    fc.record({
      kind: fc.constant("options" as const),
      optionIds: fc.array(fc.constantFrom(...OPTIONS, "ghost")),
    }),
    fc.record({ kind: fc.constant("custom" as const), value: fc.constantFrom("x", "", "  ", "own") }),
  ),
});

const walk = (payload: Clarity, steps: { id: string; picked: Pick }[]): Picks =>
  steps.reduce<Picks>((picks, { id, picked }) => pick(payload, picks, id, picked), {});

/** Any payload and what any sequence of picks makes of it. */
const walked = fc.record({ payload: payloads, steps: fc.array(hostile, { maxLength: 12 }) });

/** The steps that a person can make: a decision that is active, an answer that it takes. */
const isValid = (payload: Clarity, picks: Picks, { id, picked }: { id: string; picked: Pick }): boolean => {
  const decision = payload.decisions.find((candidate) => candidate.id === id);
  if (decision === undefined || !activeSet(payload, picks).includes(id)) return false;
  if (picked.kind === "custom") return decision.allow_custom === true && picked.value.trim() !== "";
  if (picked.kind === "options")
    return decision.multi === true && picked.optionIds.every((option) => OPTIONS.includes(option));
  return OPTIONS.includes(picked.optionId);
};

describe("for any payload and any picks", () => {
  it("the active decisions stand in payload order, each with its parent", () => {
    fc.assert(
      fc.property(walked, ({ payload, steps }) => {
        const active = activeSet(payload, walk(payload, steps));
        const guarded = payload.decisions.filter(({ id }) => active.includes(id));
        expect(active).toEqual(guarded.map(({ id }) => id));
        for (const { show_if: guard } of guarded) if (guard) expect(active).toContain(guard.decision);
      }),
    );
  });

  it("only active decisions keep a pick", () => {
    fc.assert(
      fc.property(walked, ({ payload, steps }) => {
        const picks = walk(payload, steps);
        expect(activeSet(payload, picks)).toEqual(expect.arrayContaining(Object.keys(picks)));
      }),
    );
  });

  it("picking the same twice is picking it once", () => {
    fc.assert(
      fc.property(walked, hostile, ({ payload, steps }, { id, picked }) => {
        const once = pick(payload, walk(payload, steps), id, picked);
        expect(pick(payload, once, id, picked)).toEqual(once);
      }),
    );
  });

  it("picking changes nothing that it was given", () => {
    fc.assert(
      fc.property(walked, hostile, ({ payload, steps }, { id, picked }) => {
        const before = walk(payload, steps);
        const copy = structuredClone(before);
        pick(payload, before, id, picked);
        expect(before).toEqual(copy);
      }),
    );
  });

  it("accepting the recommended leaves nothing missing and keeps what was usable", () => {
    fc.assert(
      fc.property(walked, ({ payload, steps }) => {
        const before = walk(payload, steps);
        const after = acceptRecommended(payload, before);
        expect(missing(payload, after)).toEqual([]);
        const open = missing(payload, before);
        for (const id of Object.keys(before)) if (!open.includes(id)) expect(after[id]).toEqual(before[id]);
      }),
    );
  });
});

describe("for any payload and the picks that people can make", () => {
  it("nothing is missing exactly when the picks may be handed over", () => {
    fc.assert(
      fc.property(walked, ({ payload, steps }) => {
        const picks = steps.reduce<Picks>(
          (made, step) => (isValid(payload, made, step) ? pick(payload, made, step.id, step.picked) : made),
          {},
        );
        expect(checkPicks(payload, picks).ok).toBe(missing(payload, picks).length === 0);
      }),
    );
  });

  it("the result has one item for each active decision", () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const picks = acceptRecommended(payload, {});
        expect(clarityResult(payload, picks).map(({ decisionId }) => decisionId)).toEqual(
          activeSet(payload, picks),
        );
      }),
    );
  });
});
