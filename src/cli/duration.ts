/** How long: `30m`, `1800s`, `1h30m`, `never`, `0`. */
import { UsageError } from "./exit.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Longer than any clock can count: such a time is never. */
const NEVER_MS = 1e14;

/** Milliseconds, or null for never. `name` is the flag or setting, for the error. */
export function parseDuration(text: string, name: string): number | null {
  const value = text.trim().toLowerCase();
  if (value === "never") return null;
  if (value === "0") return 0;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== value) throw badDuration(text, name);
  return bounded(parts.reduce((sum, part) => sum + Number(part[1]) * (UNITS[part[2] ?? ""] ?? 0), 0));
}

/** clarinator's `--timeout-ms`: any positive finite number as JavaScript writes them (`1.5`, `0x500`, `1e12`). */
export function parseMilliseconds(text: string, name: string): number | null {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    throw new UsageError(
      `${name} wants a positive number of milliseconds, got "${text}"`,
      "--timeout never waits for ever.",
    );
  }
  return bounded(value);
}

const bounded = (ms: number): number | null => (ms >= NEVER_MS ? null : ms);

const badDuration = (text: string, name: string): UsageError =>
  new UsageError(`${name} wants a time such as 30m, 1800s, 2h, never or 0, got "${text}"`);

/** "00:01:12" */
export function clockTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
