/**
 * Payloads: what an agent submits, checked once at the edge and trusted inside. The types here are the schemas' own;
 * nothing but these functions may make one out of unknown data.
 */
import { z } from "zod";
import { PayloadError } from "./error.ts";
import { explain, inOrder, type Mistake } from "./payload-issues.ts";
import { optionIds, relations } from "./payload-relations.ts";
import { schemas } from "./payload-schema.ts";

export type Clarity = z.infer<typeof schemas.clarity>;
export type Decision = Clarity["decisions"][number];
export type Option = Decision["options"][number];
export type Plan = z.infer<typeof schemas.plan>;
export type Ask = z.infer<typeof schemas.ask>;
export type Permission = z.infer<typeof schemas.permission>;

/** Who has to answer and what the deadline does, as a payload may ask for it. */
export type PolicyInput = NonNullable<Clarity["policy"]>;

/** A payload with its kind. */
export type Matter =
  | { kind: "clarity"; payload: Clarity }
  | { kind: "plan"; payload: Plan }
  | { kind: "ask"; payload: Ask }
  | { kind: "permission"; payload: Permission };

/** A page of decisions; throws `PayloadError` with every mistake. */
export function parseClarity(data: unknown): Clarity {
  return parse(schemas.clarity, { kind: "clarity", data, mistakes: relations(data) });
}

/** A plan in Markdown; throws `PayloadError` with every mistake. */
export function parsePlan(data: unknown): Plan {
  return parse(schemas.plan, { kind: "plan", data });
}

/** One question, trimmed, without blank options; throws `PayloadError` with every mistake. */
export function parseAsk(data: unknown): Ask {
  return parse(schemas.ask, { kind: "ask", data, mistakes: optionIds(data) });
}

/** Leave to run a command; throws `PayloadError` with every mistake. */
export function parsePermission(data: unknown): Permission {
  return parse(schemas.permission, { kind: "permission", data });
}

/** A payload of the kind that the caller names; throws `PayloadError` with every mistake. */
export function parsePayload(kind: Matter["kind"], data: unknown): Matter {
  switch (kind) {
    case "clarity":
      return { kind, payload: parseClarity(data) };
    case "plan":
      return { kind, payload: parsePlan(data) };
    case "ask":
      return { kind, payload: parseAsk(data) };
    case "permission":
      return { kind, payload: parsePermission(data) };
  }
}

/** The JSON Schema (2020-12) of what a kind accepts, with limits and advice on how to write it. */
export const schemaOf = (kind: Matter["kind"]): Record<string, unknown> =>
  z.toJSONSchema(schemas[kind], { io: "input" });

/** JSON with sorted keys: two payloads are the same if their texts are. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, held]) => held !== undefined);
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, held]) => `${JSON.stringify(key)}:${canonical(held)}`).join(",")}}`;
}

interface Parsing {
  kind: Matter["kind"];
  data: unknown;
  mistakes?: Mistake[];
}

function parse<T>(schema: z.ZodType<T>, { kind, data, mistakes = [] }: Parsing): T {
  const parsed = schema.safeParse(data, { error: explain });
  if (parsed.success && mistakes.length === 0) return parsed.data;
  throw new PayloadError(kind, inOrder([...(parsed.error?.issues ?? []), ...mistakes]));
}
