/** What goes wrong on the next calls, by a test's will. */

export type Fault =
  | { http: number }
  | { status: number; code: number }
  /** A 429 that lasts seconds, for the route, for all calls of the bot, or for all who use the resource. */
  | { retryAfter: number; scope?: "user" | "global" | "shared" }
  /** The line breaks before anything is done, or after all is done and before the answer. */
  | { lose: "request" | "response" }
  /** Nothing is done, or answered, before this resolves; `met` is called when a call has come to it. */
  | { hold: Promise<unknown>; at?: "request" | "response"; met?: () => void };

export interface When {
  /** How many calls it meets; 1 unless given. */
  times?: number;
  channel?: string;
}

export class Faults {
  readonly #planned: { route: string; fault: Fault; left: number; channel: string | null }[] = [];

  plan(route: string, fault: Fault, { times = 1, channel }: When = {}): void {
    this.#planned.push({ route, fault, left: times, channel: channel ?? null });
  }

  next(route: string, channel: string | null): Fault | null {
    const index = this.#planned.findIndex(
      (one) =>
        (one.route === route || one.route === "*") && (one.channel === null || one.channel === channel),
    );
    const planned = this.#planned[index];
    if (planned === undefined) return null;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned.splice(index, 1);
    return planned.fault;
  }
}
