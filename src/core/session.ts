/**
 * The state of one agent task and the questions in it, as plain data, and the lookups that every rule needs.
 * Nothing here decides anything: `step` changes sessions, `cards` draws them.
 */
import type { Picks } from "./decisions.ts";
import type { Ask, Clarity, Permission, Plan } from "./payload.ts";
import type { PlanBlock } from "./plan.ts";

export type SurfaceName = "slack" | "discord" | "web" | "terminal";

/** Where people see a session: a channel or direct message of a platform, or the local page or terminal (`id` ""). */
export interface Place {
  surface: SurfaceName;
  id: string;
  direct: boolean;
  label: string;
}

/** Who did something, looked up by the surface (`local` is set by the bot). `id` is `slack:T1/U7`, `discord:42`, `local:ana`. */
export interface Actor {
  id: string;
  name: string;
  kind: "member" | "guest" | "external" | "bot" | "local";
  inPlace: boolean;
}

/** An actor as it is kept: who, where. */
export interface Who {
  id: string;
  name: string;
  surface: SurfaceName;
}

/** A named person with all accounts that are theirs, counted once. */
export interface Person {
  name: string;
  ids: string[];
}

export type OnTimeout = "keep" | "recommended" | "fail";

/** Who may act on a round and what settles it, resolved when the round opens. `named` is empty where nobody is named. */
export interface Policy {
  named: Person[];
  quorum: number;
  veto: boolean;
  onTimeout: OnTimeout;
}

/** Where a task comes from, as shown on its home message. Empty text: unknown. */
export interface Origin {
  repo: string;
  branch: string;
  agent: string;
  host: string;
}

export interface Attachment {
  name: string;
  type: string;
  url: string;
}

export type Settled = "submitted" | "cancelled" | "declined" | "timeout" | "over_quota" | "unreachable";

/** How a round ended. `by` is null where no person did it. */
export interface Outcome {
  status: Settled;
  by: Who | null;
  at: number;
  action?: "continue" | "done";
  decision?: "approve" | "revise" | "allow" | "deny";
  answer?: string;
  option?: number | null;
  reason?: string;
}

interface RoundBase {
  id: string;
  key: string | null;
  openedAt: number;
  /** Epoch milliseconds, or null for never. */
  deadline: number | null;
  /** When the agent went on without an answer (`keep`); null while it waits. */
  lateAt: number | null;
  policy: Policy;
  /** Counts the changes that people made. */
  rev: number;
  /** What an actor was told is the current revision, after a stale press. */
  told: Record<string, number>;
  outcome: Outcome | null;
  /** A command wrote the outcome to its standard output in full. */
  acknowledged: boolean;
}

/** By whom a decision was picked, and when; `defaulted` by a deadline. */
export interface PickedBy {
  who: Who | null;
  at: number;
  rev: number;
  defaulted: boolean;
}

/** A pick that was dropped when its decision was retracted, for the line "removed: …". */
export interface Dropped {
  cause: string;
  decision: string;
  answer: string;
}

export interface ClarityRound extends RoundBase {
  kind: "clarity";
  payload: Clarity;
  picks: Picks;
  pickedBy: Record<string, PickedBy>;
  /** Decision ids in order of first appearance: a decision's number is its place here, never changed. */
  appeared: string[];
  /** Active decision ids in the order they came up this time: the order of their cards. */
  shown: string[];
  dropped: Dropped[];
}

export interface Annotation {
  id: string;
  /** The event (typed message or press) that made it; edits and deletions name it. */
  source: string;
  blockIndex: number;
  span?: [number, number];
  quote: string;
  comment: string;
  by: Who;
  at: number;
  files?: Attachment[];
}

export interface Feedback {
  source: string;
  text: string;
  by: Who;
  at: number;
  files?: Attachment[];
}

export interface Review {
  by: Who;
  decision: "approve" | "revise";
  at: number;
}

export interface PlanRound extends RoundBase {
  kind: "plan";
  payload: Plan;
  blocks: PlanBlock[];
  granularity: "auto" | "block";
  annotations: Annotation[];
  feedback: Feedback[];
  reviews: Review[];
}

export interface AskRound extends RoundBase {
  kind: "ask";
  payload: Ask;
  /** Questions left when this one was put; -1 without a quota. */
  remaining: number;
}

export interface PermissionRound extends RoundBase {
  kind: "permission";
  payload: Permission;
}

export type Round = ClarityRound | PlanRound | AskRound | PermissionRound;
export type Kind = Round["kind"];

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
  notes: { text: string; at: number }[];
  /** Ids of events already taken, newest last. */
  seen: string[];
  lastActor: Who | null;
  /** Place key → what stands there. */
  posts: Record<string, Post[]>;
  tells: Tell[];
}

/** A session ends this long after its last round. */
export const SESSION_LIFE_MS = 12 * 60 * 60 * 1000;

export const placeKey = (place: Pick<Place, "surface" | "id">): string => `${place.surface}:${place.id}`;

/** A round's id begins with its session's, so that the session is found from it. */
export const roundId = (sessionId: string, number: number): string => `r_${sessionId.slice(2)}-${number}`;

export const sessionIdOf = (round: string): string => `s_${round.slice(2).split("-")[0] ?? ""}`;

export const findRound = (session: Session, id: string): Round | undefined =>
  session.rounds.find((round) => round.id === id);

export const openRounds = (session: Session): Round[] =>
  session.rounds.filter((round) => round.outcome === null);

/** A question that was settled the moment it was put (quota used up, no waiting) or that no place took is not shown. */
export const isShown = (round: Round): boolean => {
  const status = round.outcome?.status;
  const atOnce = status === "timeout" && round.outcome?.at === round.openedAt;
  return status !== "over_quota" && status !== "unreachable" && !atOnce;
};

export const replaceRound = (session: Session, next: Round): Session => ({
  ...session,
  rounds: session.rounds.map((round) => (round.id === next.id ? next : round)),
});

const isAwaited = (round: Round): boolean => round.outcome === null && round.lateAt === null;

/** What time can do to a session: the deadlines of rounds that an agent waits for, and when the others ended. */
export interface Times extends Pick<Session, "usedAt" | "ended"> {
  awaited: (number | null)[];
  ends: number[];
}

export const timesOf = ({ usedAt, ended, rounds }: Session): Times => ({
  usedAt,
  ended,
  awaited: rounds.filter(isAwaited).map(({ deadline }) => deadline),
  ends: rounds.flatMap((round) => round.outcome?.at ?? round.lateAt ?? []),
});

/**
 * When the session ends by itself, in epoch milliseconds: some hours after its last round did. Null while an agent waits,
 * and once it has ended.
 */
export function endsAt({ usedAt, ended, awaited, ends }: Times): number | null {
  return ended !== null || awaited.length > 0 ? null : Math.max(usedAt, ...ends) + SESSION_LIFE_MS;
}

/** When the session next needs a `tick`, in epoch milliseconds; null when time changes nothing. */
export function due(times: Times): number | null {
  if (times.ended !== null) return null;
  const deadlines = times.awaited.flatMap((deadline) => deadline ?? []);
  return deadlines.length > 0 ? Math.min(...deadlines) : endsAt(times);
}

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
  lastActor: null,
  posts: {},
  tells: [],
});
