/** What an agent is told where there is no answer, in the words of the project's settings where they have any. */
import type { Result } from "../core/gate.ts";
import { maybe, record, text } from "./checks.ts";

/** The outcomes whose advice can be said otherwise. */
const REPLACEABLE = ["timeout", "declined", "cancelled", "over_quota"] as const;

/** Texts in place of our own, by status. */
export type Advice = Partial<Record<(typeof REPLACEABLE)[number], string>>;

/** The `advice` of a settings file. Throws `UsageError` that names the place of what is wrong. */
export function readAdvice(value: unknown, at: (key: string) => string): Advice {
  const inside = (key: string): string => at(`advice.${key}`);
  const given = record(value, at("advice"), [...REPLACEABLE], inside);
  const said = REPLACEABLE.map((status) => [status, maybe(given[status], text, inside(status))] as const);
  return Object.fromEntries(said.filter(([, words]) => words !== undefined));
}

/** The result with the settings' own advice, also in the outcomes that came late and are handed over with it. */
export function withAdvice(result: Result, settings: { advice: Advice }): Result {
  const { late } = result;
  const own = replaced(result, settings.advice);
  return Array.isArray(late)
    ? { ...own, late: late.map((one: Result) => replaced(one, settings.advice)) }
    : own;
}

function replaced(result: Result, advice: Advice): Result {
  const status = REPLACEABLE.find((one) => one === result.status);
  const words = status === undefined ? undefined : advice[status];
  return words === undefined || typeof result.advice !== "string" ? result : { ...result, advice: words };
}
