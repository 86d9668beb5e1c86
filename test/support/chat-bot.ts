/** The bot with one chat, in this process: real SDKs and sockets, records in memory. */
import { systemClock } from "../../src/adapters/shared/clock.ts";
import { createEngine } from "../../src/core/engine.ts";
import type { Opened, OpenRequest } from "../../src/core/gate.ts";
import type { Clock, Engine, Log, Store } from "../../src/core/ports.ts";
import type { Chat, Credentials, Kept, Vault } from "../../src/core/surface.ts";
import { openMemoryStore } from "../doubles/memory-store.ts";
import { request } from "./engine.ts";

export interface BotParts {
  chat(needs: { vault: Vault; clock: Clock; log: Log }): Chat;
  credentials: Credentials;
  clock?: Clock;
  /** Puts a store of the test's own around the one in memory. */
  around?: (store: Store) => Store;
}

export interface Bot {
  engine(): Engine;
  chat(): Chat;
  logged: string[];
  vault: Vault;
  credentials: Credentials;
  /** Asks in `#plans` of the chat, unless said otherwise. */
  open(more?: Partial<OpenRequest>): Promise<Opened>;
  isRunning(): boolean;
  /** Stops the bot; `start` begins anew on what was saved. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** It does not run yet. */
export function chatBot({
  credentials,
  clock = systemClock,
  around = (store) => store,
  ...parts
}: BotParts): Bot {
  const records = new Map<string, string>();
  const logged: string[] = [];
  const vault = memoryVault();
  let running: { engine: Engine; chat: Chat } | null = null;
  const now = () => {
    if (running === null) throw new Error("the bot does not run");
    return running;
  };
  return {
    logged,
    vault,
    credentials,
    engine: () => now().engine,
    chat: () => now().chat,
    isRunning: () => running !== null,
    open: (more = {}) => now().engine.open(request({ via: [credentials.surface], to: ["#plans"], ...more })),
    async stop() {
      const { engine } = now();
      running = null;
      await engine.stop();
    },
    async start() {
      const log = logInto(logged);
      const chat = parts.chat({ vault, clock, log });
      const store = around(openMemoryStore({ records }));
      running = { chat, engine: await engineOf({ store, clock, log, chat }) };
      await chat.connect(credentials);
    },
  };
}

const engineOf = ({ store, clock, log, chat }: { store: Store; clock: Clock; log: Log; chat: Chat }) =>
  createEngine({
    store,
    storeId: "st",
    clock,
    chance: { id: randomId },
    log,
    surfaces: [chat],
    page: (session) => ({ surface: "web", label: "page", url: `http://page/#${session}`, open: null }),
    local: { id: "local:ana", name: "ana" },
  });

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

const randomId = (length: number): string =>
  Array.from({ length }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join("");

function logInto(lines: string[]): Log {
  const line =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      const { error, ...rest } = fields;
      const trace = error instanceof Error ? error.stack : (error ?? "");
      lines.push(`${level} ${message} ${JSON.stringify(rest)} ${trace}`.trim());
    };
  return { info: line("info"), warn: line("warn"), error: line("error") };
}

function memoryVault(): Vault {
  const kept = new Map<string, Kept>();
  return {
    list: () => Object.fromEntries(kept),
    async put(_surface, connection, value) {
      kept.set(connection, value);
    },
  };
}

/** Begins now and passes so many times as fast. */
export function hastyClock(times: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * times,
    at: (when, callback) => systemClock.at(start + (when - start) / times, callback),
  };
}
