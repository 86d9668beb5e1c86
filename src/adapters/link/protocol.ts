/**
 * What client and bot say to each other: one POST with JSON per call of the gate, each command with its versions and its
 * state directory in the headers, so that nothing happens on a bot that is the wrong one. Types and constants only: the
 * client stays light.
 */

import type { Answer } from "../../core/effect.ts";
import type {
  Gate,
  Held,
  Inbox,
  LocalPress,
  Opened,
  OpenRequest,
  Selector,
  SessionSummary,
  View,
  Waited,
} from "../../core/gate.ts";
import type { ChatName, Check, Connected, Credentials } from "../../core/surface.ts";

/** Rises when an older bot would not understand a newer command. */
export const LINK_VERSION = 3;

/** A wait is answered after this long at the latest, so that no client or proxy limit ends it. */
export const SLICE_MS = 25_000;

/** A watching client that hears nothing for three beats takes the bot for lost. */
export const BEAT_MS = 15_000;

export const HEADER = {
  /** The link's version, of whoever sends it. */
  link: "askgate-link",
  /** The package's version, of whoever sends it. */
  version: "askgate-version",
  /** The state directory that the command means, percent-encoded. */
  state: "askgate-state",
} as const;

export interface Versions {
  link: number;
  /** Of the package: "0.1.0". */
  version: string;
}

/** Body and answer of each call; a POST to `/<name>`. */
export interface Calls {
  open: { body: OpenRequest & { credentials?: Credentials[] | undefined }; answer: Opened };
  /** `patienceMs` is cut to a slice; the client asks again. */
  wait: { body: { round: string; patienceMs: number; past: boolean }; answer: Waited };
  acknowledge: { body: { session: string; carries: Waited["carries"] }; answer: null };
  cancel: { body: { round: string; elsewhere?: boolean | undefined }; answer: null };
  held: { body: Selector & { prefix: string }; answer: Held[] };
  down: { body: Selector & { since?: number | undefined }; answer: { session: string } | null };
  list: { body: { project: string | null }; answer: SessionSummary[] };
  inbox: { body: Selector; answer: Inbox };
  say: { body: Selector & { text: string }; answer: { session: string } | null };
  show: { body: { id: string }; answer: Record<string, unknown> };
  act: { body: { session: string; press: LocalPress }; answer: Answer };
  connect: { body: { credentials: Credentials }; answer: Connected };
  connections: { body: Record<string, never>; answer: Connected[] };
  pair: { body: PairBody; answer: { pairing: string; name: string } };
  /** `patienceMs` is cut to a slice. */
  paired: { body: PairedBody; answer: boolean };
  health: { body: Record<string, never>; answer: Health };
}
export type Call = keyof Calls;

/** `/watch` answers with lines of JSON: frames, `null` as a sign of life, and at a hand-over a `Refused`. */
export interface WatchBody {
  session: string;
  view: View;
}

export interface PairBody {
  surface: ChatName;
  connection: string;
  /** `@name`, id or e-mail. */
  who: string;
}

export interface PairedBody {
  surface: ChatName;
  pairing: string;
  patienceMs: number;
}

/** The last line of `/check`: without it the bot went away in the middle. */
export const CHECKED = "checked";

/** `/check` answers with lines of JSON: checks as they are done, `null` as a sign of life, or a `Refused`. */
export interface CheckBody {
  surface: ChatName;
  connection: string;
  to: string[];
}

/** `/stop` answers when everything is put away. */
export interface Stopped {
  stopped: true;
  pid: number;
}

/** How an error travels; it comes out of the client as the `AskgateError` that it was. */
export interface Refused {
  error: { code: string; message: string; help: string; fields: Record<string, unknown> };
}

/** Refusals of the link itself, before anything happened. */
export const REFUSAL = {
  /** The command is newer than the bot: tell it to stop, start the newer one. */
  botOlder: "bot_older",
  /** Another state directory's bot listens here. */
  otherStateDir: "other_state_dir",
  /** The bot is stopping: reach the next one. `fields.handOver` says that a newer command starts it. */
  moved: "bot_moved",
} as const;

/** The bot's log, in the state directory. */
export const LOG_NAME = "bot.log";

/** The code with which a bot gives up that found another one running. */
export const BOT_RUNNING = "bot_running";

export interface Health extends Versions {
  pid: number;
  stateDir: string;
  /** Version of the store's records. */
  store: number;
  /** ISO 8601. */
  started: string;
  sessions: number;
  openRounds: number;
  /** Commands that wait on a round. */
  waiting: number;
  /** Pages and terminals that draw a session. */
  watching: number;
  /** Address of the local page, "" without one. */
  page: string;
  /** Without any secret. */
  connections: (Connected & { works: boolean })[];
  logFile: string;
}

/** Connections to chat platforms, as commands add and look after them. */
export interface Connections {
  /** Adds or renews one. Throws `connection_refused`. */
  connect(credentials: Credentials): Promise<Connected>;
  list(): Promise<Connected[]>;
  /** Asks somebody by a button whether they are `me`. Throws `not_found` and `unknown_connection`. */
  pair(body: PairBody): Promise<{ pairing: string; name: string }>;
  /** True once they pressed; false when `patienceMs`, or a slice, is over. */
  paired(body: PairedBody): Promise<boolean>;
  /** Looks at everything that a connection needs. Throws `unknown_connection`. */
  check(body: CheckBody): AsyncIterable<Check>;
}

/** A gate in another process. */
export interface Client extends Gate {
  /**
   * Opens a round on the connections that the credentials belong to. They go over the user's own socket and nowhere else:
   * a bot on another machine never gets any.
   */
  open(request: OpenRequest, credentials?: Credentials[]): Promise<Opened>;
  connections: Connections;
  health(): Promise<Health>;
  /** Resolves when the bot has put everything away. */
  stop(): Promise<void>;
  close(): void;
}

/** Whether a command of these versions must replace a bot of those; an older command is content with a newer bot. */
export function supersedes(command: Versions, bot: Versions): boolean {
  if (command.link !== bot.link) return command.link > bot.link;
  return compareReleases(command.version, bot.version) > 0;
}

/** By numbers; of two with the same numbers the one without a suffix (`-rc.1`) is later. */
function compareReleases(one: string, other: string): number {
  // Asked at every call, nearly always of one version, and a collator is a tenth of what a call costs.
  if (one === other) return 0;
  const [numbers = "", suffix] = one.split(/-(.*)/);
  const [otherNumbers = "", otherSuffix] = other.split(/-(.*)/);
  const natural = new Intl.Collator("en", { numeric: true }).compare;
  const byNumbers = natural(numbers, otherNumbers);
  if (byNumbers !== 0 || suffix === otherSuffix) return byNumbers;
  if (suffix === undefined) return 1;
  return otherSuffix === undefined ? -1 : natural(suffix, otherSuffix);
}
