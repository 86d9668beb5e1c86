/** A blocking question from payload to exit code: what `clarity up`, `clarity continue` and `plan up` have in common. */
import { connect } from "../adapters/link/client.ts";
import { stateDirectory } from "../adapters/link/paths.ts";
import { keptChats } from "../adapters/shared/vault-file.ts";
import type { SurfaceName } from "../core/people.ts";
import type { Credentials, Gate, Link, Opened, OpenRequest, PolicyRequest } from "../core/ports.ts";
import type { Kind, OnTimeout } from "../core/round.ts";
import { hasBrowser, openBrowser } from "./browser.ts";
import { CHAT_NAMES, loadSettings, type Settings } from "./config.ts";
import { readCredentials } from "./credentials.ts";
import { clockTime } from "./duration.ts";
import { UNREACHABLE, UsageError } from "./exit.ts";
import { exitOfError } from "./explain.ts";
import { readPayload } from "./input.ts";
import { agentSession, findProject, readOrigin } from "./project.ts";
import { deliver, unreached } from "./result.ts";
import { say, waiting } from "./shell.ts";
import { closingLine, listIssues } from "./talk.ts";
import { type Seat, takeSeat } from "./terminal.ts";

/** The common flags, parsed. `null` as a time is never. */
export interface RoundFlags {
  input?: string;
  out?: string;
  timeout?: { ms: number | null };
  timeoutMs?: { ms: number | null };
  onTimeout?: OnTimeout;
  locale?: string;
  open: boolean;
  via?: SurfaceName[];
  to?: string[];
  session?: string;
  key?: string;
  reviewers?: string[];
  responders?: string[];
  quorum?: number;
  veto: boolean;
  granularity: "auto" | "block";
}

export interface Question {
  kind: Kind;
  again: boolean;
  flags: RoundFlags;
}

const DEFAULT_TIMEOUT_MS = 30 * 60_000;

/** Asks, waits, prints. Resolves to the exit code. */
export async function askAndWait(question: Question): Promise<number> {
  const { flags } = question;
  const payload = await readPayload(flags.input);
  const project = findProject(process.cwd());
  const settings = loadSettings(project, process.env);
  const said = flags.via ?? settings.via;
  const credentials = readCredentials(project, process.env, said);
  const seat = await takeSeat(said, chatsOr(credentials, "web"));
  if (seat === "none") return unreached(noTerminal(), flags.out);
  const request = buildRequest({ question, payload, project, settings, via: seat.via });
  try {
    return await ask({ request, credentials, seat, flags, settings });
  } catch (error) {
    return exitOfError(error) === UNREACHABLE ? unreached(error, flags.out) : Promise.reject(error);
  } finally {
    seat.leave();
  }
}

const isChat = (surface: SurfaceName): boolean => CHAT_NAMES.some((name) => name === surface);

/** The chats with credentials here or a connection that the bot keeps, else the other surface. */
function chatsOr(credentials: Credentials[], other: SurfaceName): SurfaceName[] {
  const chats = new Set([...credentials.map(({ surface }) => surface), ...keptChats(stateDirectory())]);
  return chats.size > 0 ? [...chats] : [other];
}

const noTerminal = (): UsageError =>
  new UsageError(
    "--via terminal: this command has no terminal",
    "Leave --via out to ask in the browser, or run it where somebody sits at a terminal.",
  );

interface Asking {
  request: OpenRequest;
  /** Beside the request: nothing that is kept or shown has a place for them. */
  credentials: Credentials[];
  seat: Seat;
  flags: RoundFlags;
  settings: Settings;
}

async function ask(asking: Asking): Promise<number> {
  const gate = await connect();
  try {
    const opened = await gate.open(asking.request, asking.credentials);
    // A round that was not opened has no id: an invalid payload, a session that is over.
    return opened.round === ""
      ? await refused(opened, asking.flags)
      : await waitAndDeliver({ ...asking, gate, opened });
  } finally {
    gate.close();
  }
}

interface RequestParts {
  question: Question;
  payload: unknown;
  project: string;
  settings: Settings;
  via: SurfaceName[];
}

function buildRequest({ question, payload, project, settings, via }: RequestParts): OpenRequest {
  const { flags, kind, again } = question;
  const chosen = flags.timeout ?? flags.timeoutMs;
  return {
    kind,
    again,
    payload,
    project,
    session: flags.session ?? (process.env.ASKGATE_SESSION || null),
    agentSession: agentSession(process.env),
    key: flags.key ?? null,
    timeoutMs: chosen ? chosen.ms : settings.timeout === undefined ? DEFAULT_TIMEOUT_MS : settings.timeout,
    policy: policyOf(flags, settings),
    floor: settings.policy,
    people: settings.people,
    granularity: flags.granularity,
    asks: null,
    locale: flags.locale ?? settings.locale ?? "",
    via,
    to: flags.to ?? settings.to ?? (via.some(isChat) ? ["me"] : []),
    connections: settings.connections,
    origin: readOrigin(project, process.env),
  };
}

function policyOf(flags: RoundFlags, settings: Settings): PolicyRequest {
  return {
    reviewers: flags.reviewers,
    responders: flags.responders,
    quorum: flags.quorum,
    veto: flags.veto ? undefined : false,
    onTimeout: flags.onTimeout ?? settings.onTimeout,
  };
}

function refused({ result, notes }: Opened, { out }: RoundFlags): Promise<number> {
  if (result?.status === "unreachable") {
    const reason = typeof result.reason === "string" ? result.reason : notes.join("; ");
    return unreached(new UsageError(reason, typeof result.help === "string" ? result.help : ""), out);
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
  const receipt = { gate, session, carries: waited.carries };
  const code = await deliver({ result: waited.result, out: flags.out, receipt });
  say(closingLine(waited, clockTime(performance.now() - began)));
  return code;
}

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
function openPage({ opened, request, flags, settings }: Waiting): void {
  const url = opened.links.find((link) => link.open !== null)?.open;
  const wanted = flags.open && settings.open !== false && !opened.attached && !request.again;
  if (url && wanted && hasBrowser(process.env)) void openBrowser(url, process.env);
}
