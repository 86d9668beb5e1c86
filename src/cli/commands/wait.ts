/** `wait`: attaches to a round again and prints its outcome, any number of times. */
import { connect } from "../../adapters/link/client.ts";
import type { Gate } from "../../core/gate.ts";
import { withAdvice } from "../advice.ts";
import { loadSettings, type Settings } from "../config.ts";
import { clockTime } from "../duration.ts";
import { UNREACHABLE } from "../exit.ts";
import { exitOfError } from "../explain.ts";
import { logAnswers, logFile } from "../qa-log.ts";
import { projectOf } from "../request.ts";
import { deliver, unreached } from "../result.ts";
import { say, waiting } from "../shell.ts";
import { closingLine } from "../talk.ts";

export interface WaitFlags {
  /** Patience: when it ends nothing changes for people. */
  timeout?: { ms: number | null };
  timeoutMs?: { ms: number | null };
  out?: string;
}

export async function waitForRound(round: string, flags: WaitFlags): Promise<number> {
  try {
    return await attach(round, flags);
  } catch (error) {
    return exitOfError(error) === UNREACHABLE ? unreached(error, flags.out) : Promise.reject(error);
  }
}

/** The round may belong to another project than the one that the command stands in. */
async function settingsOf(gate: Gate, session: string): Promise<{ project: string; settings: Settings }> {
  const project = await projectOf(gate, session);
  return { project, settings: loadSettings(project, process.env) };
}

async function attach(round: string, flags: WaitFlags): Promise<number> {
  const chosen = flags.timeout ?? flags.timeoutMs;
  const gate = await connect();
  try {
    waiting.round = round;
    const began = performance.now();
    const now = await gate.wait(round, 0, false);
    // A deadline that is over is waited past; one that is still to come ends this wait too.
    const past = now.state === "late";
    const { project, settings } = await settingsOf(gate, String(now.result.session));
    const waited = await gate.wait(round, chosen?.ms ?? Number.POSITIVE_INFINITY, past);
    const result = withAdvice(waited.result, settings);
    logAnswers(result, logFile(project, settings));
    const receipt = { gate, session: String(waited.result.session), carries: waited.carries };
    const code = await deliver({ result, out: flags.out, receipt });
    say(closingLine(waited, clockTime(performance.now() - began)));
    return code;
  } finally {
    gate.close();
  }
}
