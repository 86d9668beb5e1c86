/**
 * One bot per state directory. The lock is the file `lock-N` with the highest N; it names the process that holds it. A bot
 * takes over from a dead one by creating `lock-(N+1)`, which only one can, so nothing depends on who looked when. The
 * number never falls: a holder removes only files that are two numbers behind its own.
 */
import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { BOT_RUNNING } from "../adapters/link/protocol.ts";
import { AskgateError } from "../core/error.ts";

export interface Lock {
  /** Says that this bot is about to let go: the next one waits instead of giving up. */
  stopping(): void;
  release(): void;
  /** False when the state directory went, or another bot took over. */
  isHeld(): boolean;
}

const LOOK_MS = 25;

/** A bot that is stopping gets this long to finish what runs. */
const STOPPING_MS = 20_000;

const holder = z.object({
  pid: z.number(),
  born: z.string(),
  state: z.enum(["held", "stopping", "released"]),
});
type Holder = z.infer<typeof holder>;

/** Waits for a bot that is stopping. Throws `bot_running` while another bot holds the lock. */
export async function takeLock(stateDir: string): Promise<Lock> {
  const me: Holder = { pid: process.pid, born: birth(process.pid) ?? "", state: "held" };
  const end = Date.now() + STOPPING_MS;
  for (;;) {
    const number = highest(stateDir);
    const other = read(stateDir, number);
    if (other !== null && isHolding(other)) {
      if (other.state === "held" || Date.now() > end) throw running(other.pid);
      await sleep(LOOK_MS);
    } else if (create(stateDir, number + 1, me)) {
      if (highest(stateDir) === number + 1) return ownLock(stateDir, number + 1, me);
      // Created where a holder, higher by now, had cleaned up.
      rmSync(path(stateDir, number + 1), { force: true });
    }
  }
}

function ownLock(stateDir: string, number: number, me: Holder): Lock {
  for (const old of numbers(stateDir)) {
    if (old < number - 1) rmSync(path(stateDir, old), { force: true });
  }
  const isHeld = (): boolean => {
    const now = read(stateDir, number);
    return now?.pid === me.pid && now.born === me.born && now.state !== "released";
  };
  const become = (state: Holder["state"]): void => {
    if (isHeld()) renameSync(written(stateDir, { ...me, state }), path(stateDir, number));
  };
  return { stopping: () => become("stopping"), release: () => become("released"), isHeld };
}

const isHolding = ({ pid, born, state }: Holder): boolean => state !== "released" && birth(pid) === born;

/** False when somebody else was faster. The file appears with its content. */
function create(stateDir: string, number: number, me: Holder): boolean {
  const text = written(stateDir, me);
  try {
    linkSync(text, path(stateDir, number));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(text, { force: true });
  }
}

function written(stateDir: string, me: Holder): string {
  const file = join(stateDir, `lock.${process.pid}`);
  writeFileSync(file, JSON.stringify(me), { mode: 0o600 });
  return file;
}

const path = (stateDir: string, number: number): string => join(stateDir, `lock-${number}`);

const numbers = (stateDir: string): number[] =>
  readdirSync(stateDir).flatMap((name) => (/^lock-\d+$/.test(name) ? [Number(name.slice(5))] : []));

const highest = (stateDir: string): number => Math.max(0, ...numbers(stateDir));

/** Null when nobody ever held it, or the file is gone or no longer says who does. */
function read(stateDir: string, number: number): Holder | null {
  try {
    return holder.safeParse(JSON.parse(readFileSync(path(stateDir, number), "utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * When a process was started, in a form that tells it from a later one with the same id; null if it is gone (a dead
 * process that nobody has collected yet is gone).
 */
function birth(pid: number): string | null {
  return process.platform === "linux" ? linuxBirth(pid) : otherBirth(pid);
}

function linuxBirth(pid: number): string | null {
  try {
    // The name in parentheses may contain anything; after it come the state (3rd field) and the start (22nd).
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return /^[ZX]/.test(fields[0] ?? "") ? null : `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

function otherBirth(pid: number): string | null {
  try {
    if (process.platform === "win32") return process.kill(pid, 0) ? "alive" : null;
    const found = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "utf8" });
    const [state = "", ...start] = found.trim().split(/\s+/);
    return state === "" || state.startsWith("Z") ? null : start.join(" ");
  } catch {
    return null;
  }
}

const running = (pid: number): AskgateError =>
  new AskgateError(BOT_RUNNING, `A bot is running already (process ${pid}).`, {
    fields: { pid },
    help: "See `askgate bot status`; `askgate bot stop` ends it.",
  });
