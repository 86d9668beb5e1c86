/** JSON, and the one place where the library's types are looked through. */
import type { $ZodType, $ZodTypes } from "zod/v4/core";

export {
  compact,
  copied,
  isJson,
  type Json,
  list,
  num,
  parse,
  record,
  records,
  str,
  strings,
} from "../shared/wire.ts";

/** A schema as the union of all kinds there are. */
export const known = (schema: $ZodType): $ZodTypes => schema as $ZodTypes;
