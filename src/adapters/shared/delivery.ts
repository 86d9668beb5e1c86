/** What a connection sends out: one queue a place; and what becomes of it once its token is of no use. */
import type { Clock, Log } from "../../core/ports.ts";
import type { Sent } from "../../core/surface.ts";
import { type Job, Outbox, type Pace } from "./outbox.ts";

/** What cannot go out because the connection is broken is tried again this often. */
export const BROKEN_MS = 30_000;
/** What had not begun when a connection was replaced goes out on the new one. */
const RENEWED: Sent = { kind: "later", afterMs: 1_000, unsure: false };

export interface DeliveryParts {
  clock: Clock;
  log: Log;
  pace: Pace;
  /** For the log: "Slack acme". */
  name: string;
}

export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #outbox: Outbox<Sent>;
  /** Why the token is of no use, for people; "" while it is. */
  #broken = "";

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#outbox = new Outbox(parts.clock, parts.pace, RENEWED);
  }

  get broken(): string {
    return this.#broken;
  }

  breaks(reason: string): void {
    if (this.#broken === reason) return;
    this.#broken = reason;
    this.#parts.log.error("a connection is of no use any more", { connection: this.#parts.name, reason });
  }

  /** While it is broken, what stands already waits for a new connection; `isHead`: what begins a round is refused. */
  async send(place: string, job: Job<Sent>, isHead = false): Promise<Sent> {
    const sent = this.#broken === "" ? await this.#outbox.send(place, job) : null;
    if (sent !== null && (sent.kind !== "refused" || this.#broken === "")) return sent;
    return isHead
      ? { kind: "refused", reason: this.#broken }
      : { kind: "later", afterMs: BROKEN_MS, unsure: false };
  }

  stop(): void {
    this.#outbox.stop();
  }
}
