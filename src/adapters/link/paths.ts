/**
 * Where the bot keeps its state and where its socket stands. The state directory is the bot's identity: it records the
 * socket, so that a command with another environment (cron, ssh) finds the same bot.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AskgateError } from "../../core/error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Node silently cuts socket paths that do not fit into `sun_path` (104 bytes on macOS, 108 on Linux). */
const SOCKET_PATH_BYTES = 100;

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

/**
 * The socket of a state directory, in a folder that only the user can enter (made here). Throws `socket_path_too_long`
 * and `socket_folder_unsafe`.
 */
export function prepareSocket(stateDir: string, env: Environment = process.env): string {
  const name = createHash("sha256").update(stateDir).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\askgate-${name}`;
  const path = join(socketFolder(env), `${name}.sock`);
  const bytes = Buffer.byteLength(path);
  if (bytes > SOCKET_PATH_BYTES) {
    throw new AskgateError(
      "socket_path_too_long",
      `The socket path ${path} has ${bytes} bytes, at most 100 work.`,
      {
        fields: { path, bytes },
        help: "Set XDG_RUNTIME_DIR or TMPDIR to a folder with a shorter path.",
      },
    );
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!privateFolder(dirname(path))) throw unsafe(path);
  return path;
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

function socketFolder(env: Environment): string {
  const runtime = env.XDG_RUNTIME_DIR;
  if (runtime && exists(runtime)) return join(runtime, "askgate");
  return join(env.TMPDIR ? resolve(env.TMPDIR) : tmpdir(), `askgate-${userInfo().uid}`);
}

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

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A folder (no link to one) of this user that nobody else may enter. */
function privateFolder(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && (found.mode & 0o077) === 0 && ownedByUser(path);
}

const ownedByUser = (path: string): boolean =>
  process.getuid === undefined || lstatSync(path).uid === process.getuid();

const unsafe = (path: string): AskgateError =>
  new AskgateError("socket_folder_unsafe", `The folder of the socket ${path} is not the user's own (0700).`, {
    fields: { path },
    help: `Remove ${dirname(path)} if it is yours, or set XDG_RUNTIME_DIR to a folder that only you can enter.`,
  });

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
