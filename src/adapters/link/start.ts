/**
 * Starting a bot from a command: detached, with nothing of the command's in it — no stream, no file handle, no folder and
 * only a listed part of the environment. Commands that come at once let one of them do it; that no two bots run is the
 * bot's own affair (its lock), so nothing here has to be safe, only sparing.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AskgateError } from "../../core/error.ts";
import { packageRoot } from "../shared/package.ts";
import { prepareStateDirectory } from "./paths.ts";
import { BOT_RUNNING, type Refused } from "./protocol.ts";

/** The bot's own standard output and error: what a crash of the runtime itself leaves. */
export const OUTPUT_FILE = "bot.out";

/** The line in which a bot that could not start says why, in its output. */
export interface Failure {
  pid: number;
  failed: Refused["error"];
}

/** How long a bot may take until it answers; a cold disk and a first npx included. */
const START_MS = 30_000;
const LOOK_MS = 15;

/** Those who wait for another command's bot leave the machine to it. */
const OTHERS_LOOK_MS = 50;

/** Until the bot that was found running should answer. */
const STARTED_BY_OTHERS_MS = 250;

/** The output of earlier bots is kept until it is larger than this. */
const OUTPUT_BYTES = 64 * 1024;
/** Linux only, like the files that show it. */
const O_CLOEXEC = 0o2000000;

/** Whoever says for longer than this that it starts the bot, does not. */
const CLAIM_MS = 10_000;

/** What a bot gets of the caller's environment: places, language, network; never a secret. */
const ENVIRONMENT =
  /^(PATH|HOME|USER|LOGNAME|USERNAME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|PATHEXT|TEMP|TMP|TMPDIR|XDG_(RUNTIME_DIR|STATE_HOME|CONFIG_HOME)|LANG|LANGUAGE|LC_\w+|TZ|(HTTPS?|NO)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS)$/i;

/** Whoever ends a bot that way does not mean the next one. */
const KILLED = "SIGKILL";

export interface Start {
  stateDir: string;
  /** The process of the bot that answers now; null when none does. */
  answering(): Promise<number | null>;
}

/** Resolves when a bot answers. Throws what kept it from starting. */
export async function startBot({ stateDir, answering }: Start): Promise<void> {
  const folder = prepareStateDirectory(stateDir);
  const end = Date.now() + START_MS;
  while (Date.now() < end) {
    if ((await answering()) !== null) return;
    if (claim(folder)) {
      try {
        // Whoever claimed it before may just have succeeded.
        if ((await answering()) !== null) return;
        if (await launch({ stateDir: folder, answering, end })) return;
        await sleep(STARTED_BY_OTHERS_MS);
      } finally {
        rmSync(claimFile(folder), { force: true });
      }
    }
    await sleep(OTHERS_LOOK_MS);
  }
  throw new AskgateError("unreachable", `The bot does not answer within ${START_MS / 1000} s.`, {
    help: "See `askgate bot logs`. If a bot hangs, end its process; the next command starts another.",
  });
}

/** Starts one bot; false if it found another one running, was killed by somebody, or does not answer in time. */
async function launch({ stateDir, answering, end }: Start & { end: number }): Promise<boolean> {
  const output = openOutput(stateDir);
  const before = fstatSync(output).size;
  const bot = spawnBot(stateDir, output);
  const exit = new Promise<string>((resolve) => {
    bot.once("error", (error) => resolve(error.message));
    bot.once("exit", (code, signal) => resolve(signal ?? `exit ${code}`));
  });
  while (Date.now() < end) {
    const ended = await Promise.race([exit, sleep(LOOK_MS, null)]);
    const pid = await answering();
    // Another one was there after all: this one would only find that out later.
    if (pid !== null && pid !== bot.pid) bot.kill();
    if (pid !== null) return true;
    if (ended === null) continue;
    const failure = failureOf({ pid: bot.pid ?? 0, ended, output: readFrom(stateDir, before) });
    if (failure.code === BOT_RUNNING || ended === KILLED) return false;
    throw failure;
  }
  return false;
}

function spawnBot(stateDir: string, output: number): ChildProcess {
  const nothing = openSync(devNull, "r+");
  try {
    const bot = spawn(
      process.execPath,
      [join(packageRoot(), "dist", "main.js"), "bot", "run", "--detached"],
      {
        detached: true,
        cwd: stateDir,
        env: botEnvironment(stateDir),
        stdio: [
          "ignore",
          output,
          output,
          ...inherited().map((open) => (open ? nothing : ("ignore" as const))),
        ],
        windowsHide: true,
      },
    );
    bot.unref();
    return bot;
  } finally {
    closeSync(nothing);
    closeSync(output);
  }
}

/**
 * For each file descriptor from 3 on, whether a child would inherit it. Node marks its own, and those it was given up to
 * the first gap, as not inheritable; a shell's `40>&1` would keep a pipe open for as long as the bot lives.
 */
function inherited(): boolean[] {
  try {
    const open = readdirSync("/proc/self/fdinfo")
      .map(Number)
      .filter((fd) => fd > 2 && inheritable(fd));
    return Array.from({ length: Math.max(2, ...open) - 2 }, (_, index) => open.includes(index + 3));
  } catch {
    return []; // No /proc: macOS and Windows hand over nothing that is not listed.
  }
}

function inheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false; // Closed meanwhile.
  }
}

const botEnvironment = (stateDir: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name))),
  ASKGATE_STATE_DIR: stateDir,
});

function openOutput(stateDir: string): number {
  const path = join(stateDir, OUTPUT_FILE);
  try {
    const large = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > OUTPUT_BYTES;
    return openSync(path, large ? "w" : "a", 0o600);
  } catch (cause) {
    throw new AskgateError("state_dir_unusable", `The state directory ${stateDir} cannot be written.`, {
      fields: { stateDir },
      help: "Set ASKGATE_STATE_DIR to a folder that you may write.",
      cause,
    });
  }
}

const readFrom = (stateDir: string, offset: number): string =>
  readFileSync(join(stateDir, OUTPUT_FILE)).subarray(offset).toString("utf8");

function failureOf({ pid, ended, output }: { pid: number; ended: string; output: string }): AskgateError {
  for (const line of output.split("\n").reverse()) {
    const failure = parseFailure(line);
    if (failure?.pid === pid) {
      const { code, message, help, fields } = failure.failed;
      return new AskgateError(code, message, { help, fields });
    }
  }
  return new AskgateError(
    "unreachable",
    `The bot ended before it answered (${ended}). ${output.trim()}`.trim(),
    {
      help: "See `askgate bot logs`, or run `askgate bot run` to see it start.",
    },
  );
}

function parseFailure(line: string): Failure | null {
  try {
    const parsed: Failure | null = JSON.parse(line);
    return typeof parsed?.failed?.code === "string" ? parsed : null;
  } catch {
    return null;
  }
}

const claimFile = (stateDir: string): string => join(stateDir, "starting");

/** Whether this command is the one that starts the bot now. */
function claim(stateDir: string): boolean {
  const path = claimFile(stateDir);
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    if (abandoned(path)) rmSync(path, { force: true });
    return false;
  }
}

function abandoned(path: string): boolean {
  const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return false;
  if (Date.now() - since > CLAIM_MS) return true;
  try {
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
