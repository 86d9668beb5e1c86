/**
 * Everything that can happen to a session, and the opaque ids of buttons. Surfaces, the link and the clock make events;
 * only `step` understands them.
 */
import type { Matter } from "./payload.ts";
import type { Actor, Attachment, Place, SurfaceName, Who } from "./people.ts";
import type { Policy } from "./round.ts";

/** What a button does. A verb that needs words answers with a form when none came along. */
export const VERBS = [
  "pick", // values: options of a decision
  "own", // words: own words for a decision
  "accept", // answer every open decision with its recommended option
  "send", // hand the answers over (`continue` for a flow, else `done`)
  "done", // hand them over with action `done`
  "cancel",
  "comment", // words: on a block
  "edit", // words: replace an annotation or feedback; blank removes it
  "approve",
  "revise", // words: where nobody has commented yet
  "feedback", // words: on the plan as a whole
  "now", // end the review with what stands
  "answer", // values: the option of an ask, or words
  "skip", // words: a reason, if any
  "allow",
  "deny", // words: the reason, if any
  "use", // take a typed message as the answer
] as const;
export type Verb = (typeof VERBS)[number];

/** `v1:<store>:<verb>:<round>:<rev>:<target>`: identifiers only, values are looked up. Target: `d3`, `b7`, `a2`, `-`. */
export interface Button {
  store: string;
  verb: Verb;
  round: string;
  rev: number;
  target: string;
}

export const formatButton = (button: Button): string =>
  `v1:${button.store}:${button.verb}:${button.round}:${button.rev}:${button.target}`;

/** The button of an id, or null for anything that is none (unknown version, verb or shape). */
export function parseButton(id: string): Button | null {
  const [version, store, verb, round, rev, target, ...rest] = id.split(":");
  const known = VERBS.find((candidate) => candidate === verb);
  if (version !== "v1" || known === undefined || rest.length > 0 || !/^\d{1,9}$/.test(rev ?? "")) return null;
  if (!store || !round || !target) return null;
  return { store, verb: known, round, rev: Number(rev), target };
}

/** Somebody pressed a button, chose in a select or sent a form. */
export interface Press {
  type: "press";
  /** Unique per press; repeated deliveries have the same. */
  id: string;
  place: Pick<Place, "surface" | "id" | "direct">;
  actor: Actor;
  /** A button's id, as drawn. */
  button: string;
  /** Chosen entries: `o0`, `o1` … for options, `b3` for a block. */
  values: string[];
  words: string | null;
  /** The person's language, where the surface knows it; else the session's is used. */
  locale?: string | undefined;
}

/** Somebody wrote a message. `id` begins with the place's key (`slack:T1/C1/…`); edits and deletions repeat it. */
export interface Typed {
  type: "typed";
  id: string;
  /** Epoch milliseconds, by the platform's clock. */
  at: number;
  place: Pick<Place, "surface" | "id" | "direct">;
  actor: Actor;
  /**
   * The post whose thread it stands in, or the message which it replies to; null for a plain message. A reply inside a
   * thread has that too.
   */
  anchor: { kind: "thread" | "reply"; handle: string; thread?: string | undefined } | null;
  text: string;
  /** When it was edited last, if it was; may be cut to the second. Says which of two versions is the newer one. */
  editedAt?: number | undefined;
  files: Attachment[];
  /** Several questions are open where it stands, and it does not say which it means: it answers none. */
  doubtful?: boolean | undefined;
  /** Something that was written before may still be unread. */
  ahead?: boolean | undefined;
}

/** Somebody changed a message of theirs, or a message was deleted, by whomever. */
export type Rewritten =
  | ({ type: "edited" } & Pick<Typed, "id" | "place" | "actor" | "anchor" | "editedAt" | "text">)
  | ({ type: "deleted" } & Pick<Typed, "id" | "place" | "anchor">);

/** Somebody agrees that a message of theirs, which was offered as an answer, is it. */
export interface Accepted {
  type: "accepted";
  /** Of the typed message. */
  id: string;
  place: Typed["place"];
  actor: Actor;
}

export type Event =
  | {
      type: "open";
      round: string;
      key: string | null;
      matter: Matter;
      deadline: number | null;
      /** A deadline of zero: nothing is shown, the round times out at once (asks only). */
      immediate: boolean;
      policy: Policy;
      granularity: "auto" | "block";
      asks: number | null;
    }
  /** An attaching command gives a round whose deadline has passed a new one. */
  | { type: "renew"; round: string; deadline: number | null }
  /** `by`: who answered the agent elsewhere; null: the agent withdrew it. */
  | { type: "cancel"; round: string; by?: Who | null }
  /** No surface could show it. */
  | { type: "unreachable"; round: string; reason: string }
  /** A command uses the session, perhaps from further places. */
  | { type: "join"; places: Place[] }
  | { type: "down" }
  /** A command wrote these outcomes, and took these inbox messages. */
  | { type: "acknowledge"; rounds: string[]; messages: string[] }
  | { type: "say"; text: string }
  | Press
  | Typed
  | Rewritten
  | Accepted
  /**
   * What people wrote in a place since `from`, read back after a gap; new is what was written after `heard`, and all up to
   * `ahead` has come meanwhile. Of `words`, the messages that were kept before it was read, those that are not there were deleted.
   */
  | {
      type: "reread";
      place: string;
      from: number;
      heard: number;
      ahead: number;
      words: string[];
      messages: Typed[];
    }
  /** Nobody listened on this surface between these times. */
  | { type: "away"; surface: SurfaceName; from: number; until: number }
  /** Time passed: deadlines and the session's end are looked at. */
  | { type: "tick" }
  /** A post, update or removal is on its way … */
  | { type: "sending"; place: string; key: string; digest: string; nonce: string }
  /** … and how it ended. */
  | { type: "posted"; place: string; key: string; handle: string; digest: string }
  | { type: "refused"; place: string; key: string; reason: string }
  | { type: "gone"; place: string; key: string }
  /** `unsure`: it may stand there all the same. */
  | { type: "later"; place: string; key: string; unsure: boolean }
  | { type: "told"; id: string };
