/**
 * One blocking question to people, as plain data: what was asked, what they said so far, and how it ended. Nothing here
 * decides anything.
 */
import type { Picks } from "./decisions.ts";
import type { Ask, Clarity, Permission, Plan } from "./payload.ts";
import type { Attachment, Person, Who } from "./people.ts";
import type { PlanBlock } from "./plan.ts";

export type OnTimeout = "keep" | "recommended" | "fail";

/** Who may act on a round and what settles it, resolved when the round opens. `named` is empty where nobody is named. */
export interface Policy {
  named: Person[];
  quorum: number;
  veto: boolean;
  onTimeout: OnTimeout;
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
  /** Cancelled because somebody answered the agent at its own prompt. */
  elsewhere?: true;
}

interface RoundBase {
  id: string;
  key: string | null;
  openedAt: number;
  /** Who acted last in the session before: a later round calls them. */
  after: Who | null;
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

/** A round's id begins with its session's, so that the session is found from it. */
export const roundId = (sessionId: string, number: number): string => `r_${sessionId.slice(2)}-${number}`;

export const sessionIdOf = (round: string): string => `s_${round.slice(2).split("-")[0] ?? ""}`;

/** A question that was settled the moment it was put (quota used up, no waiting) or that no place took is not shown. */
export const isShown = (round: Round): boolean => {
  const status = round.outcome?.status;
  const atOnce = status === "timeout" && round.outcome?.at === round.openedAt;
  return status !== "over_quota" && status !== "unreachable" && !atOnce;
};

export const titleOf = (round: Round): string =>
  round.kind === "ask" ? round.payload.question : round.payload.title;
