/**
 * The state of one agent task, as plain data, and the lookups that every rule needs. Nothing here decides anything: `step`
 * changes sessions, `cards` draws them.
 */
import type { Attachment, Origin, Place, SurfaceName, Who } from "./people.ts";
import type { Round } from "./round.ts";

/** What a person wrote to the agent outside of any question. */
export interface Message {
  id: string;
  source: string;
  text: string;
  by: Who;
  at: number;
  files?: Attachment[];
  takenAt: number | null;
}

/** Said into the thread: by the agent, or by the bot when somebody asks how things stand. */
export interface Note {
  text: string;
  at: number;
  by: "agent" | "bot";
}

/** A card that a surface has put up, is putting up (`sending`) or was refused. */
export interface Post {
  key: string;
  /** What the surface needs to change it; null until it stands. */
  handle: string | null;
  /** `digest` of the card as it stands, or as it was last sent. */
  digest: string;
  state: "sending" | "standing" | "refused";
  /** Makes a repeated post recognisable. */
  nonce: string;
  /** When it was sent first, if its end is not known; null when nothing can stand there under this nonce. */
  triedAt: number | null;
  /** Why it was refused; "" if it was not. */
  reason: string;
}

/** A private word or a small sign for somebody who typed; stays in the session until the surface has shown it. */
export interface Tell {
  id: string;
  place: string;
  to: string;
  /** The typed message it is about. */
  about: string;
  tone: "kept" | "delivered" | "refused" | "offer";
  text: string;
  /** The button of an offer ("Use as my answer"). */
  button?: string;
  label?: string;
}

export interface Session {
  id: string;
  /** The short id of the store that keeps it, which stands in its buttons. */
  store: string;
  project: string;
  /** `flow.session_id` or `--session NAME`: a name inside the project. */
  name: string | null;
  /** The agent's own id of its conversation, where it gives one. */
  agentSession: string | null;
  origin: Origin;
  locale: string;
  places: Place[];
  createdAt: number;
  /** The last time a command used it. */
  usedAt: number;
  rounds: Round[];
  ended: { how: "down" | "cancelled" | "expired"; at: number; by: Who | null } | null;
  /** Questions allowed (`--asks`), and put so far. */
  asks: { quota: number | null; used: number };
  /** The last number given to an annotation or message. */
  counter: number;
  inbox: Message[];
  notes: Note[];
  /** Ids of events already taken, newest last. */
  seen: string[];
  /** Messages that were edited, and when last, by the platform's clock; newest last. */
  edits: { id: string; at: number }[];
  lastActor: Who | null;
  /** Place key → what stands there. */
  posts: Record<string, Post[]>;
  /** Place key → when the newest message that was taken from there was written, by the platform's clock. */
  heard: Record<string, number>;
  /** Surface → until when nobody listened there; gone with the next press. */
  away: Partial<Record<SurfaceName, number>>;
  tells: Tell[];
}

export const findRound = (session: Session, id: string): Round | undefined =>
  session.rounds.find((round) => round.id === id);

export const openRounds = (session: Session): Round[] =>
  session.rounds.filter((round) => round.outcome === null);

export const replaceRound = (session: Session, next: Round): Session => ({
  ...session,
  rounds: session.rounds.map((round) => (round.id === next.id ? next : round)),
});

/** What is fixed when a session starts; everything else begins empty. */
export type NewSession = Pick<
  Session,
  "id" | "store" | "project" | "name" | "agentSession" | "origin" | "locale" | "places"
>;

export const startSession = (start: NewSession, now: number): Session => ({
  ...start,
  createdAt: now,
  usedAt: now,
  rounds: [],
  ended: null,
  asks: { quota: null, used: 0 },
  counter: 0,
  inbox: [],
  notes: [],
  seen: [],
  edits: [],
  lastActor: null,
  posts: {},
  heard: {},
  away: {},
  tells: [],
});

/** Event ids remembered against repeated deliveries. */
export const REMEMBERED = 200;

export const remember = (session: Session, id: string): Session => ({
  ...session,
  seen: [...session.seen.slice(1 - REMEMBERED), id],
});
