import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PayloadError } from "../../src/core/error.ts";
import {
  canonical,
  parseAsk,
  parseClarity,
  parsePayload,
  parsePermission,
  parsePlan,
  schemaOf,
} from "../../src/core/payload.ts";
import { cases } from "./conformance.ts";

const PARSERS = { clarity: parseClarity, plan: parsePlan };

const observed = cases(
  "payloads",
  z.object({
    name: z.string(),
    schema: z.enum(["clarity", "plan"]),
    payload: z.unknown(),
    expect: z.discriminatedUnion("valid", [
      z.object({ valid: z.literal(true) }),
      z.object({ valid: z.literal(false), path: z.string() }),
    ]),
  }),
);

/** The issues of what a parser throws; none if it takes the data. */
function issues(parse: () => unknown): { path: string; message: string }[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof PayloadError) return error.issues;
    throw error;
  }
  return [];
}

const paths = (parse: () => unknown): string[] => issues(parse).map(({ path }) => path);

const option = (id: string, recommended = false) => ({ id, label: id, recommended });
const decision = (id: string, more: object = {}) => ({
  id,
  question: `Which ${id}?`,
  options: [option("x", true), option("y")],
  recommendation_reason: "reason that is long enough",
  ...more,
});
const clarity = (...decisions: unknown[]) => ({ title: "T", context: "C", decisions });

describe("conformance: payloads", () => {
  it.each(observed)("$name", ({ schema, payload, expect: wanted }) => {
    const first = paths(() => PARSERS[schema](payload))[0];
    expect(first).toBe(wanted.valid ? undefined : wanted.path);
  });

  it("has all cases", () => expect(observed).toHaveLength(381));
});

describe("issues", () => {
  it("name all five mistakes of one payload, the first in payload order first", () => {
    const data = {
      ...clarity(
        decision("auth", { options: [option("x", true), { id: "Bad Id", label: "y", recommended: "no" }] }),
        decision("auth", { show_if: { decision: "ghost", in: ["x"] } }),
      ),
      title: "t".repeat(121),
    };
    expect(issues(() => parseClarity(data))).toEqual([
      { path: "title", message: "expected 1 to 120 characters, found 121" },
      {
        path: "decisions[0].options[1].id",
        message: 'expected kebab-case (a-z, 0-9, inner hyphens), found "Bad Id"',
      },
      { path: "decisions[0].options[1].recommended", message: 'expected true or false, found "no"' },
      { path: "decisions[1].id", message: 'expected an id used once, found "auth" again' },
      {
        path: "decisions[1].show_if.decision",
        message: 'expected the id of an earlier decision, found the unknown "ghost"',
      },
    ]);
  });

  it("go on past a structural mistake", () => {
    const data = clarity(
      decision("a", { options: "none" }),
      7,
      decision("c", { show_if: { decision: "d", in: ["q", 3] } }),
      decision("d", { options: [option("x"), option("y"), option("x")] }),
    );
    expect(paths(() => parseClarity(data))).toEqual([
      "decisions[0].options",
      "decisions[1]",
      "decisions[3].options[2].id",
      "decisions[3].options",
      "decisions[2].show_if.decision",
      "decisions[2].show_if.in[0]",
      "decisions[2].show_if.in[1]",
    ]);
  });

  it("count items even when one of them is wrong", () => {
    expect(paths(() => parseClarity(clarity(decision("a", { options: [{}] }))))).toEqual([
      "decisions[0].options",
      "decisions[0].options[0].id",
      "decisions[0].options[0].label",
      "decisions[0].options[0].recommended",
    ]);
  });

  it("name unknown keys sorted, with the known ones", () => {
    const data = JSON.parse('{"title":"T","plan":"P","zeta":1,"__proto__":2,"Alpha":3}');
    expect(issues(() => parsePlan(data))).toEqual([
      {
        path: "<root>",
        message: "expected only title, subtitle, plan, policy, found unknown Alpha, __proto__, zeta",
      },
    ]);
  });

  it("stand in the error's message, with what to do about it", () => {
    const error = new PayloadError("plan", [{ path: "title", message: "expected a string, found nothing" }]);
    expect(error.message).toBe("not a valid plan payload\n  title: expected a string, found nothing");
    expect(error.code).toBe("invalid_payload");
    expect(error.help).toContain("askgate schema plan");
  });

  it.each([null, [], "x", 7, undefined])("name the root of %j", (data) => {
    expect(paths(() => parseClarity(data))).toEqual(["<root>"]);
    expect(paths(() => parseAsk(data))).toEqual(["<root>"]);
  });
});

describe("clarity", () => {
  it("takes 25 options, and no more", () => {
    const many = (count: number) =>
      clarity(decision("a", { options: Array.from({ length: count }, (_, n) => option(`o${n}`, n === 0)) }));
    expect(paths(() => parseClarity(many(25)))).toEqual([]);
    expect(issues(() => parseClarity(many(26)))).toEqual([
      { path: "decisions[0].options", message: "expected 2 to 25 items, found 26" },
    ]);
  });

  it("takes several recommended options with multi, at least one", () => {
    const multi = (...options: object[]) => clarity(decision("a", { multi: true, options }));
    expect(paths(() => parseClarity(multi(option("x", true), option("y", true))))).toEqual([]);
    expect(issues(() => parseClarity(multi(option("x"), option("y"))))).toEqual([
      {
        path: "decisions[0].options",
        message: "expected one or more options with recommended true, found 0",
      },
    ]);
  });

  it("takes ids that are names of object members", () => {
    const data = clarity(
      decision("constructor", { options: [option("to-string", true), option("constructor")] }),
      decision("b", { show_if: { decision: "constructor", in: ["constructor"] } }),
    );
    expect(parseClarity(data)).toEqual(data);
  });

  it("takes a policy at the root", () => {
    const policy = {
      reviewers: ["ana"],
      responders: ["slack:U1"],
      quorum: 2,
      veto: false,
      on_timeout: "fail",
    };
    expect(parseClarity({ ...clarity(decision("a")), policy }).policy).toEqual(policy);
    expect(parsePlan({ title: "T", plan: "P", policy }).policy).toEqual(policy);
    const bad = { quorum: 0, veto: "yes", on_timeout: "never", reviewers: [""], nope: 1 };
    expect(paths(() => parsePlan({ title: "T", plan: "P", policy: bad }))).toEqual([
      "policy",
      "policy.reviewers[0]",
      "policy.quorum",
      "policy.veto",
      "policy.on_timeout",
    ]);
  });

  it("does not know responses on a plan yet", () => {
    expect(paths(() => parsePlan({ title: "T", plan: "P", responses: [] }))).toEqual(["<root>"]);
  });
});

describe("ask", () => {
  it("trims the question and its options and drops blank ones", () => {
    expect(parseAsk({ question: " Which? ", options: [" a ", "", "  ", "b", "b"] })).toEqual({
      question: "Which?",
      options: ["a", "b", "b"],
    });
  });

  it.each(["", "  \n", undefined, null, 3])("refuses the question %j", (question) => {
    expect(paths(() => parseAsk({ question }))).toEqual(["question"]);
  });

  it("takes 25 options of 200 characters", () => {
    const options = Array.from({ length: 25 }, () => "x".repeat(200));
    expect(parseAsk({ question: "Q", options, allow_custom: false, detail: "D" }).options).toEqual(options);
    expect(paths(() => parseAsk({ question: "Q", options: [...options, "y"] }))).toEqual(["options"]);
    expect(paths(() => parseAsk({ question: "Q", options: ["x".repeat(201)] }))).toEqual(["options[0]"]);
  });
});

describe("permission", () => {
  it("needs a title and a command", () => {
    expect(parsePermission({ title: "T", command: "rm x" })).toEqual({ title: "T", command: "rm x" });
    expect(paths(() => parsePermission({ command: "" }))).toEqual(["title", "command"]);
    expect(paths(() => parsePermission({ title: "T", command: "c", detail: "d".repeat(20_001) }))).toEqual([
      "detail",
    ]);
  });
});

describe("parsePayload", () => {
  it("tags the payload with its kind", () => {
    expect(parsePayload("ask", { question: "Q?" })).toEqual({ kind: "ask", payload: { question: "Q?" } });
    expect(parsePayload("plan", { title: "T", plan: "P" }).kind).toBe("plan");
    expect(parsePayload("clarity", clarity(decision("a"))).kind).toBe("clarity");
    expect(parsePayload("permission", { title: "T", command: "c" }).kind).toBe("permission");
  });
});

describe("schemaOf", () => {
  it.each(["clarity", "plan", "ask", "permission"] as const)("%s describes each of its fields", (kind) => {
    const { properties, additionalProperties } = z
      .object({
        properties: z.record(z.string(), z.object({ description: z.string() })),
        additionalProperties: z.literal(false),
      })
      .parse(schemaOf(kind));
    expect(additionalProperties).toBe(false);
    expect(Object.keys(properties)).toContain("policy");
  });

  it("has the limits in it", () => {
    expect(schemaOf("clarity")).toMatchObject({
      required: ["title", "context", "decisions"],
      properties: {
        title: { minLength: 1, maxLength: 120 },
        decisions: {
          minItems: 1,
          maxItems: 40,
          items: {
            properties: {
              id: { maxLength: 64, pattern: "^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$" },
              options: { minItems: 2, maxItems: 25, items: { properties: { label: { maxLength: 80 } } } },
            },
          },
        },
      },
    });
    expect(schemaOf("ask")).toMatchObject({
      properties: { options: { maxItems: 25, items: { maxLength: 200 } } },
    });
  });
});

describe("canonical", () => {
  it("is the same for payloads that differ in the order of their keys", () => {
    expect(canonical({ b: [1, { d: 1, c: null }], a: "x" })).toBe('{"a":"x","b":[1,{"c":null,"d":1}]}');
    expect(canonical({ a: undefined, b: 1 })).toBe(canonical({ b: 1 }));
    expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
  });
});
