/**
 * What the engine needs from the outside, and what programs need from the engine. Types only; every method is required,
 * differences between surfaces are data (`limits`).
 */
import type { Card, Limits } from "./card.ts";
import type { Answer } from "./effect.ts";
import type { Press, Typed } from "./event.ts";
import type { Actor, Origin, Place, SurfaceName } from "./people.ts";
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

/** What a chat surface hears, before the session is known. */
export type Heard =
  | Press
  | (Typed & { session: string })
  | { type: "edited"; session: string; id: string; text: string; actor: Actor }
  | { type: "deleted"; session: string; id: string; actor: Actor };

/** How an attempt to change a platform ended. */
export type Sent =
  | { kind: "posted"; handle: string }
  | { kind: "refused"; reason: string }
  | { kind: "gone" }
  | { kind: "later"; afterMs: number };

/** A chat platform: renders cards, sends operations, parses what people do into events. */
export interface Surface {
  name: SurfaceName;
  limits: Limits;
  /** Connects; every event is passed on once and its answer awaited before it is acknowledged. */
  start(hear: (event: Heard) => Promise<Answer>): Promise<void>;
  /** Finds a place by name or id; a string says why it cannot be used. */
  resolve(place: string): Promise<Place | string>;
  post(place: Place, card: Card, under: string | null, nonce: string): Promise<Sent>;
  update(place: Place, card: Card, handle: string): Promise<Sent>;
  remove(place: Place, handle: string): Promise<Sent>;
  tell(place: Place, tell: Tell): Promise<void>;
  stop(): Promise<void>;
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
  asks: number | null;
  locale: string;
  via: SurfaceName[];
  to: string[];
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

/** The engine as the bot sees it: the gate, the ear for chat surfaces, and figures for `status`. */
export interface Engine extends Gate {
  hear(event: Heard): Promise<Answer>;
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
  cancel(round: string): Promise<void>;
  /**
   * Ends the session that `selector` finds; null when there is none. Asked again with the same `since` (epoch
   * milliseconds, when the command began), it finds the session that it ended and no further one.
   */
  down(selector: Selector & { since?: number | undefined }): Promise<{ session: string } | null>;
  list(project: string | null): Promise<SessionSummary[]>;
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
