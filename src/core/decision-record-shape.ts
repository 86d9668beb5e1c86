/** The shape of a decision record, as its JSON has it: stable keys, null where there is nothing. Types only. */
import type { Attachment, Origin, SurfaceName } from "./people.ts";

/** Who did something; all null where nobody did, or nobody yet. */
export interface By {
  by: string | null;
  byId: string | null;
  where: SurfaceName | null;
}

/** Something that somebody wrote. */
export interface Said extends By {
  text: string;
  at: string;
  files: Attachment[];
}

export interface RecordedOption {
  optionId: string;
  label: string;
  description: string | null;
  reason: string | null;
  recommended: boolean;
  chosen: boolean;
}

export interface RecordedDecision extends By {
  decisionId: string;
  /** The number that people saw. */
  number: number;
  question: string;
  /** Why the agent recommended what it recommended. */
  recommendationReason: string;
  /** The decision, and its answer, that made this one necessary. */
  revealedBy: { decisionId: string; number: number; answer: string } | null;
  options: RecordedOption[];
  /** Null where it is open. */
  answer: string | null;
  custom: boolean;
  status: "answered" | "defaulted" | "open";
  at: string | null;
}

interface RecordedBase extends By {
  round: string;
  title: string;
  /** The outcome's, or `open`. */
  status: string;
  askedAt: string;
  settledAt: string | null;
  /** Cancelled, because somebody answered the agent at its own prompt. */
  elsewhere: boolean;
  /** When the agent went on without waiting longer. */
  wentOnAt: string | null;
  /** What the person who ended it said about it. */
  reason: string | null;
}

export interface RecordedClarity extends RecordedBase {
  kind: "clarity";
  subtitle: string | null;
  context: string;
  decisions: RecordedDecision[];
  /** Answers that went when another one made their question pointless. */
  dropped: { question: string; answer: string }[];
}

export interface RecordedPlan extends RecordedBase {
  kind: "plan";
  /** 1 for the first plan of the session. */
  version: number;
  subtitle: string | null;
  plan: string;
  decision: string | null;
  reviews: (By & { decision: "approve" | "revise"; at: string })[];
  /** `block` is the number that people saw, from 1. */
  annotations: (Said & { id: string; block: number; quote: string })[];
  feedback: Said[];
}

export interface RecordedAsk extends RecordedBase {
  kind: "ask";
  detail: string | null;
  options: string[];
  /** The options' ids, where they have any. */
  optionIds: string[];
  answer: string | null;
  /** The number of the option, from 1; null for own words. */
  option: number | null;
}

export interface RecordedPermission extends RecordedBase {
  kind: "permission";
  command: string;
  detail: string | null;
  decision: string | null;
}

export type RecordedRound = RecordedClarity | RecordedPlan | RecordedAsk | RecordedPermission;

export interface DecisionRecord {
  /** Rises when the meaning of a key changes. */
  version: 1;
  session: string;
  name: string | null;
  title: string;
  origin: Origin;
  places: { surface: SurfaceName; label: string }[];
  startedAt: string;
  endedAt: string | null;
  ended: "down" | "cancelled" | "expired" | null;
  rounds: RecordedRound[];
  /** What people wrote to the agent, and when it took that. */
  messages: (Said & { deliveredAt: string | null })[];
  /** What the agent said into the thread. */
  notes: { text: string; at: string }[];
}
