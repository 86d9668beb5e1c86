/** What a platform said of somebody or something, asked once and remembered for a while; a failure is not remembered. */
import type { Clock } from "../../core/ports.ts";

interface Kept<T> {
  value: Promise<T>;
  until: number;
}

export class Remembered<T> {
  readonly #clock: Clock;
  readonly #forMs: number;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(clock: Clock, forMs: number) {
    this.#clock = clock;
    this.#forMs = forMs;
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const there = this.#kept.get(key);
    if (there !== undefined && there.until > now) return there.value;
    const value = ask();
    this.#kept.set(key, { value, until: now + this.#forMs });
    value.catch(() => this.#kept.delete(key));
    return value;
  }

  /** What is remembered now, however old. */
  peek(key: string): Promise<T> | undefined {
    return this.#kept.get(key)?.value;
  }

  clear(): void {
    this.#kept.clear();
  }
}
