/** What goes wrong on the next calls, by a test's will. Platforms add what they answer themselves. */

export type LineFault =
  | { http: number }
  /** The line breaks before anything is done, or after all is done and before the answer. */
  | { lose: "request" | "response" }
  | Hold;

/** Nothing is done, or answered, before this resolves; `met` is called when a call has come to it. */
export interface Hold {
  hold: Promise<unknown>;
  at?: "request" | "response";
  met?: () => void;
}

export async function held({ hold, met }: Hold): Promise<void> {
  met?.();
  await hold;
}

export interface When {
  /** How many calls it meets; 1 unless given. */
  times?: number;
  channel?: string;
}

/** By what is called: a method or a route; `*` for any. */
export class Faults<Fault> {
  readonly #planned: { call: string; fault: Fault; left: number; channel: string | null }[] = [];

  plan(call: string, fault: Fault, { times = 1, channel }: When = {}): void {
    this.#planned.push({ call, fault, left: times, channel: channel ?? null });
  }

  next(call: string, channel: string | null): Fault | null {
    const index = this.#planned.findIndex(
      (one) => (one.call === call || one.call === "*") && (one.channel === null || one.channel === channel),
    );
    const planned = this.#planned[index];
    if (planned === undefined) return null;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned.splice(index, 1);
    return planned.fault;
  }
}
