/**
 * What `step` answers with. Drawing is no effect: after every change the surfaces are reconciled with the cards, and what
 * has to be said to one person waits in `session.tells` until it is said.
 */
import type { Pointer } from "./card.ts";
import type { Session } from "./session.ts";

/** A field of a form: free text, or one of some entries. */
export type Field =
  | { kind: "text"; label: string; value: string; required: boolean }
  | { kind: "select"; label: string; entries: { value: string; label: string }[] };

/** Asks one person for words; sent back as a press of `button` with `words` (and the select's entry in `values`). */
export interface Form {
  button: string;
  title: string;
  submit: string;
  fields: Field[];
}

/** What a surface tells the person who acted: nothing, a private text, or a form to fill in. */
export type Answer =
  | { kind: "done" }
  | { kind: "word"; code: Rejection; text: string; pointers?: Pointer[] }
  | { kind: "form"; form: Form };

/** Why an event changed nothing. */
export type Rejection =
  | "unknown_button"
  | "other_store" // another bot's
  | "unknown_round"
  | "settled" // somebody was first
  | "ended"
  | "not_allowed"
  | "retracted" // the decision is not asked any more
  | "unknown_option"
  | "own_words_not_allowed"
  | "blank"
  | "incomplete"
  | "stale" // somebody else changed a pick since
  | "conflict" // another round of the kind is open
  | "duplicate" // the same event came again
  | "not_saved"; // the store refused; nothing changed

export type Stepped =
  | { ok: true; session: Session; answer: Answer }
  | { ok: false; code: Rejection; text: string; pointers?: Pointer[] };

export const DONE: Answer = { kind: "done" };

export const changed = (session: Session): Stepped => ({ ok: true, session, answer: DONE });
export const reject = (code: Rejection, text = ""): Stepped => ({ ok: false, code, text });
