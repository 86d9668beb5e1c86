/** Numbered changes of a session's cards for one reader: the first frame has all of them, later ones what changed. */
import type { Card } from "./card.ts";
import type { Frame } from "./gate.ts";
import type { Session } from "./session.ts";

export class Frames {
  readonly #draw: (session: Session) => Card[];
  /** Card key → the card as last sent, as text. */
  #sent = new Map<string, string>();
  #order = "";
  #number = 0;
  #next: Session | null = null;
  #wake = (): void => {};

  constructor(draw: (session: Session) => Card[]) {
    this.#draw = draw;
  }

  /** The session as it is now; what was not read yet is left out, since frames tell the state and not the way. */
  put(session: Session): void {
    this.#next = session;
    this.#wake();
  }

  /** Ends with the session, or when the signal aborts. */
  async *read(signal: AbortSignal): AsyncGenerator<Frame> {
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const session = this.#next;
      this.#next = null;
      const frame = session === null ? null : this.#frame(session);
      if (frame !== null) yield frame;
      if (frame?.ended) return;
      if (this.#next === null && !signal.aborted) await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** What changed since the last frame; null if nothing did. */
  #frame(session: Session): Frame | null {
    const all = this.#draw(session).map((card) => ({ card, text: JSON.stringify(card) }));
    const changed = all.filter(({ card, text }) => this.#sent.get(card.key) !== text);
    const order = all.map(({ card }) => card.key);
    const ended = session.ended !== null;
    if (changed.length === 0 && order.join("\n") === this.#order && !ended && this.#number > 0) return null;
    this.#sent = new Map(all.map(({ card, text }) => [card.key, text]));
    this.#order = order.join("\n");
    this.#number += 1;
    return { number: this.#number, order, cards: changed.map(({ card }) => card), ended };
  }
}
