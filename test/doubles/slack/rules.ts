/** Small rules that look at one value and say what is wrong with it, and how to put them together. */
import { isJson, type Json } from "./wire.ts";

export interface Check {
  errors: string[];
  where: "message" | "modal";
  blockIds: Set<string>;
  /** Those of the block that is being looked at. */
  actionIds: Set<string>;
}

export type Rule = (value: unknown, at: string, check: Check) => void;

export function refuse(check: Check, at: string, message: string): void {
  check.errors.push(`${message} [json-pointer:${at}]`);
}

export const text =
  (max: number, min = 1): Rule =>
  (value, at, check) => {
    if (typeof value !== "string") refuse(check, at, "must be a string");
    else if (value.length < min) refuse(check, at, `must be more than ${min - 1} characters`);
    else if (value.length > max) refuse(check, at, `must be less than ${max + 1} characters`);
  };

export const flag: Rule = (value, at, check) => {
  if (typeof value !== "boolean") refuse(check, at, "must be a boolean");
};

export const integer =
  (min: number, max: number): Rule =>
  (value, at, check) => {
    if (!Number.isInteger(value)) refuse(check, at, "must be an integer");
    else if (Number(value) < min || Number(value) > max)
      refuse(check, at, `must be between ${min} and ${max}`);
  };

export const oneOf =
  (...allowed: (string | number)[]): Rule =>
  (value, at, check) => {
    if (!allowed.some((one) => one === value))
      refuse(check, at, `must be a valid enum value, one of: ${allowed.join(", ")}`);
  };

export const array =
  (rule: Rule, min: number, max = Number.POSITIVE_INFINITY): Rule =>
  (value, at, check) => {
    if (!Array.isArray(value)) return refuse(check, at, "must be an array");
    if (value.length < min) refuse(check, at, `no fewer than ${min} items allowed`);
    if (value.length > max) refuse(check, at, `no more than ${max} items allowed`);
    value.forEach((item: unknown, index) => {
      rule(item, `${at}/${index}`, check);
    });
  };

interface Fields {
  required?: { [key: string]: Rule };
  optional?: { [key: string]: Rule };
}

/** An object with these fields, a `type`, and nothing else. */
export const shape = (
  { required = {}, optional = {} }: Fields,
  also?: (value: Json, at: string, check: Check) => void,
): Rule => {
  const known: { [key: string]: Rule } = { ...required, ...optional };
  return (value, at, check) => {
    if (!isJson(value)) return refuse(check, at, "must be an object");
    for (const key of Object.keys(required))
      if (value[key] === undefined) refuse(check, at, `missing required field: ${key}`);
    for (const [key, held] of Object.entries(value)) {
      if (key === "type" || held === undefined) continue;
      const rule = Object.hasOwn(known, key) ? known[key] : undefined;
      if (rule === undefined) refuse(check, `${at}/${key}`, `invalid additional property: ${key}`);
      else rule(held, `${at}/${key}`, check);
    }
    also?.(value, at, check);
  };
};

/** The rule that the value's `type` names. */
export const byType =
  (kinds: { [type: string]: Rule }): Rule =>
  (value, at, check) => {
    if (!isJson(value)) return refuse(check, at, "must be an object");
    const type = typeof value.type === "string" ? value.type : "";
    const rule = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (rule === undefined) return refuse(check, `${at}/type`, `unsupported type: ${type || "(none)"}`);
    rule(value, at, check);
  };

/** An id that no other of its kind may carry. */
export const uniqueId =
  (max: number, ids: (check: Check) => Set<string>, name: string): Rule =>
  (value, at, check) => {
    text(max)(value, at, check);
    if (typeof value !== "string") return;
    if (ids(check).has(value)) refuse(check, at, `\`${name}\` \`${value}\` already exists`);
    ids(check).add(value);
  };
