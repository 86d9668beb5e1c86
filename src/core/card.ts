/**
 * The platform-neutral picture of one message: what `cards` draws and surfaces render. Text is plain and untrusted
 * throughout, except for a block's `raw`, which is Markdown and just as untrusted.
 */
import type { Form } from "./effect.ts";

export interface Entry {
  /** Sent back in `values`. */
  value: string;
  number: number;
  label: string;
  description: string;
  /** Why this option, in the agent's words. */
  reason: string;
  recommended: boolean;
  chosen: boolean;
}

/** Leads to another card. */
export interface Pointer {
  key: string;
  label: string;
  /** Null where cards have no address of their own, or while it does not stand yet. */
  url: string | null;
}

/** A decision with its options. Without `pick` it is only shown (settled, or not this person's to answer). */
export interface ChoicePart {
  kind: "choice";
  /** `d3`; stable. */
  target: string;
  number: number;
  question: string;
  /** Why the recommended one is recommended. */
  why: string;
  entries: Entry[];
  multi: boolean;
  /** The target of the decision that revealed it; null for a root decision. */
  parent: string | null;
  /** "Magic link only — Ana", or "" while it is open. */
  answer: string;
  /** Own words that were given, or "". */
  own: string;
  /** Lines about what the last pick did: "removed: …". */
  notes: string[];
  /** The cards of the follow-ups that its pick revealed. */
  reveals: Pointer[];
  /** The select's id; null: shown only. */
  pick: string | null;
  /** *Other…*; null: not offered. */
  other: Control | null;
}

export interface Comment {
  id: string;
  text: string;
  by: string;
  byId: string;
  /** The button that edits it (blank words remove it); null: shown only. */
  edit: string | null;
}

/** A block of a plan. */
export interface BlockPart {
  kind: "block";
  /** `b7`; its number is shown as ¶8. */
  target: string;
  number: number;
  raw: string;
  comments: Comment[];
  comment: Control | null;
}

/** A button. Where `form` is set, pressing it asks for words first. */
export interface Control {
  id: string;
  verb: string;
  label: string;
  style: "primary" | "danger" | "plain";
  /** Asked before it acts. */
  confirm: { text: string; decline: string } | null;
  form: Form | null;
}

/** Stands in a text for its time `at` (epoch milliseconds); surfaces put the reader's own clock time there. */
export const TIME = "\uE000";

export type Part =
  | { kind: "title"; text: string; subtitle: string; origin: string }
  | { kind: "text"; text: string; tone: "body" | "quiet" | "good" | "warn" | "code"; at: number | null }
  | ChoicePart
  | BlockPart
  | { kind: "comments"; label: string; comments: Comment[] }
  | { kind: "progress"; done: number; of: number; text: string }
  | { kind: "people"; people: { name: string; state: string }[] }
  | { kind: "file"; name: string; text: string }
  | { kind: "pointers"; pointers: Pointer[] }
  | { kind: "controls"; controls: Control[] };

export interface Card {
  /** Unique in its session, stable over changes: `r_x-1`, `r_x-1/d3`, `r_x-1/b0`, `r_x-1/end`. */
  key: string;
  round: string;
  /** The card whose thread it stands in; null: the place itself. */
  under: string | null;
  /** The round is over: nothing on it can be pressed. */
  settled: boolean;
  /** What the whole thread is about: the title of the round that began it. */
  topic: string;
  /** Ids of those whom the first post notifies; [] is silent. */
  mention: string[];
  /** The notification, and the text where a card cannot be drawn. */
  alert: string;
  parts: Part[];
}

/** What a surface can show, as data; `fit` obeys it. Lengths are UTF-16 units. */
export interface Limits {
  /** Characters of a whole card, and of one text in it. */
  card: number;
  text: number;
  /** Entries of a select and the length of one. */
  entries: number;
  entryText: number;
  /** Units a card may hold, and what a text, a choice and a control row take of them. */
  units: number;
  unitsPer: { text: number; choice: number; controls: number };
  /** Do files stand on the card itself, or as posts of their own in its thread? */
  files: "inline" | "apart";
  /** Where the blocks of a plan stand in a channel: each in the place itself, or all in the thread of its header. */
  blocks: "place" | "thread";
  /** Messages a plan may become before blocks are packed, in a channel and in a direct message. */
  planCards: number;
  planCardsDirect: number;
}
