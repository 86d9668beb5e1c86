/** What a bot looks after while it runs: whether anybody needs it, and whether it can still be found. */
import { lstatSync } from "node:fs";
import { recordedSocket, recordSocket } from "../adapters/link/paths.ts";
import type { LinkServer } from "../adapters/link/server.ts";
import { prepareSocket } from "../adapters/link/socket.ts";
import type { Clock, Engine, Log } from "../core/ports.ts";
import type { Lock } from "./lock.ts";

const IDLE_MS = 60 * 60_000;
const IDLE_LOOK_MS = 60_000;

/** Well below the time that a command gives a bot to answer. */
const FIND_LOOK_MS = 5_000;

interface Upkeep {
  clock: Clock;
  engine: Pick<Engine, "figures">;
  link: LinkServer;
  lock: Lock;
  log: Log;
  stateDir: string;
}

/** Calls back once when for an hour nobody called, waited or watched and nothing was open. */
export function whenIdle(
  { clock, engine, link }: Pick<Upkeep, "clock" | "engine" | "link">,
  callback: () => void,
): void {
  let needed = clock.now();
  let calls = 0;
  const look = (): void => {
    const { open, waiting, watching } = engine.figures();
    const now = link.figures();
    if (open + waiting + watching + now.waiting > 0 || now.calls > calls) needed = clock.now();
    calls = now.calls;
    if (clock.now() - needed >= IDLE_MS) callback();
    else clock.at(clock.now() + IDLE_LOOK_MS, look);
  };
  look();
}

/**
 * Temporary folders are cleaned up and a runtime folder goes with the user's last login, while the bot lives on: it then
 * listens anew. Calls back once when the state directory itself went, or is another bot's. The function returned ends it.
 */
export function keepFindable({ clock, link, lock, log, stateDir }: Upkeep, callback: () => void): () => void {
  let off = (): void => {};
  let ended = false;
  const look = async (): Promise<void> => {
    if (!lock.isHeld()) return callback();
    if (!isFindable(stateDir, link.socket())) await listenAnew({ link, log, stateDir });
    if (!ended) arm();
  };
  const arm = (): void => {
    off = clock.at(clock.now() + FIND_LOOK_MS, () => void look());
  };
  arm();
  return () => {
    ended = true;
    off();
  };
}

async function listenAnew({ link, log, stateDir }: Pick<Upkeep, "link" | "log" | "stateDir">): Promise<void> {
  try {
    const socket = prepareSocket(stateDir);
    await link.listen(socket);
    recordSocket(stateDir, socket);
    log.warn("the socket was gone; listening anew", { socket });
  } catch (error) {
    log.error("the socket is gone and cannot be made anew", { error });
  }
}

function isFindable(stateDir: string, socket: string): boolean {
  try {
    const there = process.platform === "win32" || lstatSync(socket, { throwIfNoEntry: false }) !== undefined;
    return there && recordedSocket(stateDir) === socket;
  } catch {
    return false;
  }
}
