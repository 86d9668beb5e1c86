/**
 * Where the bot keeps its state and where its socket stands. The state directory is the bot's identity: it records the
 * socket, so that a command with another environment (cron, ssh) finds the same bot.
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AskgateError } from "../../core/error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const RECORD = "bot.json";

/** `ASKGATE_STATE_DIR`, else the platform's folder for state; always absolute. */
export function stateDirectory(env: Environment = process.env, platform = process.platform): string {
  const chosen = env.ASKGATE_STATE_DIR;
  if (chosen) return resolve(chosen);
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "askgate");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "askgate");
  return env.XDG_STATE_HOME
    ? join(env.XDG_STATE_HOME, "askgate")
    : join(homedir(), ".local", "state", "askgate");
}

/** Makes the state directory, for the user alone, and returns its one true path. Throws `state_dir_unusable`. */
export function prepareStateDirectory(stateDir: string): string {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    const path = realpathSync(stateDir);
    if (!ownedByUser(path)) throw new Error("it belongs to another user");
    return path;
  } catch (cause) {
    throw new AskgateError(
      "state_dir_unusable",
      `The state directory ${stateDir} cannot be used: ${reason(cause)}`,
      {
        fields: { stateDir },
        help: "Set ASKGATE_STATE_DIR to a folder that you own and may write.",
        cause,
      },
    );
  }
}

/** Where the bot of this state directory was last listening; null if none ever did or it stopped. */
export function recordedSocket(stateDir: string): string | null {
  const path = readRecord(stateDir);
  // Someone else could have put a socket of theirs where a vanished folder of ours stood.
  if (
    path !== null &&
    process.platform !== "win32" &&
    exists(dirname(path)) &&
    !privateFolder(dirname(path))
  ) {
    throw unsafe(path);
  }
  return path;
}

export function recordSocket(stateDir: string, socket: string): void {
  const temporary = join(stateDir, `${RECORD}.${process.pid}`);
  writeFileSync(temporary, JSON.stringify({ socket, pid: process.pid }), { mode: 0o600 });
  renameSync(temporary, join(stateDir, RECORD));
}

export const forgetSocket = (stateDir: string): void => rmSync(join(stateDir, RECORD), { force: true });

function readRecord(stateDir: string): string | null {
  try {
    const record: unknown = JSON.parse(readFileSync(join(stateDir, RECORD), "utf8"));
    return record !== null &&
      typeof record === "object" &&
      "socket" in record &&
      typeof record.socket === "string"
      ? record.socket
      : null;
  } catch {
    return null;
  }
}

export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A folder (no link to one) of this user that nobody else may enter. */
export function privateFolder(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && (found.mode & 0o077) === 0 && ownedByUser(path);
}

const ownedByUser = (path: string): boolean =>
  process.getuid === undefined || lstatSync(path).uid === process.getuid();

export const unsafe = (path: string): AskgateError =>
  new AskgateError("socket_folder_unsafe", `The folder of the socket ${path} is not the user's own (0700).`, {
    fields: { path },
    help: `Remove ${dirname(path)} if it is yours, or set XDG_RUNTIME_DIR to a folder that only you can enter.`,
  });

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
