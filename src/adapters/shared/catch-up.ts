/** Reads back what people wrote while nobody listened: every place, a few at a time, as often as it takes. */
import type { Typed } from "../../core/event.ts";
import type { Place } from "../../core/people.ts";
import type { Clock, Log } from "../../core/ports.ts";
import type { ChatName, Ear, Standing } from "../../core/surface.ts";

/** A place that could not be read is tried again after so long. */
const AGAIN_MS = 30_000;
/** So many places are read at the same time: one that takes long must not hold up all others. */
const AT_ONCE = 4;

export interface CatchUpParts {
  surface: ChatName;
  clock: Clock;
  log: Log;
  ear(): Ear | null;
  isMine(place: Place): boolean;
  /**
   * All that people wrote there since `standing.since`, which is not older than `deafSince` or may still be changed; null where
   * the platform refused. Throws what may go better later.
   */
  read(standing: Standing, missed: Missed): Promise<Typed[] | null>;
}

export interface Missed {
  /** Since when something may be unread, in epoch milliseconds. */
  deafSince: number;
  /** Nobody needs to know any more. */
  isOver(): boolean;
}

export class CatchUp {
  readonly #parts: CatchUpParts;
  #runs = 0;
  /** Since when something may be unread; null: nothing is; −1: since whatever was heard last. */
  #unread: number | null = null;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /** Reads back what was missed since then (null: before the start). A later run does what this one did not get done. */
  async run(since: number | null): Promise<void> {
    const { surface, clock, log, isMine, ear: earOf } = this.#parts;
    const ear = earOf();
    if (ear === null) return;
    this.#runs += 1;
    const run = this.#runs;
    const isOver = () => run !== this.#runs;
    const unread = Math.min(since ?? -1, this.#unread ?? Number.POSITIVE_INFINITY);
    this.#unread = unread;
    try {
      const all = await ear.standing(surface);
      if (since !== null) await ear.away({ surface, from: since, until: clock.now() }, isMine);
      const waiting = all.filter(({ place }) => isMine(place));
      const reading = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          await this.#place(ear, next, { deafSince: unread < 0 ? next.heard : unread, isOver });
      };
      await Promise.all(Array.from({ length: AT_ONCE }, reading));
      if (!isOver()) this.#unread = null;
    } catch (error) {
      log.error("what was missed could not be read back", { surface, error });
    }
  }

  stop(): void {
    this.#runs += 1;
  }

  /** Nothing is told where the platform did not answer in full: what is not read is not known to be gone. */
  async #place(ear: Ear, standing: Standing, missed: Missed): Promise<void> {
    const { clock, log, read } = this.#parts;
    const { place, since: from } = standing;
    while (!missed.isOver()) {
      try {
        const messages = await read(standing, missed);
        if (messages !== null)
          await ear.reread({ place, from, messages: messages.sort((a, b) => a.at - b.at) });
        return;
      } catch (error) {
        log.warn("a place could not be read back yet", { place: place.label, error });
        await new Promise<void>((resolve) => clock.at(clock.now() + AGAIN_MS, resolve));
      }
    }
  }
}

/** The clocks of a platform and this machine may differ by so much. */
export const PAUSE_MS = 60_000;

/** What an attempt to ask a platform ended with. */
export type Reply<T, E> =
  | { kind: "ok"; value: T }
  | ({ kind: "error" } & E)
  | { kind: "limited"; afterMs: number }
  | { kind: "lost"; reason: string; afterMs: number };

/** Asks until there is an answer, as seldom as the platform wishes; null when it refuses, or nobody needs to know any more. */
export async function patiently<T, E extends object>(
  ask: () => Promise<Reply<T, E>>,
  { clock, log, isOver }: { clock: Clock; log: Log; isOver(): boolean },
): Promise<T | null> {
  while (!isOver()) {
    const reply = await ask();
    if (reply.kind === "ok") return reply.value;
    if (reply.kind === "error") {
      log.warn("a place could not be read back", { ...reply });
      return null;
    }
    await new Promise<void>((resolve) => clock.at(clock.now() + reply.afterMs, resolve));
  }
  return null;
}
