/** What programs need from the engine: the gate. Types only; every method is required. */
import type { Card, Limits } from "./card.ts";
import type { Answer } from "./effect.ts";
import type { Press } from "./event.ts";
import type { Attachment, Origin, SurfaceName } from "./people.ts";
import type { Kind, OnTimeout } from "./round.ts";

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
