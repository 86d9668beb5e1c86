/** The commands that wait: each until its session is as wanted, its patience ends, or it is gone. */
import type { Keeper } from "./keeper.ts";
import type { Clock } from "./ports.ts";
import type { Session } from "./session.ts";
import { unknown } from "./waited.ts";

export interface Patience {
  /** Milliseconds; 0 only looks, Infinity waits for ever. */
  ms: number;
  /** Aborts when nobody waits any more. */
  signal: AbortSignal | undefined;
}

export class Waiters {
  readonly #clock: Clock;
  readonly #keeper: Keeper;
  /** Session → how many wait. */
  readonly #waiting = new Map<string, number>();

  constructor(clock: Clock, keeper: Keeper) {
    this.#clock = clock;
    this.#keeper = keeper;
  }

  has(session: string): boolean {
    return this.#waiting.has(session);
  }

  count(): number {
    return [...this.#waiting.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when the session is as wanted, or patience is over. Rejects with what `isMet` throws. */
  async until(id: string, patience: Patience, isMet: (session: Session) => boolean): Promise<void> {
    this.#add(id, 1);
    try {
      await this.#wait(id, patience, isMet);
    } finally {
      this.#add(id, -1);
    }
  }

  #add(id: string, change: 1 | -1): void {
    const count = (this.#waiting.get(id) ?? 0) + change;
    if (count > 0) this.#waiting.set(id, count);
    else this.#waiting.delete(id);
  }

  async #wait(id: string, { ms, signal }: Patience, isMet: (session: Session) => boolean): Promise<void> {
    const { promise, resolve, reject } = deferred();
    const check = (session: Session): void => {
      try {
        if (isMet(session)) resolve();
      } catch (error) {
        reject(error);
      }
    };
    const off = this.#keeper.listen(id, check);
    const giveUp = Number.isFinite(ms) ? this.#clock.at(this.#clock.now() + ms, resolve) : () => {};
    signal?.addEventListener("abort", resolve);
    try {
      const session = await this.#keeper.load(id);
      if (session === undefined) throw unknown(id);
      check(session);
      if (ms > 0 && !signal?.aborted) await promise;
    } finally {
      off();
      giveUp();
      signal?.removeEventListener("abort", resolve);
    }
  }
}

function deferred() {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  // A wait without patience does not look at it.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
