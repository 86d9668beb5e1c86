/** A blocking question from payload to exit code: what all commands that ask have in common. */
import { connect } from "../adapters/link/client.ts";
import { advice } from "../core/advice.ts";
import type { Gate, Link, Opened, OpenRequest, Result } from "../core/gate.ts";
import { withAdvice } from "./advice.ts";
import { hasBrowser, openBrowser } from "./browser.ts";
import { clockTime } from "./duration.ts";
import { UNREACHABLE, UsageError } from "./exit.ts";
import { exitOfError } from "./explain.ts";
import { readPayload } from "./input.ts";
import { logAnswers, logFile } from "./qa-log.ts";
import {
  type AskingFlags,
  buildRequest,
  type Question,
  readSetting,
  type Setting,
  surfacesOf,
} from "./request.ts";
import { deliver, unreached } from "./result.ts";
import { say, waiting } from "./shell.ts";
import { closingLine, listIssues } from "./talk.ts";
import { type Seat, takeSeat } from "./terminal.ts";

/** The common flags, parsed. */
export interface RoundFlags extends AskingFlags {
  input?: string;
  out?: string;
  open: boolean;
  /** Where questions and answers are recorded; false is nowhere. */
  log?: string | false;
}

/** What is asked; its payload comes from `--input` unless it is given. */
export interface Asked extends Omit<Question, "payload" | "flags"> {
  flags: RoundFlags;
  payload?: unknown;
  /** What follows from the result, before it is handed over: what it throws leaves the result to the same command. */
  conclude?: (result: Result) => Result;
}

/** Asks, waits, prints. Resolves to the exit code. */
export async function askAndWait({ flags, ...asked }: Asked): Promise<number> {
  const payload = asked.payload ?? (await readPayload(flags.input));
  const setting = readSetting(process.cwd(), process.env, { via: flags.via });
  const more = asked.kind === "ask" ? notAsked(flags) : {};
  const seat = await takeSeat(flags.via ?? setting.settings.via, surfacesOf(setting));
  if (seat === "none") return unreached(noTerminal(), flags.out, more);
  const request = buildRequest({ ...asked, payload, flags }, setting, seat.via);
  try {
    const { conclude = asItIs } = asked;
    return await ask({ request, setting, seat, flags, more, conclude });
  } catch (error) {
    return exitOfError(error) === UNREACHABLE ? unreached(error, flags.out, more) : Promise.reject(error);
  } finally {
    seat.leave();
  }
}

const asItIs = (result: Result): Result => result;

const noTerminal = (): UsageError =>
  new UsageError(
    "--via terminal: this command has no terminal",
    "Leave --via out to ask in the browser, or run it where somebody sits at a terminal.",
  );

/** What every result of a question says, also where nobody could be asked. */
const notAsked = ({ asks }: RoundFlags): object => ({
  mode: "ask",
  items: [],
  remaining: asks === undefined ? -1 : Math.max(-1, asks),
  advice: advice("unreachable"),
});

interface Asking {
  request: OpenRequest;
  setting: Setting;
  seat: Seat;
  flags: RoundFlags;
  /** What a result says also where nobody could be asked. */
  more: object;
  conclude: NonNullable<Asked["conclude"]>;
}

async function ask(asking: Asking): Promise<number> {
  const gate = await connect();
  try {
    const opened = await gate.open(asking.request, asking.setting.credentials);
    // A round that was not opened has no id: an invalid payload, a session that is over.
    return opened.round === ""
      ? await refused(opened, asking)
      : await waitAndDeliver({ ...asking, gate, opened });
  } finally {
    gate.close();
  }
}

function refused({ result, notes }: Opened, { flags: { out }, more }: Asking): Promise<number> {
  if (result?.status === "unreachable") {
    const reason = typeof result.reason === "string" ? result.reason : notes.join("; ");
    return unreached(new UsageError(reason, typeof result.help === "string" ? result.help : ""), out, more);
  }
  for (const line of [...notes, ...listIssues(result?.issues)]) say(line);
  return deliver({ result: result ?? { status: "unreachable" }, out, receipt: null });
}

interface Waiting extends Asking {
  gate: Gate;
  opened: Opened;
}

async function waitAndDeliver(on: Waiting): Promise<number> {
  const { gate, opened, flags, seat } = on;
  const { round, session } = opened;
  waiting.round = round;
  const isOpen = opened.result === null;
  if (isOpen) announce(opened, seat.takesPart);
  if (isOpen) openPage(on);
  const began = performance.now();
  const taking = isOpen ? seat.takePart(gate, opened, on.request.locale) : Promise.resolve();
  const waited = await gate.wait(round, Number.POSITIVE_INFINITY, false);
  seat.leave();
  await taking;
  const said = withAdvice(waited.result, on.setting.settings);
  logAnswers(said, logOf(on));
  const result = on.conclude(said);
  const receipt = { gate, session, carries: waited.carries };
  const code = await deliver({ result, out: flags.out, receipt });
  say(closingLine(waited, clockTime(performance.now() - began)));
  return code;
}

const logOf = ({ flags: { log }, setting: { project, settings } }: Asking): string | null =>
  logFile(project, log === undefined ? settings : { log });

/** The first words: what was asked, and where it can be answered. */
function announce(opened: Opened, takesPart: boolean): void {
  const where = opened.links.filter((link) => link.surface !== "terminal").map(describeLink);
  const aside = takesPart ? "(or answer here)" : "(^C stops waiting; the question stays open)";
  say(`${[`round ${opened.round}`, ...where].join(" · ")}   ${aside}`);
  for (const note of opened.notes) say(note);
}

const describeLink = (link: Link): string =>
  link.surface === "web" ? `open ${link.url}` : `${link.label} ${link.url}`.trimEnd();

/** The browser is opened for a new question, unless its page is open: one that is asked already, or goes on, has its page. */
function openPage({ opened, request, flags, setting: { settings } }: Waiting): void {
  const url = opened.links.find((link) => link.open !== null)?.open;
  const wanted = flags.open && settings.open !== false && !opened.attached && !request.again;
  if (url && wanted && hasBrowser(process.env)) void openBrowser(url, process.env);
}
