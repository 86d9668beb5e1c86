/**
 * The gateway: one session of the SDK's client, which resumes after a drop. What it cannot mend (it could not log in, it has
 * been silent for long) begins anew here, as seldom as Discord likes.
 */
import { Client, Events, GatewayIntentBits, Options, SimpleShardingStrategy } from "discord.js";
import type { Clock, Log } from "../../core/ports.ts";
import { inTime } from "../shared/in-time.ts";
import { restOptions } from "./api.ts";
import { closed } from "./reasons.ts";

export interface GatewayParts {
  token: string;
  baseUrl: string | null;
  clock: Clock;
  log: Log;
  /** What was dispatched, in order. */
  onPacket(type: string, data: unknown): void;
  /** It listens; what came since then (null: before the start) was missed. Not after a resume, which replays. */
  onHearing(since: number | null): void;
  /** It does not listen any more. */
  onLost(): void;
}

const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
];
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** How long the SDK may take to reconnect before all begins anew. */
const PATIENCE_MS = 60_000;
const TIMEOUT_MS = 15_000;
const CLOSING_MS = 5_000;

/**
 * What a client hears of its session that is not wanted any more. The SDK asks for it whenever it connects, which it goes on
 * trying after it is destroyed: each would take a login, and a session of its own, once the gateway is back.
 */
const NEVER = new Promise<never>(() => {});

export class Gateway {
  readonly #parts: GatewayParts;
  #client: Client | null = null;
  #fault = "";
  #listening = false;
  /** When the last sign of life came; null before the first. */
  #heard: number | null = null;
  #attempts = 0;
  #stopped = false;
  #off = (): void => {};
  #loggingIn: Promise<void> = Promise.resolve();
  #waiting: (() => void)[] = [];

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** What it knows of servers and channels; null while it is not connected. */
  get client(): Client<true> | null {
    const client = this.#client;
    return client?.isReady() ? client : null;
  }

  get listening(): boolean {
    return this.#listening;
  }

  /** Why Discord will not have the bot; "" while that is not known. */
  get fault(): string {
    return this.#fault;
  }

  /** Resolves when it listens, or with the reason why it will not. */
  async start(): Promise<string> {
    void this.#begin();
    await this.settled();
    return this.#fault;
  }

  /** Resolves once it listens or will not. */
  async settled(): Promise<void> {
    while (!this.#listening && this.#fault === "" && !this.#stopped)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#off();
    this.#wake();
    await this.#end();
  }

  async #begin(): Promise<void> {
    await this.#end();
    if (this.#stopped || this.#fault !== "") return;
    const { token, baseUrl } = this.#parts;
    const client: Client = new Client({
      intents: INTENTS,
      ws: {
        buildStrategy: (manager) => {
          const { options } = manager;
          const before = options.retrieveSessionInfo;
          options.retrieveSessionInfo = (shard) => (this.#client === client ? before(shard) : NEVER);
          return new SimpleShardingStrategy(manager);
        },
      },
      makeCache: Options.cacheWithLimits(CACHES),
      rest: restOptions(baseUrl, TIMEOUT_MS),
    });
    this.#client = client;
    this.#attend(client);
    this.#restartAfter(PATIENCE_MS);
    this.#loggingIn = client.login(token).then(
      () => {},
      (error) => {
        if (this.#client === client) this.#failed(error);
      },
    );
  }

  #attend(client: Client): void {
    const isNow = () => this.#client === client && !this.#stopped;
    client.on(Events.Raw, (packet: { t: string; d: unknown }) => {
      if (!isNow()) return;
      this.#parts.onPacket(packet.t, packet.d);
      if (this.#listening) this.#heard = this.#parts.clock.now();
    });
    client.on(Events.ShardReady, () => isNow() && this.#listens(true));
    client.on(Events.ShardResume, () => isNow() && this.#listens(false));
    client.on(Events.ShardReconnecting, () => isNow() && this.#lost());
    client.on(Events.ShardDisconnect, ({ code }) => isNow() && this.#refused(closed(code)));
    client.on(Events.ShardError, (error) => this.#parts.log.info("the gateway's socket failed", { error }));
    client.on(Events.Error, (error) => this.#parts.log.warn("the gateway failed", { error }));
    client.on(Events.Warn, (warning) => this.#parts.log.info(`discord: ${warning}`));
  }

  #listens(anew: boolean): void {
    this.#off();
    this.#attempts = 0;
    this.#listening = true;
    const since = this.#heard;
    this.#heard = this.#parts.clock.now();
    this.#wake();
    if (anew) this.#parts.onHearing(since);
  }

  #lost(): void {
    if (this.#listening) {
      this.#noteLife();
      this.#parts.log.warn("nobody listens to Discord for now");
      this.#parts.onLost();
    }
    this.#listening = false;
    this.#restartAfter(PATIENCE_MS);
  }

  /** A socket that fell silent was alive when its last heartbeat was answered. */
  #noteLife(): void {
    const ping = this.#client?.ws.shards.first()?.lastPingTimestamp ?? -1;
    this.#heard = Math.max(this.#heard ?? 0, ping) || null;
  }

  #failed(error: unknown): void {
    const { log } = this.#parts;
    const said = error instanceof Error ? error.message : String(error);
    const code = /disallowed intents/i.test(said) ? 4014 : /invalid token/i.test(said) ? 4004 : null;
    if (code !== null) {
      this.#refused(closed(code));
      return;
    }
    log.warn("Discord's gateway cannot be reached", { error: said });
    this.#restartAfter(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts));
    this.#attempts += 1;
  }

  #refused(fault: string): void {
    this.#off();
    this.#listening = false;
    this.#fault = fault;
    this.#parts.log.error("Discord will not have the bot", { fault });
    this.#wake();
  }

  #restartAfter(ms: number): void {
    const { clock } = this.#parts;
    this.#off();
    this.#off = clock.at(clock.now() + ms, () => void this.#begin());
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** A client that is destroyed while it logs in never ends to do so. */
  async #end(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#listening = false;
    if (client === null) return;
    const late = () => new Error("it took too long");
    await inTime(this.#loggingIn, CLOSING_MS, late).catch(() => {});
    await inTime(client.destroy(), CLOSING_MS, late).catch((error) =>
      this.#parts.log.info("the gateway did not close", { error }),
    );
  }
}

/** Servers, channels and roles say what the bot may do where; nothing else is needed. */
const CACHES = {
  AutoModerationRuleManager: 0,
  ApplicationCommandManager: 0,
  BaseGuildEmojiManager: 0,
  DMMessageManager: 0,
  EntitlementManager: 0,
  GuildBanManager: 0,
  GuildEmojiManager: 0,
  GuildForumThreadManager: 0,
  GuildInviteManager: 0,
  GuildMemberManager: { maxSize: 0, keepOverLimit: isSelf },
  GuildMessageManager: 0,
  GuildScheduledEventManager: 0,
  GuildStickerManager: 0,
  GuildTextThreadManager: 0,
  MessageManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  StageInstanceManager: 0,
  ThreadManager: 0,
  ThreadMemberManager: 0,
  UserManager: { maxSize: 0, keepOverLimit: isSelf },
  VoiceStateManager: 0,
};

function isSelf({ id, client }: { id: string; client: Client }): boolean {
  return id === client.user?.id;
}
