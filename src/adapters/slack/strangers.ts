/** Another process on the same app takes some of the clicks. While there seems to be one, Slack is asked again. */
import type { Clock } from "../../core/ports.ts";

/** Sockets of a bot that was killed are counted by Slack for a while: only then are others foreign. */
const FOREIGN_MS = 120_000;

export class Strangers {
  /** How many sockets beyond our own Slack counted last. */
  count = 0;
  /** When that was. */
  at = Number.NEGATIVE_INFINITY;
  /** They stayed for so long that they are no remains of our own. */
  sure = false;
  readonly #clock: Clock;
  readonly #askAgain: () => void;
  #since: number | null = null;
  #off = (): void => {};

  constructor(clock: Clock, askAgain: () => void) {
    this.#clock = clock;
    this.#askAgain = askAgain;
  }

  note(count: number): void {
    const now = this.#clock.now();
    this.forget();
    this.count = Math.max(0, count);
    this.at = now;
    this.#since = this.count === 0 ? null : (this.#since ?? now);
    this.sure = this.#since !== null && now - this.#since >= FOREIGN_MS;
    if (this.#since !== null) this.#off = this.#clock.at(now + FOREIGN_MS, this.#askAgain);
  }

  /** Asks no more. */
  forget(): void {
    this.#off();
  }
}
