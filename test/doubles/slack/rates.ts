/** How often a method may be called: buckets that refill, and waits that were ordered with Retry-After. */
import type { Ledger } from "../shared/ledger.ts";
import { Waits } from "../shared/waits.ts";
import type { Json } from "./wire.ts";

interface Bucket {
  capacity: number;
  perSecond: number;
}

/** platforms.md A3; bursts are generous. */
const BUCKETS: { [method: string]: Bucket } = {
  "chat.postMessage": { capacity: 5, perSecond: 1 },
  "chat.update": { capacity: 50, perSecond: 50 / 60 },
  "chat.delete": { capacity: 50, perSecond: 50 / 60 },
  "chat.postEphemeral": { capacity: 100, perSecond: 100 / 60 },
  "conversations.history": { capacity: 50, perSecond: 50 / 60 },
  "conversations.replies": { capacity: 50, perSecond: 50 / 60 },
  "conversations.members": { capacity: 100, perSecond: 100 / 60 },
  "conversations.list": { capacity: 20, perSecond: 20 / 60 },
  "conversations.info": { capacity: 50, perSecond: 50 / 60 },
  "conversations.open": { capacity: 50, perSecond: 50 / 60 },
  "users.info": { capacity: 100, perSecond: 100 / 60 },
  "users.list": { capacity: 20, perSecond: 20 / 60 },
  "users.lookupByEmail": { capacity: 50, perSecond: 50 / 60 },
  "users.conversations": { capacity: 50, perSecond: 50 / 60 },
  "reactions.add": { capacity: 50, perSecond: 50 / 60 },
  "reactions.remove": { capacity: 20, perSecond: 20 / 60 },
  "reactions.get": { capacity: 50, perSecond: 50 / 60 },
  "views.open": { capacity: 100, perSecond: 100 / 60 },
  "views.update": { capacity: 100, perSecond: 100 / 60 },
  "views.push": { capacity: 100, perSecond: 100 / 60 },
  "files.getUploadURLExternal": { capacity: 100, perSecond: 100 / 60 },
  "files.completeUploadExternal": { capacity: 100, perSecond: 100 / 60 },
  "apps.connections.open": { capacity: 20, perSecond: 20 / 60 },
};

/** Those whose limit is one per channel. */
const PER_CHANNEL = new Set(["chat.postMessage"]);

export interface Calling {
  team: string;
  method: string;
  channel: string | null;
  args: Json;
}

export class Rates {
  readonly #factor: number;
  readonly #now: () => number;
  readonly #ledger: Ledger;
  readonly #levels = new Map<string, { tokens: number; at: number }>();
  readonly #waits: Waits<null>;

  constructor(factor: number, now: () => number, ledger: Ledger) {
    this.#factor = factor;
    this.#now = now;
    this.#ledger = ledger;
    this.#waits = new Waits(now);
  }

  /** The seconds to wait, or null where the call may pass. */
  refusal(calling: Calling): number | null {
    const early = this.#waits.early([methodKey(calling), channelKey(calling)], calling.args);
    if (early === null) return this.#drained(calling);
    const { method, channel } = calling;
    if (early.knowing)
      this.#ledger.violation(
        `${method} was called ${early.left} ms before its Retry-After had passed (${channel ?? "no channel"})`,
      );
    return Math.max(1, Math.ceil(early.left / 1000));
  }

  /** Orders a wait, as a 429 does. */
  order(calling: Calling, seconds: number, perChannel: boolean): void {
    const key = perChannel ? channelKey(calling) : methodKey(calling);
    this.#waits.order(key, seconds, { sent: calling.args, about: null });
  }

  #drained(calling: Calling): number | null {
    const bucket = BUCKETS[calling.method];
    if (bucket === undefined || !Number.isFinite(this.#factor)) return null;
    const perChannel = PER_CHANNEL.has(calling.method);
    const key = perChannel ? channelKey(calling) : methodKey(calling);
    const now = this.#now();
    const capacity = bucket.capacity * this.#factor;
    const perSecond = bucket.perSecond * this.#factor;
    const level = this.#levels.get(key) ?? { tokens: capacity, at: now };
    level.tokens = Math.min(capacity, level.tokens + ((now - level.at) / 1000) * perSecond);
    level.at = now;
    this.#levels.set(key, level);
    if (level.tokens >= 1) {
      level.tokens -= 1;
      return null;
    }
    const seconds = Math.max(1, Math.ceil((1 - level.tokens) / perSecond));
    this.order(calling, seconds, perChannel);
    return seconds;
  }
}

const methodKey = ({ team, method }: Calling): string => `${team} ${method}`;
const channelKey = ({ team, method, channel }: Calling): string => `${team} ${method} ${channel}`;
