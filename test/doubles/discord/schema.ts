/** Bodies against the official specification: what is wrong, and where, in Discord's words. */
import { type $ZodIssue, type $ZodType, safeParse } from "zod/v4/core";
import { type Complaint, wrong } from "./refusal.ts";
import { isJson, known } from "./wire.ts";

type Path = (string | number)[];

/** All complaints, those of properties that the specification does not name among them. */
export function check(schema: $ZodType, value: unknown, at: Path = []): Complaint[] {
  const parsed = safeParse(schema, value);
  const issues = parsed.success ? [] : parsed.error.issues.flatMap((issue) => worded(issue, value, at));
  return [...issues, ...unknownKeys(schema, value, at)];
}

function worded(issue: $ZodIssue, value: unknown, at: Path): Complaint[] {
  const path = [...at, ...keys(issue.path)];
  const held = valueAt(value, issue.path);
  switch (issue.code) {
    case "too_big":
      return [tooBig(path, issue.origin, Number(issue.maximum))];
    case "too_small":
      return [tooSmall(path, issue.origin, Number(issue.minimum))];
    case "invalid_value":
      if (held === undefined) return [required(path)];
      return [wrong(path, "BASE_TYPE_CHOICES", `Value must be one of (${issue.values.join(", ")}).`)];
    case "invalid_union":
      return ofBranches(issue.errors, held, path);
    case "invalid_type":
      if (held === undefined) return [required(path)];
      return [wrong(path, `${typeName(issue.expected)}_TYPE_CONVERT`, `Not a ${issue.expected}.`)];
    case "invalid_format":
      return [wrong(path, "STRING_TYPE_REGEX", "String value did not match validation regex.")];
    default:
      return [wrong(path, "BASE_TYPE_INVALID", issue.message)];
  }
}

const required = (path: Path): Complaint => wrong(path, "BASE_TYPE_REQUIRED", "This field is required");

const typeName = (expected: string): string => (expected === "object" ? "MODEL" : expected.toUpperCase());

function tooBig(path: Path, origin: string, most: number): Complaint {
  if (origin === "string") return wrong(path, "BASE_TYPE_MAX_LENGTH", `Must be ${most} or fewer in length.`);
  if (origin === "array") return wrong(path, "BASE_TYPE_BAD_LENGTH", `Must be ${most} or fewer in length.`);
  return wrong(path, "NUMBER_TYPE_MAX", `Value should be less than or equal to ${most}.`);
}

function tooSmall(path: Path, origin: string, least: number): Complaint {
  if (origin === "string" || origin === "array")
    return wrong(path, "BASE_TYPE_BAD_LENGTH", `Must be ${least} or more in length.`);
  return wrong(path, "NUMBER_TYPE_MIN", `Value should be greater than or equal to ${least}.`);
}

/** The branch that comes closest: the one that gets deepest, or complains least about what the value is. */
function ofBranches(branches: readonly $ZodIssue[][], value: unknown, path: Path): Complaint[] {
  const right = branches.filter((issues) => !issues.some(isWrongKind));
  const [only] = right.length > 0 ? right : [];
  if (only !== undefined) return only.flatMap((issue) => worded(issue, value, path));
  return [wrong(path, "UNION_TYPE_CHOICES", "The value is none of those that may stand here.")];
}

const isWrongKind = (issue: $ZodIssue): boolean =>
  (issue.path.length === 0 && issue.code === "invalid_type") ||
  (issue.path.length === 1 && issue.path[0] === "type");

const keys = (path: readonly PropertyKey[]): Path =>
  path.map((key) => (typeof key === "number" ? key : String(key)));

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let held = value;
  for (const key of path) {
    if (Array.isArray(held)) held = held[Number(key)];
    else held = isJson(held) ? held[String(key)] : undefined;
  }
  return held;
}

/** discord.js sends them with every message, edits and answers too. */
const TOLERATED = new Set(["tts", "enforce_nonce"]);

/** Discord passes over properties it does not know; here they are refused, for they are always a mistake. */
function unknownKeys(schema: $ZodType, value: unknown, at: Path): Complaint[] {
  const { def } = known(schema)._zod;
  switch (def.type) {
    case "lazy":
      return unknownKeys(def.getter(), value, at);
    case "optional":
    case "nullable":
      return unknownKeys(def.innerType, value, at);
    case "array":
      return Array.isArray(value)
        ? value.flatMap((item, index) => unknownKeys(def.element, item, [...at, index]))
        : [];
    case "object":
      return isJson(value) ? unknownIn(def.shape, value, at) : [];
    default:
      return [];
  }
}

function unknownIn(shape: { readonly [key: string]: $ZodType }, value: object, at: Path): Complaint[] {
  return Object.entries(value).flatMap(([key, held]) => {
    const inner = shape[key];
    if (inner !== undefined) return unknownKeys(inner, held, [...at, key]);
    if (TOLERATED.has(key)) return [];
    return [wrong([...at, key], "UNKNOWN_PROPERTY", "There is no such property.")];
  });
}
