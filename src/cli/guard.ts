/** The guard as settings turn it on. */
import { type Check, maybe, record, texts, wrong } from "./checks.ts";

/** `true`, or an object whose `tools` are guarded as well; gives those tools, undefined for no guard. */
export const guard: Check<string[] | undefined> = (value, at) => {
  if (typeof value === "boolean") return value ? [] : undefined;
  if (typeof value !== "object" || value === null) throw wrong(at, "true, false or { tools }", value);
  const inside = (key: string): string => `${at}.${key}`;
  return maybe(record(value, at, ["tools"], inside).tools, texts, inside("tools")) ?? [];
};

/** Guarded where one of both says so, with all tools that either names. */
export const guardOf = (user?: string[], project?: string[]): string[] | undefined =>
  user === undefined && project === undefined
    ? undefined
    : [...new Set([...(user ?? []), ...(project ?? [])])];
