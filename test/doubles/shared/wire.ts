/** JSON as it comes off the wire: nothing is known about it until somebody looks. */
export type Json = { [key: string]: unknown };

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const record = (value: unknown): Json => (isJson(value) ? value : {});

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const records = (value: unknown): Json[] => list(value).filter(isJson);

export const str = (value: unknown): string => (typeof value === "string" ? value : "");

/** The JSON in a text, or undefined where it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A copy that shares nothing with the original, as if it had been sent. */
export function copied(value: Json): Json {
  return record(structuredClone(value));
}

/** An object without the keys that are undefined. */
export const compact = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined));

export const num = (value: unknown): number => (typeof value === "number" ? value : 0);

export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
