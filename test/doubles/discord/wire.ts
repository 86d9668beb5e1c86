/** JSON as it comes off the wire, and the one place where the library's types are looked through. */
import type { $ZodType, $ZodTypes } from "zod/v4/core";

export {
  compact,
  copied,
  isJson,
  type Json,
  list,
  parse,
  record,
  records,
  str,
} from "../slack/wire.ts";

export const num = (value: unknown): number => (typeof value === "number" ? value : 0);

export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** A schema as the union of all kinds there are. */
export const known = (schema: $ZodType): $ZodTypes => schema as $ZodTypes;
