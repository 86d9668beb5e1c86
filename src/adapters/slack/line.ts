/**
 * One socket of Socket Mode, from its opening to its end. The SDK closes a socket as soon as Slack says that it will renew
 * it, and with it the way on which presses are acknowledged; here it stays until Slack closes it.
 */
import { SocketModeClient } from "@slack/socket-mode";
import { WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";
import type { Clock, Log } from "../../core/ports.ts";
import { inTime } from "../shared/in-time.ts";
import { clientOptions, quietLogger } from "./api.ts";
import { type Incoming, notice } from "./wire.ts";

/** How long the opening of a socket may take, hello included … */
const OPEN_MS = 15_000;
/** … and the address of one. */
const ADDRESS_MS = 10_000;
/** How long Slack may take to close a socket that it said it would close. */
const LEAVE_MS = 30_000;
const CLOSE_MS = 2_000;
/** How long what came on a socket may take before it is closed all the same. */
const DRAIN_MS = 3_000;

export interface LineParts {
  appToken: string;
  baseUrl: string | null;
  clock: Clock;
  log: Log;
  /** Resolves once the envelope is dealt with. */
  onIncoming(incoming: Incoming): Promise<void>;
}

/** How a line ended: `fault` is Slack's word that the app token is not worth trying again. */
export type Ended = { failed: false } | { failed: true; error: unknown; fault: string; afterMs: number };

export class Line {
  /** `leaving`: it still listens, and another one takes its place. */
  state: "opening" | "listening" | "leaving" | "ended" = "opening";
  /** It said hello and has not ended. */
  open = false;
  readonly #parts: LineParts;
  readonly #client: PatientClient;
  readonly #busy = new Set<Promise<void>>();

  constructor(parts: LineParts, on: { hello(counted: number): void; leaving(): void }) {
    this.#parts = parts;
    this.#client = new PatientClient({
      appToken: parts.appToken,
      autoReconnectEnabled: false,
      logger: quietLogger(parts.log),
      clientOptions: clientOptions(parts, ADDRESS_MS),
    });
    this.#client.on("greeted", (counted: number) => {
      this.open = true;
      if (this.state === "opening") this.state = "listening";
      on.hello(counted);
    });
    this.#client.on("farewell", () => {
      const { clock } = this.#parts;
      clock.at(clock.now() + LEAVE_MS, () => void this.end());
      // Sent away before it began (too many sockets), it has failed, and the next try waits.
      if (!this.open || this.state === "leaving") return;
      this.state = "leaving";
      on.leaving();
    });
    this.#client.on("slack_event", (incoming: Incoming) => void this.#take(incoming));
  }

  /** Opens it; resolves when it has ended. Never rejects. */
  async run(): Promise<Ended> {
    const closed = new Promise<void>((resolve) => this.#client.once("disconnected", () => resolve()));
    let end: Ended = { failed: false };
    try {
      await inTime(this.#client.start(), OPEN_MS, late);
      await closed;
    } catch (error) {
      end = { failed: true, error, ...trouble(error) };
      await this.end();
    }
    this.open = false;
    this.state = "ended";
    return end;
  }

  /** Closes it once everything that came on it is acknowledged. */
  async retire(): Promise<void> {
    this.state = "leaving";
    await inTime(this.#idle(), DRAIN_MS, late).catch(() => {});
    await this.end();
  }

  async end(): Promise<void> {
    if (this.state !== "ended") await inTime(this.#client.disconnect(), CLOSE_MS, late).catch(() => {});
  }

  async #take(incoming: Incoming): Promise<void> {
    const work = this.#parts.onIncoming(incoming);
    this.#busy.add(work);
    await work;
    this.#busy.delete(work);
  }

  async #idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy);
  }
}

class PatientClient extends SocketModeClient {
  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const said = notice(data);
    if (said?.type === "disconnect") return void this.emit("farewell");
    if (said?.type === "hello") this.emit("greeted", said.num_connections);
    return super.onWebSocketMessage(data, isBinary);
  }
}

const late = (ms: number): Error => new Error(`not within ${ms} ms`);

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
  "socket_mode_disabled",
  "forbidden",
]);

function trouble(error: unknown): { fault: string; afterMs: number } {
  const code = error instanceof WebAPIPlatformError ? error.data.error : "";
  const afterMs = error instanceof WebAPIRateLimitedError ? error.retryAfter * 1000 : 0;
  return { fault: FINAL.has(code) ? code : "", afterMs };
}
