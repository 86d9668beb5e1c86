/** Words that somebody is writing. They are kept at every key stroke, until they are sent or thrown away on purpose. */
import { keysOf, readItem, removeItem, writeItem } from "./storage.ts";

const LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** Ends the name of words that were sent and stay at hand, should another pick replace them. */
export const SAID = ":said";

export interface Drafts {
  read(name: string): string;
  write(name: string, text: string): void;
  drop(name: string): void;
  /** All that were not sent, whose name begins with `prefix`. */
  all(prefix: string): { name: string; text: string }[];
}

export function createDrafts(session: string): Drafts {
  const keyOf = (name: string): string => `askgate:${session}:draft:${name}`;
  return {
    read: (name) => textOf(readItem(keyOf(name))),
    write: (name, text) =>
      text === "" ? removeItem(keyOf(name)) : writeItem(keyOf(name), `${Date.now()} ${text}`),
    drop: (name) => removeItem(keyOf(name)),
    all: (prefix) =>
      keysOf(keyOf(prefix))
        .filter((key) => !key.endsWith(SAID))
        .map((key) => ({
          name: key.slice(keyOf("").length),
          text: textOf(readItem(key)),
        })),
  };
}

/** Forgets what was written on pages that nobody opens any more. */
export function dropOldDrafts(now: number): void {
  for (const key of keysOf("askgate:")) {
    const at = Number.parseInt(readItem(key) ?? "", 10);
    if (key.includes(":draft:") && !(at > now - LIFE_MS)) removeItem(key);
  }
}

const textOf = (stored: string | null): string => stored?.slice(stored.indexOf(" ") + 1) ?? "";
