/**
 * Two sockets of the same app, so that one listens when the other breaks: Slack gives each click to any one of them. A socket
 * that is about to be renewed has a successor before it goes. The SDK's own reconnecting is off: it is deaf for five seconds
 * at every renewal, and ends the process on a revoked token.
 */
import { type Ended, Line, type LineParts } from "./line.ts";
import { Strangers } from "./strangers.ts";

const SOCKETS = 2;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

export interface SocketParts extends LineParts {
  /** Nobody listens any more / somebody listens again, deaf since then (epoch milliseconds; null: the first time). */
  onDeaf(): void;
  onHearing(deafSince: number | null): void;
}

export class Sockets {
  readonly #parts: SocketParts;
  /** The oldest first. */
  readonly #lines = new Set<Line>();
  readonly strangers: Strangers;
  #stopped = false;
  #failures = 0;
  /** Until the next try; null while none is waited for. */
  #off: (() => void) | null = null;
  #hearing = false;
  #deafSince: number | null = null;
  /** Slack's word that the app token is not worth trying again; "" while it is. */
  #fault = "";
  #first = (_fault: string): void => {};
  #looked: (() => void)[] = [];

  constructor(parts: SocketParts) {
    this.#parts = parts;
    this.strangers = new Strangers(parts.clock, () => void this.look());
  }

  /** Resolves once a socket listens, or with Slack's word why none will. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.#first = resolve;
      this.#fill();
    });
  }

  get listening(): number {
    return [...this.#lines].filter(({ open }) => open).length;
  }

  get fault(): string {
    return this.#fault;
  }

  /** Has Slack count again, which it does for a new socket only; resolves when it did, or could not. */
  look(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped || this.listening < SOCKETS) return resolve();
      this.#looked.push(resolve);
      if (this.#staying.length <= SOCKETS) this.#open();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#off?.();
    this.strangers.forget();
    await Promise.all([...this.#lines].map((line) => line.retire()));
  }

  get #staying(): Line[] {
    return [...this.#lines].filter(({ state }) => state === "opening" || state === "listening");
  }

  #fill(): void {
    if (this.#stopped || this.#off !== null) return;
    for (let missing = SOCKETS - this.#staying.length; missing > 0; missing -= 1) this.#open();
  }

  #open(): void {
    const line: Line = new Line(this.#parts, {
      hello: (counted) => this.#greeted(line, counted),
      leaving: () => this.#fill(),
    });
    this.#lines.add(line);
    void line.run().then((end) => this.#ended(line, end));
  }

  #greeted(line: Line, counted: number): void {
    if (this.#stopped) return void line.end();
    this.#failures = 0;
    this.#fault = "";
    this.strangers.note(counted - this.#lines.size);
    this.#lookedUp();
    for (const old of this.#staying.slice(0, -SOCKETS)) void old.retire();
    if (this.#hearing) return;
    this.#hearing = true;
    this.#parts.onHearing(this.#deafSince);
    this.#first("");
  }

  #ended(line: Line, end: Ended): void {
    const { clock, onDeaf } = this.#parts;
    this.#lines.delete(line);
    this.#lookedUp();
    if (this.#stopped) return;
    if (this.#hearing && this.listening === 0) {
      this.#hearing = false;
      this.#deafSince = clock.now();
      onDeaf();
    }
    if (end.failed) this.#pause(end);
    this.#fill();
  }

  #lookedUp(): void {
    for (const resolve of this.#looked.splice(0)) resolve();
  }

  /** Waits before the next try, longer each time. Two that fail together count once. */
  #pause({ error, fault, afterMs }: Extract<Ended, { failed: true }>): void {
    if (fault !== "") {
      this.#fault = fault;
      this.#first(fault);
    }
    const { clock, log } = this.#parts;
    log.warn("a Slack socket could not be opened", { error });
    if (this.#off !== null) return;
    const ms = Math.max(afterMs, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures));
    this.#failures += 1;
    this.#off = clock.at(clock.now() + ms, () => {
      this.#off = null;
      this.#fill();
    });
  }
}
