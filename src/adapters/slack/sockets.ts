/**
 * Two sockets of the same app, so that one listens while the other is renewed: Slack gives each click to any one of them.
 * The SDK's own reconnecting is off (it is deaf for five seconds at every routine renewal, and ends the process on a revoked
 * token); here a socket that ends is followed by a new one.
 */
import { SocketModeClient } from "@slack/socket-mode";
import { WebAPIPlatformError } from "@slack/web-api";
import type { Clock, Log } from "../../core/ports.ts";
import { clientOptions, quietLogger } from "./api.ts";
import { hello, type Incoming } from "./wire.ts";

const SOCKETS = 2;
/** How long the opening of a socket may take, hello included. */
const OPEN_MS = 15_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
/** Sockets of a bot that was killed are counted by Slack for a while: only then are others foreign. */
const FOREIGN_MS = 120_000;

export interface SocketParts {
  appToken: string;
  baseUrl: string | null;
  clock: Clock;
  log: Log;
  onIncoming(incoming: Incoming): void;
  /** Nobody listens any more / somebody listens again, deaf since then (epoch milliseconds; null: the first time). */
  onDeaf(): void;
  onHearing(deafSince: number | null): void;
}

export class Sockets {
  readonly #parts: SocketParts;
  readonly #slots = Array.from({ length: SOCKETS }, () => new Slot());
  #stopped = false;
  #deafSince: number | null = null;
  #everHeard = false;
  /** What Slack counted at the last hello, beyond our own. */
  #strangers = 0;
  #strangersSince: number | null = null;
  /** Slack's word that the app token is not worth trying again; "" while it is. */
  #fault = "";

  constructor(parts: SocketParts) {
    this.#parts = parts;
  }

  /** Resolves once a socket listens, or with Slack's word why none will. */
  async start(): Promise<string> {
    const first = new Promise<string>((resolve) => {
      for (const slot of this.#slots) void this.#keep(slot, resolve);
    });
    return first;
  }

  get listening(): number {
    return this.#slots.filter(({ open }) => open).length;
  }

  get fault(): string {
    return this.#fault;
  }

  /** Since when another process has had sockets on this app, long enough to be sure; null while none is known. */
  get foreign(): boolean {
    const { clock } = this.#parts;
    return this.#strangersSince !== null && clock.now() - this.#strangersSince >= FOREIGN_MS;
  }

  /** How many sockets beyond our own Slack counted last. */
  get strangers(): number {
    return this.#strangers;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#slots.map((slot) => slot.end()));
  }

  async #keep(slot: Slot, first: (fault: string) => void): Promise<void> {
    let failures = 0;
    while (!this.#stopped) {
      const client = this.#client(slot, () => {
        failures = 0;
        first("");
      });
      slot.client = client;
      const ended = endOf(client);
      try {
        await inTime(client.start(), OPEN_MS);
        await ended;
      } catch (error) {
        failures += 1;
        const fault = faultOf(error);
        this.#fault = fault;
        if (fault !== "") first(fault);
        this.#parts.log.warn("a Slack socket could not be opened", { error, failures });
        await client.disconnect().catch(() => {});
      }
      this.#closed(slot);
      if (failures > 0)
        await this.#pause(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)), slot);
    }
  }

  #client(slot: Slot, onOpen: () => void): SocketModeClient {
    const { appToken, log } = this.#parts;
    const client = new SocketModeClient({
      appToken,
      autoReconnectEnabled: false,
      logger: quietLogger(log),
      clientOptions: clientOptions(this.#parts, OPEN_MS),
    });
    client.on("ws_message", (data: unknown) => {
      const greeting = hello(data);
      if (greeting === null) return;
      this.#opened(slot, greeting.num_connections);
      onOpen();
    });
    client.on("slack_event", (incoming: Incoming) => this.#parts.onIncoming(incoming));
    return client;
  }

  #opened(slot: Slot, counted: number): void {
    const { clock, onHearing } = this.#parts;
    const deaf = this.listening === 0;
    slot.open = true;
    this.#fault = "";
    this.#count(counted);
    if (!deaf) return;
    onHearing(this.#everHeard ? this.#deafSince : null);
    this.#everHeard = true;
    this.#deafSince = null;
    void clock;
  }

  #closed(slot: Slot): void {
    if (!slot.open) return;
    slot.open = false;
    if (this.listening > 0 || this.#stopped) return;
    this.#deafSince = this.#parts.clock.now();
    this.#parts.onDeaf();
  }

  /** Another process on this app takes some of the clicks. It is looked at again by opening a socket anew. */
  #count(counted: number): void {
    const { clock } = this.#parts;
    this.#strangers = Math.max(0, counted - this.listening);
    if (this.#strangers === 0) this.#strangersSince = null;
    else this.#strangersSince ??= clock.now();
    if (this.#strangers > 0) clock.at(clock.now() + FOREIGN_MS, () => this.#lookAgain());
  }

  #lookAgain(): void {
    const last = this.#slots.at(-1);
    if (this.#strangers > 0 && this.listening === SOCKETS && !this.#stopped) void last?.end();
  }

  #pause(ms: number, slot: Slot): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((resolve) => {
      const off = clock.at(clock.now() + ms, resolve);
      slot.wake = () => {
        off();
        resolve();
      };
    });
  }
}

class Slot {
  open = false;
  client: SocketModeClient | null = null;
  wake = (): void => {};

  async end(): Promise<void> {
    this.wake();
    await this.client?.disconnect().catch(() => {});
  }
}

const endOf = (client: SocketModeClient): Promise<void> =>
  new Promise((resolve) => client.once("disconnected", () => resolve()));

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no hello within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Tokens and settings that will not work next time either. */
const FINAL = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "not_allowed_token_type",
  "no_permission",
  "missing_scope",
  "socket_mode_not_enabled",
  "forbidden",
]);

function faultOf(error: unknown): string {
  const code = error instanceof WebAPIPlatformError ? error.data.error : "";
  return FINAL.has(code) ? code : "";
}
