/** Handing a result over: to standard output, to `--out`, and only then is it acknowledged. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Gate, Result, Waited } from "../core/gate.ts";
import { exitOfStatus, INTERNAL } from "./exit.ts";
import { explain, helpOf } from "./explain.ts";
import { reasonOf } from "./input.ts";
import { print, say, toText, waiting } from "./shell.ts";

export interface Delivery {
  result: Result;
  out: string | undefined;
  /** What to acknowledge, and through what; null where nothing waits for it. */
  receipt: { gate: Gate; session: string; carries: Waited["carries"] } | null;
}

/**
 * Prints the result and writes it to `--out` as well; once standard output took the whole text it is acknowledged. Resolves
 * to the exit code: that of the status, or 1 when one of the two failed. The result is still there for `wait` then, and one
 * that was not printed also for the same command.
 */
export async function deliver({ result, out, receipt }: Delivery): Promise<number> {
  const text = toText(result);
  const written = writeOut(out, text);
  const printed = await handOver(text, receipt);
  if (written && printed) return exitOfStatus(result.status);
  if (receipt !== null) say(`the result is kept:  askgate wait ${String(result.round)}`);
  return INTERNAL;
}

/** Prints a text, and acknowledges what it carries once standard output took it whole. Resolves to whether it did. */
export async function handOver(text: string, receipt: Delivery["receipt"]): Promise<boolean> {
  const printed = await printText(text);
  if (printed && receipt !== null) await acknowledge(receipt);
  return printed;
}

/** Nobody can be asked: says why, and prints it as a result, with `more` in it. Resolves to the exit code. */
export function unreached(error: unknown, out: string | undefined, more: object = {}): Promise<number> {
  explain(error);
  const reason = error instanceof Error ? error.message : String(error);
  const result = {
    status: "unreachable",
    round: waiting.round,
    session: null,
    reason,
    help: helpOf(error),
    ...more,
  };
  return deliver({ result, out, receipt: null });
}

/** The result is out: that the bot could not be told is worth a word, and no more. */
async function acknowledge({ gate, session, carries }: NonNullable<Delivery["receipt"]>): Promise<void> {
  if (carries.rounds.length + carries.messages.length === 0) return;
  try {
    await gate.acknowledge(session, carries);
  } catch (error) {
    say(
      `askgate: the bot did not learn that this was printed, the same command may print it again: ${reasonOf(error)}`,
    );
  }
}

async function printText(text: string): Promise<boolean> {
  try {
    await print(text);
    return true;
  } catch (error) {
    say(`askgate: standard output did not take the result: ${reasonOf(error)}`);
    return false;
  }
}

/** Writes a result to `--out`, if there is one; says why it could not. */
export function writeOut(file: string | undefined, text: string): boolean {
  if (file === undefined) return true;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return true;
  } catch (error) {
    say(`askgate: cannot write --out ${file}: ${reasonOf(error)}`);
    return false;
  }
}
