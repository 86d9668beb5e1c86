/** Values of settings, checked one by one: each check throws `UsageError` with the place of what is wrong. */
import { UsageError } from "./exit.ts";

export type Check<T> = (value: unknown, at: string) => T;

export const maybe = <T>(value: unknown, check: Check<T>, at: string): T | undefined =>
  value === undefined ? undefined : check(value, at);

export function wrong(at: string, wanted: string, value: unknown): UsageError {
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  return new UsageError(`${at}: expected ${wanted}, got ${typeof value === "string" ? `"${value}"` : found}`);
}

export function record(
  value: unknown,
  at: string,
  keys: string[] | null,
  inside: (key: string) => string,
): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(at, "an object", value);
  const unknown = Object.keys(value).find((key) => keys !== null && !keys.includes(key));
  if (unknown !== undefined) {
    throw new UsageError(`${inside(unknown)}: unknown key`, `Known keys: ${keys?.join(", ")}.`);
  }
  return Object.fromEntries(Object.entries(value));
}

export const text: Check<string> = (value, at) => {
  if (typeof value !== "string" || value === "") throw wrong(at, "a text", value);
  return value;
};

export const texts: Check<string[]> = (value, at) => {
  if (!Array.isArray(value)) throw wrong(at, "a list of texts", value);
  return value.map((item, index) => text(item, `${at}[${index}]`));
};

export const oneOf =
  <T extends string>(values: readonly T[]): Check<T> =>
  (value, at) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw wrong(at, `one of ${values.join(", ")}`, value);
    return found;
  };

export const yes: Check<boolean> = (value, at) => {
  if (typeof value !== "boolean") throw wrong(at, "true or false", value);
  return value;
};

export const count: Check<number> = (value, at) => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
    throw wrong(at, "a whole number from 1", value);
  return value;
};
