/**
 * How mistakes in a payload are worded and in which order they stand: that of the payload, an object's unknown keys
 * before its fields, every guard after all decisions. Knows no schema and checks nothing.
 */
import type { z } from "zod";
import type { Issue } from "./error.ts";

/** A mistake before it is put in order. `last` places it behind everything inside `path`. */
export interface Mistake {
  path: PropertyKey[];
  message: string;
  last?: true;
}

/** Every key in the order in which it is checked; the keys of one object stand in the order of its fields. */
const ORDER: PropertyKey[] = [
  ...["title", "subtitle", "context", "flow", "session_id", "page_id", "page_title", "continue_label"],
  ...["done_label", "allow_done", "decisions", "show_if", "decision", "in", "plan", "id", "question"],
  ...[
    "recommendation_reason",
    "allow_custom",
    "multi",
    "options",
    "option_ids",
    "label",
    "description",
    "reason",
  ],
  ...[
    "recommended",
    "command",
    "detail",
    "policy",
    "reviewers",
    "responders",
    "quorum",
    "veto",
    "on_timeout",
  ],
];

/** The mistakes as issues, the first being the one to mend first. */
export const inOrder = (mistakes: Mistake[]): Issue[] =>
  mistakes
    .map((mistake) => ({ mistake, rank: rank(mistake) }))
    .sort((a, b) => compare(a.rank, b.rank))
    .map(({ mistake }) => ({ path: pathText(mistake.path), message: mistake.message }));

function rank({ path, last }: Mistake): number[] {
  const [root, index, key, ...rest] = path;
  const moved =
    key === "show_if" && root === "decisions" && index !== undefined ? [key, index, ...rest] : path;
  const places = moved.map((part) => (typeof part === "number" ? part : ORDER.indexOf(part)));
  return last ? [...places, Infinity] : places;
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((place, index) => place !== b[index]);
  if (at === -1) return a.length - b.length;
  return (a[at] ?? 0) - (b[at] ?? -1);
}

/** `["decisions", 2, "id"]` → `decisions[2].id`; the root is `<root>`. */
function pathText(path: PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("").replace(/^\./, "") || "<root>";
}

/** What zod found wrong, in our words: what was expected, what was found. */
export function explain(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${EXPECTED[issue.expected] ?? issue.expected}, found ${found(issue.input)}`;
    case "invalid_value":
      return `expected one of ${issue.values.map(String).join(", ")}, found ${found(issue.input)}`;
    case "too_small":
      return `expected at least ${issue.minimum}, found ${found(issue.input)}`;
    default:
      return `expected something else, found ${found(issue.input)}`;
  }
}

const EXPECTED: Record<string, string> = {
  string: "a string",
  boolean: "true or false",
  number: "a whole number",
  int: "a whole number",
  array: "an array",
  object: "an object",
};

const QUOTED = 60;

/** A value as it is named in a message: short, quoted if it is text. */
export function found(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value);
}

/** Keys in code unit order, whatever order they came in. */
export const keyList = (keys: readonly string[]): string => keys.toSorted().join(", ");

/** `1 to 120 characters`; `at most 160 characters` where nothing is too short. */
export function range(min: number, max: number, of: string): string {
  if (min === 0) return `at most ${max} ${of}s`;
  if (max === Infinity) return `at least ${min} ${of}${min === 1 ? "" : "s"}`;
  return `${min} to ${max} ${of}s`;
}
