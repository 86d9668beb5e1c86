/** Waits that were ordered by a 429, and who did not keep to them. */
import { isDeepStrictEqual } from "node:util";

/** What was on its way before a 429 came back was sent in good faith. */
const IN_FLIGHT_MS = 100;
/** Timers fire a little early. */
const EARLY_MS = 20;

interface Wait<About> {
  since: number;
  until: number;
  about: About;
  refused: unknown[];
}

export interface Early<About> {
  /** Milliseconds that are still to be waited. */
  left: number;
  /** Whether the caller could know that it had to wait. */
  knowing: boolean;
  about: About;
}

export class Waits<About> {
  readonly #now: () => number;
  readonly #waits = new Map<string, Wait<About>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  order(key: string, seconds: number, { sent, about }: { sent: unknown; about: About }): void {
    const since = this.#now();
    this.#waits.set(key, { since, until: since + seconds * 1000, about, refused: [sent] });
  }

  /** The first of these waits that is not over, or null. */
  early(keys: readonly string[], sent: unknown): Early<About> | null {
    for (const key of keys) {
      const wait = this.#waits.get(key);
      if (wait === undefined) continue;
      const left = wait.until - this.#now();
      if (left <= EARLY_MS) this.#waits.delete(key);
      else return this.#met(wait, left, sent);
    }
    return null;
  }

  #met(wait: Wait<About>, left: number, sent: unknown): Early<About> {
    const again = wait.refused.some((one) => isDeepStrictEqual(one, sent));
    wait.refused.push(sent);
    return { left, knowing: again || this.#now() - wait.since > IN_FLIGHT_MS, about: wait.about };
  }
}
