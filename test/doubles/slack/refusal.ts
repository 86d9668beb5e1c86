import type { Json } from "./wire.ts";

/** An answer `{ ok: false, error }` of the Web API, with what else stands in it. */
export class Refusal extends Error {
  readonly code: string;
  readonly extra: Json;
  readonly details: string[];

  constructor(code: string, extra: Json = {}, details: string[] = []) {
    super(code);
    this.code = code;
    this.extra = extra;
    this.details = details;
  }
}

/** The answer to invalid blocks, with the places. */
export const invalid = (code: string, errors: string[]): Refusal =>
  new Refusal(
    code,
    { errors, response_metadata: { messages: errors.map((one) => `[ERROR] ${one}`) } },
    errors,
  );
