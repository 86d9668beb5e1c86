/**
 * The building blocks of the payload schemas: text, ids, lists and objects with limits that say what was expected and
 * what was found, and that stand in the JSON Schema too. Knows nothing of any one payload.
 */
import { z } from "zod";
import { found, keyList, range } from "./payload-issues.ts";

const KEBAB = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Lengths are UTF-16 units, as `.length` gives them: zod's own checks count code points. */
const sized = (base: z.ZodString, min: number, max: number): z.ZodString =>
  base.refine(({ length }) => length >= min && length <= max, {
    error: ({ input }) => `expected ${range(min, max, "character")}, found ${String(input).length}`,
  });

export const text = (min: number, max: number, description: string): z.ZodString =>
  sized(z.string(), min, max).meta({ description, minLength: min, maxLength: max });

/** Text whose outer blanks do not count and are dropped. */
export const trimmed = (min: number, max: number, description: string): z.ZodString =>
  sized(z.string().trim(), min, max).meta({ description, minLength: min, maxLength: max });

export const kebab = (max: number, description: string): z.ZodString =>
  sized(z.string(), 1, max)
    .refine((value) => value === "" || KEBAB.test(value), {
      error: ({ input }) => `expected kebab-case (a-z, 0-9, inner hyphens), found ${found(input)}`,
    })
    .meta({ description, minLength: 1, maxLength: max, pattern: KEBAB.source });

export const count = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** An array whose count is checked even when an item is wrong. */
export const list = <Item extends z.ZodType>(item: Item, [min, max]: [number, number], description: string) =>
  z
    .array(item)
    .refine(({ length }) => length >= min && length <= max, {
      error: ({ input }) => `expected ${range(min, max, "item")}, found ${count(input)}`,
      when: ({ value }) => Array.isArray(value),
    })
    .meta({ description, minItems: min, ...(max < Infinity && { maxItems: max }) });

export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `expected only ${Object.keys(shape).join(", ")}, found unknown ${keyList(issue.keys)}`
        : undefined,
  });

export const flag = (description: string) => z.boolean().meta({ description }).optional();
