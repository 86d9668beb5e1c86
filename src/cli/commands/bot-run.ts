/** `bot run`: this process becomes the bot. */
import { prepareStateDirectory, stateDirectory } from "../../adapters/link/paths.ts";
import type { Failure } from "../../adapters/link/start.ts";
import { AskgateError } from "../../core/error.ts";
import { runBot } from "../bot.ts";
import { say } from "../shell.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `detached`: started by a command, which reads from the bot's output why it did not start. */
export async function botRun(detached: boolean): Promise<void> {
  process.umask(0o077);
  const stateDir = prepareStateDirectory(stateDirectory());
  process.chdir(stateDir);
  const onReady = ({ page, logFile }: { page: string; logFile: string }): void => {
    if (!detached) say(`the bot runs (^C stops it) · page ${page} · state ${stateDir} · log ${logFile}`);
  };
  try {
    await runBot({ stateDir, idleExit: detached, signal: untilSignalled(), onReady });
  } catch (error) {
    if (detached) say(JSON.stringify(failure(error)));
    throw error;
  }
}

/** A bot stops in order; the second signal is the impatient one and ends it at once, as for every command. */
function untilSignalled(): AbortSignal {
  const stop = new AbortController();
  for (const signal of SIGNALS) {
    const impatient = process.listeners(signal);
    process.removeAllListeners(signal);
    process.once(signal, () => {
      stop.abort(signal);
      for (const listener of impatient) process.on(signal, () => listener(signal));
    });
  }
  process.on("uncaughtException", (error) => stop.abort(error));
  return stop.signal;
}

function failure(error: unknown): Failure {
  const known = error instanceof AskgateError ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  return {
    pid: process.pid,
    failed: {
      code: known?.code ?? "internal",
      message,
      help: known?.help ?? "See `askgate bot logs`.",
      fields: known?.fields ?? {},
    },
  };
}
