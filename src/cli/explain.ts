/** Turns an error into words on standard error and an exit code. */
import { AskgateError } from "../core/error.ts";
import { INTERNAL, UNREACHABLE, USAGE, UsageError } from "./exit.ts";
import { say } from "./shell.ts";

/** No bot, one that must not be used, or a platform that lets nobody in. */
const UNREACHED = [
  "connection_refused",
  "unknown_connection",
  "unreachable",
  "store_newer",
  "state_dir_unusable",
  "socket_path_too_long",
  "socket_folder_unsafe",
];

/** Broken promises of ours and of the disk; any other code is the gate refusing what was asked. */
const BROKEN = [
  "internal",
  "store_full",
  "store_readonly",
  "store_failed",
  "damaged",
  "bad_request",
  "unknown_call",
];

export function exitOfError(error: unknown): number {
  if (error instanceof UsageError) return USAGE;
  if (!(error instanceof AskgateError)) return INTERNAL;
  if (UNREACHED.includes(error.code)) return UNREACHABLE;
  return BROKEN.includes(error.code) ? INTERNAL : USAGE;
}

/** What to do about it; "" where nothing can be said. */
export function helpOf(error: unknown): string {
  if (error instanceof UsageError) return error.advice;
  return error instanceof AskgateError ? error.help : "";
}

/** Says what went wrong and what to do; returns the exit code. */
export function explain(error: unknown): number {
  say(`askgate: ${error instanceof Error ? error.message : String(error)}`);
  const help = helpOf(error);
  if (help !== "") say(help);
  const ours = exitOfError(error) === INTERNAL;
  if (ours && process.env.ASKGATE_DEBUG && error instanceof Error) say(error.stack ?? "");
  return exitOfError(error);
}
