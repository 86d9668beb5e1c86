/** How often a route may be called: windows per bucket, one for everything, and waits that were ordered by a 429. */
import type { Ledger } from "../shared/ledger.ts";
import { Waits } from "../shared/waits.ts";
import type { Json } from "./wire.ts";

interface Window {
  limit: number;
  /** How long it is, in ms. */
  per: number;
}

/** Discord publishes none; these are what its headers have been seen to say. */
const WINDOWS: { [route: string]: Window } = {
  "POST /channels/:channel/messages": { limit: 5, per: 5_000 },
  "PATCH /channels/:channel/messages/:message": { limit: 5, per: 5_000 },
  "DELETE /channels/:channel/messages/:message": { limit: 5, per: 1_000 },
  "GET /channels/:channel/messages": { limit: 5, per: 5_000 },
  "PUT /channels/:channel/messages/:message/reactions/:emoji/@me": { limit: 1, per: 250 },
  "POST /channels/:channel/messages/:message/threads": { limit: 50, per: 300_000 },
  "POST /channels/:channel/threads": { limit: 50, per: 300_000 },
  "PATCH /channels/:channel": { limit: 5, per: 15_000 },
  "POST /users/@me/channels": { limit: 10, per: 10_000 },
  "POST /webhooks/:app/:token": { limit: 5, per: 2_000 },
};
const OTHERS: Window = { limit: 50, per: 1_000 };
const GLOBAL: Window = { limit: 50, per: 1_000 };

export type Scope = "user" | "global" | "shared";

export interface Calling {
  route: string;
  /** The channel, server or webhook that has a bucket of its own. */
  major: string;
  body: Json;
}

export interface TooMany {
  seconds: number;
  scope: Scope;
}

export class Rates {
  readonly #factor: number;
  readonly #now: () => number;
  readonly #ledger: Ledger;
  readonly #levels = new Map<string, { left: number; ends: number }>();
  readonly #waits: Waits<Scope>;

  constructor(factor: number, now: () => number, ledger: Ledger) {
    this.#factor = factor;
    this.#now = now;
    this.#ledger = ledger;
    this.#waits = new Waits(now);
  }

  /** How long to wait, or null where the call may pass. */
  refusal(calling: Calling): TooMany | null {
    const { route, major, body } = calling;
    const keys = [...(isExempt(calling) ? [] : ["global"]), bucketOf(calling)];
    const early = this.#waits.early(keys, body);
    if (early === null) return this.#drained(calling);
    const { left, knowing, about } = early;
    if (knowing)
      this.#ledger.violation(`${route} was called ${left} ms before its retry_after had passed (${major})`);
    return { seconds: left / 1000, scope: about };
  }

  /** Orders a wait, as a 429 does. */
  order(calling: Calling, { seconds, scope }: TooMany): void {
    const key = scope === "global" ? "global" : bucketOf(calling);
    this.#waits.order(key, seconds, { sent: calling.body, about: scope });
  }

  /** The headers of every answer; none where limits are lifted. */
  headers(calling: Calling): { [name: string]: string } {
    const level = this.#levels.get(bucketOf(calling));
    if (!Number.isFinite(this.#factor) || level === undefined) return {};
    const seconds = Math.max(0, level.ends - this.#now()) / 1000;
    return {
      "x-ratelimit-bucket": Buffer.from(calling.route).toString("hex").slice(0, 32),
      "x-ratelimit-limit": String(this.#limit(windowOf(calling))),
      "x-ratelimit-remaining": String(level.left),
      "x-ratelimit-reset": (level.ends / 1000).toFixed(3),
      "x-ratelimit-reset-after": seconds.toFixed(3),
    };
  }

  #drained(calling: Calling): TooMany | null {
    if (!Number.isFinite(this.#factor)) return null;
    const overall = isExempt(calling) ? null : this.#take("all", GLOBAL);
    const own = overall ?? this.#take(bucketOf(calling), windowOf(calling));
    if (own === null) return null;
    const refused: TooMany = { seconds: own / 1000, scope: overall === null ? "user" : "global" };
    this.order(calling, refused);
    return refused;
  }

  /** The ms until the window is over, where nothing is left in it. */
  #take(key: string, window: Window): number | null {
    const now = this.#now();
    const before = this.#levels.get(key);
    const level =
      before === undefined || before.ends <= now
        ? { left: this.#limit(window), ends: now + window.per }
        : before;
    this.#levels.set(key, level);
    if (level.left < 1) return Math.max(1, level.ends - now);
    level.left -= 1;
    return null;
  }

  #limit = ({ limit }: Window): number => Math.max(1, Math.floor(limit * this.#factor));
}

const windowOf = ({ route }: Calling): Window => WINDOWS[route] ?? OTHERS;
const bucketOf = ({ route, major }: Calling): string => `${route} ${major}`;
/** Answers to interactions count for no overall limit. */
const isExempt = ({ route }: Calling): boolean =>
  route.includes("/interactions/") || route.includes("/webhooks/");
