/** The long-running process: it holds the lock, serves the link, and puts everything away when it is time. */
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { forgetSocket, prepareSocket, prepareStateDirectory, recordSocket } from "../adapters/link/paths.ts";
import { LINK_VERSION, LOG_NAME, type Versions } from "../adapters/link/protocol.ts";
import { type LinkServer, serveLink } from "../adapters/link/server.ts";
import { systemClock } from "../adapters/shared/clock.ts";
import { type LogFile, openLog } from "../adapters/shared/log.ts";
import { VERSION } from "../adapters/shared/package.ts";
import { STORE_SCHEMA } from "../adapters/store/open.ts";
import type { Clock } from "../core/ports.ts";
import { type Bot, composeBot, openState } from "./compose.ts";
import { takeLock } from "./lock.ts";

export interface BotOptions {
  stateDir: string;
  /** Ends the bot when nobody has waited and nothing has been open for an hour. */
  idleExit: boolean;
  clock?: Clock;
  versions?: Versions;
  /** Ends the bot when aborted; an `Error` as its reason makes `runBot` throw it. */
  signal: AbortSignal;
  /** Called when commands are served. */
  onReady?: (ready: { page: string; logFile: string }) => void;
}

const IDLE_MS = 60 * 60_000;
const IDLE_LOOK_MS = 60_000;

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
    log.error("the bot ends on an error", { error });
    throw error;
  } finally {
    process.off("unhandledRejection", onRejection);
    await log.close();
  }
}

/** With the lock held and the store open; the next bot may start when both are let go. */
async function hold(options: BotOptions, log: LogFile): Promise<void> {
  const { stateDir, clock = systemClock } = options;
  let link: LinkServer | null = null;
  const lock = await takeLock(stateDir);
  try {
    const state = await openState(stateDir, log);
    try {
      const bot = await composeBot({ ...state, stateDir, clock, log });
      link = await serve({ options, log, bot, stopping: lock.stopping });
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
  log: LogFile;
  bot: Bot;
  stopping(): void;
}

/** Serves commands until it is time to stop; then no command is served any more, but who asked to stop is not answered yet. */
async function serve({ options, log, bot, stopping }: Serving): Promise<LinkServer> {
  const { stateDir, clock = systemClock, versions = { link: LINK_VERSION, version: VERSION } } = options;
  const socket = prepareSocket(stateDir);
  const end = ending(options.signal);
  const started = new Date(clock.now()).toISOString();
  const page = `http://127.0.0.1:${bot.web.port}/`;
  const facts = () => {
    const { sessions, open, watching } = bot.engine.figures();
    return { store: STORE_SCHEMA, started, sessions, openRounds: open, watching, page, logFile: log.path };
  };
  try {
    const onStop = (handOver: boolean) => end.now({ reason: "a command asked for it", handOver });
    const link = await serveLink({ gate: bot.engine, stateDir, socket, versions, facts, onStop, log });
    recordSocket(stateDir, socket);
    log.info("ready", { ...versions, stateDir, socket, page });
    options.onReady?.({ page, logFile: log.path });
    if (options.idleExit)
      whenIdle(clock, busyness(bot, link), () => end.now({ reason: "idle", handOver: false }));
    const { reason, handOver } = await end.promise;
    log.info("stopping", { reason, handOver });
    stopping();
    await inTime(link.drain(handOver));
    return link;
  } finally {
    forgetSocket(stateDir);
    if (process.platform !== "win32") rmSync(socket, { force: true });
    await inTime(bot.stop());
  }
}

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

/** Whether somebody needed the bot since it was last asked. */
function busyness(bot: Bot, link: LinkServer): () => boolean {
  let calls = 0;
  return () => {
    const { open, waiting, watching } = bot.engine.figures();
    const now = link.figures();
    const busy = open + waiting + watching + now.waiting + now.watching > 0 || now.calls > calls;
    calls = now.calls;
    return busy;
  };
}

/** Calls back once when `busy` has said no for an hour. */
function whenIdle(clock: Clock, busy: () => boolean, callback: () => void): void {
  let needed = clock.now();
  const look = (): void => {
    if (busy()) needed = clock.now();
    if (clock.now() - needed >= IDLE_MS) callback();
    else clock.at(clock.now() + IDLE_LOOK_MS, look);
  };
  look();
}

const inTime = (work: Promise<void>): Promise<unknown> =>
  Promise.race([work, sleep(FINISH_MS, undefined, { ref: false })]);
