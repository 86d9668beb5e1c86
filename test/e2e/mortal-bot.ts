/** A bot that is killed and comes back, and a client that goes on all the same, as page and terminal do. */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { type Client, connect } from "../../src/adapters/link/client.ts";
import { AskgateError } from "../../src/core/error.ts";

const MAIN = resolve("dist/main.js");

/** So many refusals in a row of a bot that serves are no bad luck any more. */
const PATIENCE = 50;

export class MortalBot {
  /** How long each start took until commands were served, in milliseconds. */
  readonly starts: number[] = [];
  kills = 0;
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;
  #served = deferred();
  #serves = false;

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  /** Starts it; `serving` resolves when it serves. */
  start(): void {
    const began = performance.now();
    const child = spawn(process.execPath, [MAIN, "bot", "run"], {
      env: this.#env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (this.#child !== child || !said.includes("the bot runs")) return;
      this.starts.push(performance.now() - began);
      said = "";
      this.#serves = true;
      this.#served.resolve();
    });
    child.once("close", (code, signal) => {
      if (this.#child === child) this.#served.reject(new Error(`the bot ended: ${code ?? signal} ${said}`));
    });
  }

  /** Resolves as soon as a bot serves, this one or the next; rejects when it ended by itself. */
  serving(): Promise<void> {
    return this.#served.promise;
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    this.kills += 1;
    await this.#end("SIGKILL");
  }

  /** Ends it in order; resolves to its exit code. */
  stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === null) return null;
    this.#child = null;
    // Those who wait for one that never came to serve wait for the next.
    if (this.#serves) this.#served = deferred();
    this.#serves = false;
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    child.kill(signal);
    return ended;
  }
}

/** A client that asks again, with the same words, until a bot has answered. */
export interface Stubborn {
  /** `call` is made again until it is answered: what it does must be the same each time. */
  insist<T>(call: (client: Client) => Promise<T>): Promise<T>;
  close(): void;
}

export function stubborn(bot: MortalBot, stateDir: string): Stubborn {
  let client: Client | null = null;
  return {
    async insist(call) {
      for (let refusals = 0; ; refusals += 1) {
        await bot.serving();
        const kills = bot.kills;
        try {
          client ??= await connect({ stateDir, start: false });
          return await call(client);
        } catch (error) {
          if (!isAway(error)) throw error;
          if (bot.kills > kills) refusals = 0;
          if (refusals > PATIENCE) throw error;
        }
      }
    },
    close: () => client?.close(),
  };
}

const isAway = (error: unknown): boolean => error instanceof AskgateError && error.code === "unreachable";

function deferred() {
  let resolve = (): void => {};
  let reject = (_error: Error): void => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
