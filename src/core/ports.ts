/**
 * What the engine needs from the outside, and what programs need from the engine. Types only; every method is required,
 * differences between surfaces are data (`limits`).
 */
import type { Card, Limits } from "./card.ts";
import type { Answer } from "./effect.ts";
import type { Accepted, Press, Rewritten, Typed } from "./event.ts";
import type { Actor, Attachment, Origin, Place, SurfaceName } from "./people.ts";
import type { Kind, OnTimeout } from "./round.ts";
import type { Tell } from "./session.ts";

/** A record as stored: its value and the version it was saved under (1, 2, 3 …). */
export interface Stored {
  value: unknown;
  version: number;
}

export interface StoredEntry extends Stored {
  key: string;
}

export interface Store {
  /**
   * The record, or undefined when there is none. Throws `damaged` when it cannot be read (what is there is set aside
   * first, under `damaged/<key>`), `store_failed` for a failing disk.
   */
  load(key: string): Promise<Stored | undefined>;
  /**
   * Writes and commits to disk. `expected` is the version the caller saw (0: must not exist). Resolves to the new version.
   * Throws `conflict` if another version is there, else `store_full`, `store_readonly` or `store_failed`; nothing changed then.
   */
  save(key: string, value: unknown, expected: number): Promise<number>;
  remove(key: string): Promise<void>;
  /** All records whose key begins with `prefix`, in key order; a damaged one is set aside, reported and skipped. */
  list(prefix: string): AsyncIterable<StoredEntry>;
  close(): Promise<void>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once at or after `when` (any distance); the function returned calls it off. */
  at(when: number, callback: () => void): () => void;
}

/** Ids and nonces. `id` gives `length` characters of a–z and 0–9. */
export interface Chance {
  id(length: number): string;
}

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** What a chat surface hears, before the session is known: it is found from the button, or from where a message stands. */
export type Heard =
  | Press
  | Typed
  | Rewritten
  | Accepted
  /** Somebody deleted one of the bot's own posts. */
  | { type: "unposted"; place: Pick<Place, "surface" | "id">; handle: string }
  /** What somebody sees there is not what stands there: it is drawn anew. */
  | { type: "misdrawn"; place: Pick<Place, "surface" | "id">; handle: string };

/** All that people have written in a place since `from` (epoch milliseconds), oldest first: read back after a gap. */
export interface Reread {
  place: Place;
  from: number;
  messages: Typed[];
}

/** What sessions that are not over have in a place of a surface. */
export interface Standing {
  place: Place;
  /** Since when something stands there, in epoch milliseconds. */
  since: number;
  /** Up to when what people wrote there was heard; `since` where nobody wrote. */
  heard: number;
  /** Handles of all posts that stand there. */
  handles: string[];
  /** Ids of the typed messages that were kept and may still be edited or deleted. */
  words: string[];
}

/** Something that waits for a person. */
export interface Awaited {
  title: string;
  wanted: string;
  /** From where: repo, branch, agent. */
  origin: string;
  url: string;
}

/** When nobody listened, in epoch milliseconds. */
export interface Gap {
  surface: ChatName;
  from: number;
  until: number;
}

/** What a surface may tell and ask the engine. */
export interface Ear {
  hear(event: Heard): Promise<Answer>;
  /**
   * May what somebody writes there be for anybody? Asked before it is looked up who wrote it. Throws `not_known_yet`: it must
   * be asked again later.
   */
  minds(where: Pick<Typed, "place" | "anchor">): Promise<boolean>;
  /** Takes what was missed, and says what was edited or deleted meanwhile. */
  reread(read: Reread): Promise<void>;
  /** Asked at once when somebody listens again: what is heard from then on does not count as what was missed. */
  standing(surface: ChatName): Promise<Standing[]>;
  /** The open rounds that this person may answer on this surface, newest first. `inPlace`: are they in that place? */
  awaited(actor: Actor, inPlace: (place: Place) => Promise<boolean>): Promise<Awaited[]>;
  /** Nobody listened to these places between these times (epoch milliseconds): open cards say so. */
  away(gap: Gap, isThere: (place: Place) => boolean): Promise<void>;
}

/** How a card is put up. */
export interface Posting {
  /** The post whose thread it belongs to; null: the place itself. */
  under: string | null;
  /** Makes the post recognisable. */
  nonce: string;
  /**
   * When the same post was tried before without hearing its end (epoch milliseconds): look before posting again, and change
   * what stands there to the card as it is now. Else null.
   */
  since: number | null;
}

/** How an attempt to change a platform ended. */
export type Sent =
  | { kind: "posted"; handle: string }
  | { kind: "refused"; reason: string }
  | { kind: "gone" }
  /** `unsure`: the answer was lost, it may have happened. */
  | { kind: "later"; afterMs: number; unsure: boolean };

/** How telling somebody ended: also done when it cannot be. */
export type Told = { kind: "told" } | { kind: "later"; afterMs: number };

/** A chat platform: renders cards, sends operations, parses what people do into events. */
export interface Surface {
  name: ChatName;
  limits: Limits;
  /** Begins to listen; every event is passed on once and its answer awaited before it is acknowledged. */
  start(ear: Ear): Promise<void>;
  /** Finds a place by name or id on a connection (null: the only one); a string says why it cannot be used and what to do. */
  resolve(place: string, connection: string | null): Promise<Place | string>;
  /** Finds a person by id, `@name` or e-mail; `id` is an actor's. A string says why not. */
  person(who: string, connection: string | null): Promise<{ id: string; name: string } | string>;
  post(place: Place, card: Card, how: Posting): Promise<Sent>;
  update(place: Place, card: Card, handle: string): Promise<Sent>;
  remove(place: Place, handle: string): Promise<Sent>;
  tell(place: Place, tell: Tell): Promise<Told>;
  /** The address of a post, for people. */
  url(place: Place, handle: string): string;
  stop(): Promise<void>;
}

/** Surfaces that need a connection to a platform. */
export type ChatName = "slack" | "discord";

/** Access to a platform app, as a caller hands it over: never logged, never shown. */
export interface Credentials {
  surface: ChatName;
  /** Slack: `bot` and `app`. Discord: `bot`. */
  tokens: Record<string, string>;
  /** Another server than the platform's own; from the same source as the tokens. */
  baseUrl: string | null;
}

/** A connection that works. */
export interface Connected {
  surface: ChatName;
  /** As the platform names it: `T1`. */
  connection: string;
  /** "acme (bot askgate)" */
  label: string;
  /** The person who paired, by name; null: nobody yet. */
  me: string | null;
}

/** One thing that `doctor` looked at. */
export interface Check {
  /** "bot token", "scopes", "#plans" … */
  name: string;
  state: "ok" | "failed" | "skipped";
  detail: string;
  /** What to do about it; "" when it is ok. */
  help: string;
}

/** A connection as it is kept, in a file that only the user can read. */
export interface Kept {
  credentials: Credentials;
  label: string;
  /** What the surface knows of it without asking: addresses, its own account. */
  about: Record<string, string>;
  /** The paired person's id on the platform, and name. */
  me: { id: string; name: string } | null;
}

/** Where connections are kept: connection → what is known of it. */
export interface Vault {
  list(surface: ChatName): Record<string, Kept>;
  put(surface: ChatName, connection: string, kept: Kept): Promise<void>;
}

/** A surface with connections. */
export interface Chat extends Surface {
  name: ChatName;
  /** Adds or renews a connection. Throws `connection_refused`, whose help says what to do. */
  connect(credentials: Credentials): Promise<Connected>;
  connections(): Connected[];
  /** Asks somebody (`@name`, id, e-mail) by a button in a direct message whether they are `me`. Throws `not_found`. */
  pair(connection: string, who: string): Promise<{ pairing: string; name: string }>;
  /** Resolves to true once they pressed, to false when `patienceMs` is over. */
  paired(pairing: string, patienceMs: number): Promise<boolean>;
  /** Looks at everything that a connection needs; `to` are places to look at as well. */
  check(connection: string, to: string[]): AsyncIterable<Check>;
}

/** What a command hands over to open a round. */
export interface OpenRequest {
  kind: Kind;
  /** `continue`: the next page of a running session. */
  again: boolean;
  /** As parsed from JSON; validated by the bot. */
  payload: unknown;
  /** The session's key: git top level, folder of `askgate.json`, or working directory. */
  project: string;
  /** `--session`: an id (`s_…`) or a name inside the project. */
  session: string | null;
  agentSession: string | null;
  key: string | null;
  /** Milliseconds from now; null is never; 0 (asks) shows nothing. */
  timeoutMs: number | null;
  /** What flags and payload may tighten. Undefined: not said. */
  policy: PolicyRequest;
  /** The floor that configuration sets, and people's accounts by name. */
  floor: PolicyRequest;
  people: Record<string, string[]>;
  granularity: "auto" | "block";
  /** Questions allowed in the session; null leaves that as it is, less than 0 lifts it. */
  asks: number | null;
  locale: string;
  via: SurfaceName[];
  to: string[];
  /** The connection of each chat that the caller's credentials belong to, as the platform names it (`T1`). */
  connections: Partial<Record<SurfaceName, string>>;
  origin: Origin;
}

export interface PolicyRequest {
  reviewers?: string[] | undefined;
  responders?: string[] | undefined;
  quorum?: number | undefined;
  veto?: boolean | undefined;
  onTimeout?: OnTimeout | undefined;
}

/** A finished answer for the agent: the JSON of standard output. Always has `status`. */
export type Result = { status: string } & Record<string, unknown>;

/** Where a round can be answered, for people. */
export interface Link {
  surface: SurfaceName;
  label: string;
  /** Safe to print: a secret, if any, stands in the fragment. "" where there is nothing to open. */
  url: string;
  /** For the machine's own browser only: works once, for a minute. Null where there is none. */
  open: string | null;
}

export interface Opened {
  round: string;
  session: string;
  /** The round was there already. */
  attached: boolean;
  /** Set when there is nothing to wait for: an outcome that nobody took, a quota, a refusal. */
  result: Result | null;
  links: Link[];
  /** Lines for standard error: who was (not) told, which surface did not take it. */
  notes: string[];
}

/** `settled`: the outcome. `late`: its deadline passed, the agent goes on. `open`: nothing yet. */
export interface Waited {
  state: "settled" | "late" | "open";
  result: Result;
  /** "Ana in Slack", "" if nobody. */
  by: string;
  /** Rounds and messages inside `result`, to acknowledge once it is written. */
  carries: { rounds: string[]; messages: string[] };
}

/** Something that a person wrote to the agent, outside of any question. */
export interface Letter {
  id: string;
  text: string;
  by: string;
  byId: string;
  where: SurfaceName;
  /** ISO, in UTC. */
  at: string;
  files?: Attachment[];
}

/** What waits for an agent: words, oldest first, and outcomes that came after it went on. */
export interface Inbox {
  /** Null where no session runs. */
  session: string | null;
  messages: Letter[];
  late: Result[];
  carries: Waited["carries"];
}

/** An open round, as whoever named it by a key finds it again. */
export interface Held {
  round: string;
  key: string;
  /** Its deadline has passed, the agent went on. */
  late: boolean;
}

/** Numbered changes of a session's cards; the first frame holds all of them. */
export interface Frame {
  /** Rises by one; a gap means: watch again. */
  number: number;
  /** The order of all cards, by key. */
  order: string[];
  /** Cards that are new or changed. */
  cards: Card[];
  /** The session has ended: no further frame comes. */
  ended: boolean;
}

export interface View {
  surface: SurfaceName;
  limits: Limits;
  locale: string;
}

export interface SessionSummary {
  session: string;
  project: string;
  name: string | null;
  title: string;
  agent: string;
  usedAt: string;
  ended: boolean;
  rounds: {
    round: string;
    kind: Kind;
    title: string;
    status: string;
    deadline: string | null;
    late: boolean;
  }[];
}

/** The engine as the bot sees it: the gate, and figures for `status`. */
export interface Engine extends Gate {
  figures(): { sessions: number; open: number; waiting: number; watching: number };
  stop(): Promise<void>;
}

/** All that an engine is given. */
export interface EngineParts {
  store: Store;
  /** The store's short id, which stands in every button. */
  storeId: string;
  clock: Clock;
  chance: Chance;
  log: Log;
  surfaces: Surface[];
  /** The link to a session's page; null where there is no page. */
  page: ((session: string, locale: string) => Link) | null;
  /** Who presses on the page and in the terminal: `local:ana`, "ana". */
  local: { id: string; name: string };
}

/** The gate itself: the engine is one inside the bot, the link client everywhere else. */
export interface Gate {
  open(request: OpenRequest): Promise<Opened>;
  /**
   * Resolves when the round has an outcome, its deadline passes (state `late`; with `past` a deadline that is over is
   * waited past), or `patienceMs` is over (state `open`; Infinity waits for ever). Aborting `signal` ends patience: nobody
   * is waiting any more, which matters to commands that name no session. Throws `unknown_round`.
   */
  wait(round: string, patienceMs: number, past: boolean, signal?: AbortSignal): Promise<Waited>;
  acknowledge(session: string, carries: Waited["carries"]): Promise<void>;
  /** `elsewhere`: the agent got its answer at its own prompt, in the terminal; else it withdrew the question. */
  cancel(round: string, elsewhere?: boolean): Promise<void>;
  /** Open rounds whose key begins with `prefix`, of the sessions that fit. */
  held(selector: Selector, prefix: string): Promise<Held[]>;
  /**
   * Ends the session that `selector` finds; null when there is none. Asked again with the same `since` (epoch
   * milliseconds, when the command began), it finds the session that it ended and no further one.
   */
  down(selector: Selector & { since?: number | undefined }): Promise<{ session: string } | null>;
  list(project: string | null): Promise<SessionSummary[]>;
  /** What waits for the agent in the session that `selector` finds. It waits on until it is acknowledged. */
  inbox(selector: Selector): Promise<Inbox>;
  /** Puts a note from the agent into the session's thread; null where no session runs. Throws `usage` for a blank one. */
  say(selector: Selector, text: string): Promise<{ session: string } | null>;
  /** A session (or the session of a round) in full, without secrets. */
  show(id: string): Promise<Record<string, unknown>>;
  watch(session: string, view: View, signal: AbortSignal): AsyncIterable<Frame>;
  /** A press on the page or in the terminal; the actor is set by the bot. */
  act(session: string, press: LocalPress): Promise<Answer>;
}

/** How a command names a session. */
export type Selector = Pick<OpenRequest, "project" | "session" | "agentSession">;

/** What page and terminal send. */
export type LocalPress = Pick<Press, "id" | "button" | "values" | "words" | "locale"> & {
  surface: "web" | "terminal";
};
