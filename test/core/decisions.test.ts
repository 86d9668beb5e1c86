import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  acceptRecommended,
  activeSet,
  checkPicks,
  clarityResult,
  missing,
  type Pick,
  type Picks,
  pick,
  recommendedPick,
} from "../../src/core/decisions.ts";
import { AskgateError } from "../../src/core/error.ts";
import { type Clarity, parseClarity } from "../../src/core/payload.ts";
import { PickSchema } from "../../src/core/pick.ts";
import { cases, file } from "./conformance.ts";

const Answer = z.union([z.string(), z.object({ custom: z.string() })]);
const State = z.object({
  active: z.array(z.string()),
  answers: z.record(z.string(), Answer).default({}),
  missing: z.array(z.string()),
});
const Step = State.extend({
  pick: z.union([
    z.object({ id: z.string(), option: z.string() }),
    z.object({ id: z.string(), custom: z.string() }),
  ]),
});

const walks = cases(
  "clarity-walks",
  z.object({
    name: z.string(),
    payload: z.unknown(),
    start: State,
    steps: z.array(Step),
    end: z.object({
      complete: z.boolean(),
      submittable: z.boolean(),
      result: z.unknown().optional(),
      result_error: z.string().optional(),
    }),
  }),
);

const sets = file(
  "picks",
  z.object({
    payloads: z.record(z.string(), z.unknown()),
    cases: z.array(
      z.object({
        name: z.string(),
        payload: z.string(),
        answers: z.record(z.string(), PickSchema),
        expect: z.object({ ok: z.boolean(), result: z.unknown().optional() }),
      }),
    ),
  }),
);

const asPick = (step: z.infer<typeof Step>["pick"]): Pick =>
  "option" in step ? { kind: "option", optionId: step.option } : { kind: "custom", value: step.custom };

const asAnswers = (picks: Picks) =>
  Object.fromEntries(
    Object.entries(picks).map(([id, picked]) => {
      if (picked.kind === "options") throw new Error("no walk has several options");
      return [id, picked.kind === "option" ? picked.optionId : { custom: picked.value }];
    }),
  );

const stateOf = (payload: Clarity, picks: Picks) => ({
  active: activeSet(payload, picks),
  answers: asAnswers(picks),
  missing: missing(payload, picks),
});

describe("conformance: walks", () => {
  it.each(walks)("$name", ({ payload: data, start, steps, end }) => {
    const payload = parseClarity(data);
    let picks: Picks = {};
    expect(stateOf(payload, picks)).toEqual(start);
    for (const { pick: step, ...after } of steps) {
      picks = pick(payload, picks, step.id, asPick(step));
      expect(stateOf(payload, picks)).toEqual(after);
    }
    expect(missing(payload, picks).length === 0).toBe(end.complete);
    expect(checkPicks(payload, picks).ok).toBe(end.submittable);
    if (end.result_error === undefined) expect(clarityResult(payload, picks)).toEqual(end.result);
    else expect(() => clarityResult(payload, picks)).toThrow(AskgateError);
  });

  it("has all cases", () => expect(walks).toHaveLength(239));
});

describe("conformance: sets of picks", () => {
  it.each(sets.cases)("$name", ({ payload: key, answers, expect: wanted }) => {
    const payload = parseClarity(sets.payloads[key]);
    expect(checkPicks(payload, answers).ok).toBe(wanted.ok);
    if (wanted.ok) expect(clarityResult(payload, answers)).toEqual(wanted.result);
  });

  it("has all cases", () => expect(sets.cases).toHaveLength(120));
});

const option = (id: string, recommended = false) => ({ id, label: id.toUpperCase(), recommended });
const decision = (id: string, more: object = {}) => ({
  id,
  question: `Which ${id}?`,
  options: [option("x", true), option("y"), option("z")],
  recommendation_reason: "reason that is long enough",
  ...more,
});
const payloadOf = (...decisions: object[]): Clarity => parseClarity({ title: "T", context: "C", decisions });

const one = (optionId: string): Pick => ({ kind: "option", optionId });
const several = (...optionIds: string[]): Pick => ({ kind: "options", optionIds });
const words = (value: string): Pick => ({ kind: "custom", value });

describe("multi", () => {
  const payload = payloadOf(
    decision("dbs", {
      multi: true,
      allow_custom: true,
      options: [option("x", true), option("y", true), option("z")],
    }),
    decision("why-z", { show_if: { decision: "dbs", in: ["z"] } }),
  );

  it("keeps options in payload order without duplicates", () => {
    expect(pick(payload, {}, "dbs", several("y", "x", "y"))).toEqual({ dbs: several("x", "y") });
    expect(pick(payload, {}, "dbs", several("ghost", "y"))).toEqual({ dbs: several("y", "ghost") });
  });

  it("takes no options as no pick", () => {
    expect(pick(payload, { dbs: several("x") }, "dbs", several())).toEqual({});
    expect(missing(payload, { dbs: several() })).toEqual(["dbs"]);
    expect(checkPicks(payload, { dbs: several() }).ok).toBe(false);
  });

  it("reveals a decision if any picked option is in its guard", () => {
    expect(activeSet(payload, { dbs: several("x", "z") })).toEqual(["dbs", "why-z"]);
    expect(activeSet(payload, { dbs: several("x", "y") })).toEqual(["dbs"]);
  });

  it("lets own words replace the options, and reveal nothing", () => {
    const picks = pick(payload, { dbs: several("z"), "why-z": one("x") }, "dbs", words("z"));
    expect(picks).toEqual({ dbs: words("z") });
    expect(clarityResult(payload, picks)).toEqual([
      { decisionId: "dbs", question: "Which dbs?", optionId: null, optionIds: [], answer: "z", custom: true },
    ]);
  });

  it("gives the options of a result together", () => {
    expect(clarityResult(payload, { dbs: several("y", "x", "y") })).toEqual([
      {
        decisionId: "dbs",
        question: "Which dbs?",
        optionId: null,
        optionIds: ["x", "y"],
        answer: "X, Y",
        custom: false,
      },
    ]);
  });

  it("takes one option for several, but not several for one", () => {
    expect(checkPicks(payload, { dbs: one("x") })).toEqual({ ok: true });
    expect(clarityResult(payload, { dbs: one("x") })[0]).toMatchObject({ optionId: null, optionIds: ["x"] });
    expect(checkPicks(payloadOf(decision("a")), { a: several("x") })).toEqual({
      ok: false,
      error: 'decision "a" takes one option',
    });
  });
});

describe("ids that are names of object members", () => {
  const payload = payloadOf(decision("constructor"), decision("to-string"));

  it("are missing until they are picked", () => {
    expect(missing(payload, {})).toEqual(["constructor", "to-string"]);
    expect(pick(payload, {}, "constructor", one("x"))).toEqual({ constructor: one("x") });
    expect(() => clarityResult(payload, {})).toThrow(
      'decision "constructor", "to-string" is not answered yet',
    );
  });

  it("change no prototype when they come from outside", () => {
    const picks: Picks = JSON.parse('{"__proto__":{"kind":"option","optionId":"x"}}');
    expect(checkPicks(payload, picks)).toEqual({ ok: false, error: 'decision "__proto__" is unknown' });
    expect(Object.getPrototypeOf(pick(payload, picks, "__proto__", one("x")))).toBe(Object.prototype);
  });
});

describe("checkPicks", () => {
  const payload = payloadOf(
    decision("a", { allow_custom: true }),
    decision("b", { show_if: { decision: "a", in: ["y"] } }),
  );

  it.each([
    [{ ghost: one("x") }, 'decision "ghost" is unknown'],
    [{ "a\nb": one("x") }, 'decision "a\\nb" is unknown'],
    [{ a: one("x"), b: one("x") }, 'decision "b" is not active'],
    [{ a: one("y"), b: words("w") }, 'decision "b" takes no own words'],
    [{ a: words(" \u3000") }, 'the own words for decision "a" are blank'],
    [{ a: one("w") }, 'option "w" of decision "a" is unknown'],
    [{ a: one("y") }, 'decision "b" is not answered yet'],
    [{}, 'decision "a" is not answered yet'],
    [{ a: { kind: "option" } }, 'the pick of decision "a" is malformed'],
    [{ a: null }, 'the pick of decision "a" is malformed'],
    [[], "the picks are no object"],
    [null, "the picks are no object"],
  ])("%j: %s", (picks, error) => expect(checkPicks(payload, picks)).toEqual({ ok: false, error }));

  it("takes a full set", () => {
    expect(checkPicks(payload, { a: one("y"), b: one("z") })).toEqual({ ok: true });
    expect(checkPicks(payload, { a: words("mine") })).toEqual({ ok: true });
  });
});

describe("acceptRecommended", () => {
  const payload = payloadOf(
    decision("a"),
    decision("b", { show_if: { decision: "a", in: ["x"] } }),
    decision("c", { show_if: { decision: "b", in: ["x"] }, multi: true }),
    decision("d", { show_if: { decision: "a", in: ["y"] } }),
  );

  it("answers every open decision, those revealed on the way too", () => {
    expect(acceptRecommended(payload, {})).toEqual({ a: one("x"), b: one("x"), c: several("x") });
  });

  it("leaves the picks that are usable", () => {
    expect(acceptRecommended(payload, { a: one("y") })).toEqual({ a: one("y"), d: one("x") });
    expect(acceptRecommended(payload, { a: words("  "), d: one("z") })).toEqual({
      a: one("x"),
      b: one("x"),
      c: several("x"),
    });
  });

  it("recommends what the payload recommends", () => {
    expect(payload.decisions.map(recommendedPick)).toEqual([one("x"), one("x"), several("x"), one("x")]);
  });
});
