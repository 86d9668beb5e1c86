/** What the gate's stream shows of one round right now. */
import type { Card, Limits } from "../../core/card.ts";
import type { Frame, Gate } from "../../core/gate.ts";
import { type Picture, pictureOf } from "./picture.ts";

/** A terminal scrolls: nothing has to be shortened. */
const ENDLESS = 1e9;

export const TERMINAL_LIMITS: Limits = {
  card: ENDLESS,
  text: ENDLESS,
  entries: ENDLESS,
  entryText: ENDLESS,
  units: ENDLESS,
  unitsPer: { text: 1, choice: 1, controls: 1 },
  files: "inline",
  blocks: "place",
  planCards: ENDLESS,
  planCardsDirect: ENDLESS,
};

export interface Watched {
  gate: Pick<Gate, "watch">;
  session: string;
  round: string;
  locale: string;
}

export class Board {
  picture: Picture | null = null;
  private readonly round: string;
  private readonly cards = new Map<string, Card>();
  private readonly waiting = new Set<() => void>();
  private readonly onChange: (before: Picture, after: Picture) => void;

  constructor(round: string, onChange: (before: Picture, after: Picture) => void) {
    this.round = round;
    this.onChange = onChange;
  }

  /** Takes the frames of the session; resolves when the round is settled or the session has ended. */
  async follow({ gate, session, locale }: Watched, signal: AbortSignal): Promise<void> {
    const view = { surface: "terminal" as const, limits: TERMINAL_LIMITS, locale };
    for await (const frame of gate.watch(session, view, signal)) {
      this.take(frame);
      if (frame.ended || this.picture?.settled) return;
    }
  }

  /** Resolves at the next change, or when `ms` are over. */
  change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(() => done(), ms) : undefined;
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      this.waiting.add(done);
    });
  }

  /** Lets go of whoever waits for a change. */
  release(): void {
    for (const done of this.waiting) done();
  }

  private take({ order, cards }: Frame): void {
    for (const card of cards) this.cards.set(card.key, card);
    for (const key of this.cards.keys()) if (!order.includes(key)) this.cards.delete(key);
    const shown = order.flatMap((key) => this.cards.get(key) ?? []);
    const before = this.picture;
    this.picture = pictureOf(shown, this.round);
    if (before !== null && this.picture !== null) this.onChange(before, this.picture);
    this.release();
  }
}
