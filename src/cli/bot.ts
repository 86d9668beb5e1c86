/** The long-running process: it holds the lock, serves the link, and puts everything away when it is time. */
import { setTimeout as sleep } from "node:timers/promises";
import { forgetSocket, prepareStateDirectory, recordSocket } from "../adapters/link/paths.ts";
import { BOT_RUNNING, LINK_VERSION, LOG_NAME, type Versions } from "../adapters/link/protocol.ts";
import { type LinkServer, serveLink } from "../adapters/link/server.ts";
import { prepareSocket } from "../adapters/link/socket.ts";
import { systemClock } from "../adapters/shared/clock.ts";
import { type LogFile, openLog } from "../adapters/shared/log.ts";
import { VERSION } from "../adapters/shared/package.ts";
import { STORE_SCHEMA } from "../adapters/store/open.ts";
import { AskgateError } from "../core/error.ts";
import type { Clock } from "../core/ports.ts";
import { type Bot, composeBot, type OpenChats, openState } from "./compose.ts";
import { type Lock, takeLock } from "./lock.ts";
import { keepFindable, whenIdle } from "./upkeep.ts";

export interface BotOptions {
  stateDir: string;
  /** Ends the bot when nobody has waited and nothing has been open for an hour. */
  idleExit: boolean;
  clock?: Clock;
  versions?: Versions;
  openChats?: OpenChats;
  /** Ends the bot when aborted; an `Error` as its reason makes `runBot` throw it. */
  signal: AbortSignal;
  /** Called when commands are served. */
  onReady?: (ready: { page: string; logFile: string }) => void;
}

/** What still runs when the bot stops may finish for so long. */
const FINISH_MS = 10_000;

/** Runs until it is told to stop or nobody needs it. Throws `bot_running`, `store_newer` and what else keeps it from running. */
export async function runBot(options: BotOptions): Promise<void> {
  const stateDir = prepareStateDirectory(options.stateDir);
  const log = openLog({ dir: stateDir, name: LOG_NAME });
  const onRejection = (error: unknown): void => log.error("a rejection nobody handled", { error });
  process.on("unhandledRejection", onRejection);
  try {
    await hold({ ...options, stateDir }, log);
  } catch (error) {
    // That one's log is not ours to write to.
    const isRefused = error instanceof AskgateError && error.code === BOT_RUNNING;
    if (!isRefused) log.error("the bot ends on an error", { error });
    throw error;
  } finally {
    process.off("unhandledRejection", onRejection);
    await log.close();
  }
}

/** With the lock held and the store open; the next bot may start when both are let go. */
async function hold(options: BotOptions, log: LogFile): Promise<void> {
  const { stateDir, clock = systemClock } = options;
  const socket = prepareSocket(stateDir);
  const lock = await takeLock(stateDir);
  let link: LinkServer | null = null;
  try {
    const state = await openState(stateDir, log);
    try {
      const bot = await composeBot({ ...state, stateDir, clock, log, openChats: options.openChats });
      link = await serve({ options, clock, log, bot, lock, socket });
    } finally {
      await state.store.close();
    }
  } finally {
    lock.release();
    await link?.close();
  }
}

interface Serving {
  options: BotOptions;
  clock: Clock;
  log: LogFile;
  bot: Bot;
  lock: Lock;
  socket: string;
}

/** Serves commands until it is time to stop; then nobody is served any more, but who asked to stop is not answered yet. */
async function serve({ options, clock, log, bot, lock, socket }: Serving): Promise<LinkServer> {
  const { stateDir, versions = { link: LINK_VERSION, version: VERSION } } = options;
  const end = ending(options.signal);
  try {
    const onStop = (handOver: boolean) => end.now({ reason: "a command asked for it", handOver });
    const facts = factsOf(bot, { started: new Date(clock.now()).toISOString(), logFile: log.path });
    const { engine: gate, chats } = bot;
    const link = await serveLink({ gate, chats, stateDir, versions, facts, onStop, log }, socket);
    recordSocket(stateDir, socket);
    log.info("ready", { ...versions, stateDir, socket, page: facts().page });
    options.onReady?.(facts());
    const upkeep = { clock, engine: bot.engine, link, lock, log, stateDir };
    if (options.idleExit) whenIdle(upkeep, () => end.now({ reason: "idle", handOver: false }));
    const off = keepFindable(upkeep, () =>
      end.now({ reason: "the state directory is gone", handOver: false }),
    );
    const { reason, handOver } = await end.promise.finally(off);
    log.info("stopping", { reason, handOver });
    lock.stopping();
    await inTime(link.drain(handOver));
    return link;
  } finally {
    if (lock.isHeld()) forgetSocket(stateDir);
    await inTime(bot.stop());
  }
}

const factsOf =
  ({ engine, web, connections }: Bot, constant: { started: string; logFile: string }) =>
  () => {
    const { sessions, open, watching } = engine.figures();
    const page = `http://127.0.0.1:${web.port}/`;
    const counts = { sessions, openRounds: open, watching };
    return { ...constant, ...counts, store: STORE_SCHEMA, page, connections: connections() };
  };

interface Ending {
  reason: string;
  handOver: boolean;
}

function ending(signal: AbortSignal): { promise: Promise<Ending>; now(ending: Ending): void } {
  let now: (ending: Ending) => void = () => {};
  const promise = new Promise<Ending>((resolve, reject) => {
    now = resolve;
    const aborted = (): void => {
      const reason: unknown = signal.reason;
      if (reason instanceof Error && reason.name !== "AbortError") reject(reason);
      else resolve({ reason: typeof reason === "string" ? reason : "told to", handOver: false });
    };
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted, { once: true });
  });
  return { promise, now };
}

async function inTime(work: Promise<void>): Promise<void> {
  const done = new AbortController();
  const timeout = sleep(FINISH_MS, undefined, { signal: done.signal });
  await Promise.race([work, timeout]).finally(() => done.abort());
}
