/** Finding the bot of a state directory: the one that is recorded, else one that is started, else the next one. */

import { realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { AskgateError } from "../../core/error.ts";
import { exchange, type Reply, readText, Silence, type Trouble } from "./exchange.ts";
import { recordedSocket } from "./paths.ts";
import type { Health, Versions } from "./protocol.ts";
import type { Troubles } from "./troubles.ts";

export interface ReachOptions {
  stateDir: string;
  /** Whether a bot may be started. */
  start: boolean;
  versions: Versions;
}

/** How long the newer command that stopped a bot gets to start the next one before others do it. */
const HAND_OVER_MS = 10_000;

export class Reach {
  private readonly connections = new Set<Socket>();
  private closed = false;
  private readonly options: ReachOptions;

  constructor(options: ReachOptions) {
    this.options = options;
  }

  /** Makes sure that a bot is recorded or running, without asking it anything. */
  async find(): Promise<void> {
    if (recordedSocket(this.options.stateDir) === null) await this.start(new Error("no bot is recorded"));
  }

  /** One try on whatever bot is there. */
  async send(name: string, body: unknown, more: { signal?: AbortSignal } = {}): Promise<Reply> {
    const { stateDir, versions } = this.options;
    const socket = recordedSocket(stateDir);
    if (socket === null) return { kind: "lost", cause: new Error("no bot is recorded") };
    return exchange(
      { versions, connections: this.connections, stateDir: realpathSync(stateDir) },
      { socket, name, body, ...more },
    );
  }

  /** Gets to a bot that can be tried again, after one more trouble of a call. Throws `unreachable` when there is none. */
  async recover(trouble: Trouble, troubles: Troubles): Promise<void> {
    if (this.closed) throw new AskgateError("closed", "The connection to the bot was closed.");
    const cause = trouble.kind === "lost" ? trouble.cause : new Error(`the bot is ${trouble.kind}`);
    const times = troubles.another();
    if (times !== null) throw unreachable(`The bot went away ${times} times in a row`, cause);
    if (trouble.kind === "older") await this.stop();
    const taken = trouble.kind === "moved" && trouble.handOver && (await this.successor());
    if (!taken) await this.start(cause);
    troubles.tryAgain();
  }

  /** Tells the bot to stop, if one runs; resolves when it has put everything away. */
  async stop(): Promise<void> {
    const reply = await this.send("stop", {});
    // A bot that is lost while it stops has stopped as well.
    if (reply.kind === "answered") await readText(reply.body).catch(() => "");
  }

  close(): void {
    this.closed = true;
    for (const connection of this.connections) connection.destroy();
  }

  private async start(cause: unknown): Promise<void> {
    const { stateDir, start } = this.options;
    if (!start) throw notReached(cause);
    const { startBot } = await import("./start.ts");
    await startBot({ stateDir, answering: () => this.answering() });
  }

  /** The process of this state directory's bot, whatever its version; null when none answers. */
  private async answering(): Promise<number | null> {
    const reply = await this.send("health", {});
    if (reply.kind !== "answered") return null;
    try {
      const health: Health = JSON.parse(await readText(reply.body));
      return health.pid;
    } catch {
      return null; // Cut off in the middle.
    }
  }

  private async successor(): Promise<boolean> {
    const end = Date.now() + HAND_OVER_MS;
    while (Date.now() < end) {
      if ((await this.answering()) !== null) return true;
      await sleep(50);
    }
    return false;
  }
}

const unreachable = (what: string, cause: unknown): AskgateError =>
  new AskgateError("unreachable", `${what}.`, {
    cause,
    help: "See `askgate bot status` and `askgate bot logs`.",
  });

/** `fields.running` is false when there is no bot, true when one is there that does not answer. */
function notReached(cause: unknown): AskgateError {
  const running = cause instanceof Silence;
  return new AskgateError("unreachable", running ? "The bot does not answer." : "No bot is running.", {
    cause,
    fields: { running },
    help: running
      ? "See `askgate bot logs`; ending its process lets the next command start another."
      : "askgate bot start",
  });
}
