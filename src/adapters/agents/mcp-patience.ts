/** How long a call waits, and what keeps it alive meanwhile. */
import type { Clock } from "../../core/ports.ts";
import type { Call } from "./mcp-ports.ts";

/** Clients that count time anew at each sign of life want one every 15 seconds; this leaves room for a slow machine. */
const BEAT_MS = 10_000;

/** `left`: the client cancelled the call, or is gone. */
export type Ended<T> = { kind: "value"; value: T } | { kind: "over" } | { kind: "left" };

interface Limit {
  clock: Clock;
  /** Epoch milliseconds. */
  until: number;
  signal: AbortSignal;
}

/** What comes first: the value, the end of patience, or the client leaving. Rejects as the promise does. */
export async function whicheverFirst<T>(promise: Promise<T>, limit: Limit): Promise<Ended<T>> {
  const { clock, until, signal } = limit;
  let forget = (): void => {};
  const ended = new Promise<Ended<T>>((resolve) => {
    const left = (): void => resolve({ kind: "left" });
    const off = clock.at(until, () => resolve({ kind: "over" }));
    signal.addEventListener("abort", left, { once: true });
    if (signal.aborted) left();
    forget = () => {
      off();
      signal.removeEventListener("abort", left);
    };
  });
  // What fails after nobody waits for it is nobody's news.
  promise.catch(() => {});
  try {
    return await Promise.race([promise.then((value) => ({ kind: "value" as const, value })), ended]);
  } finally {
    forget();
  }
}

/** Signs of life from now on, where the client wants them; the function returned ends them. */
export function keepAlive({ parts: { clock }, progress }: Call, about: () => string): () => void {
  if (progress === null) return () => {};
  const began = clock.now();
  let off = (): void => {};
  const beat = (): void => {
    progress(`${about()} · ${duration(clock.now() - began)}`);
    off = clock.at(clock.now() + BEAT_MS, beat);
  };
  beat();
  return () => off();
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}
