/**
 * What the rules of every kind of round share: one press by somebody who may, and how a round is settled.
 */
import { changed, type Form, type Stepped } from "./effect.ts";
import { type Button, formatButton, type Press } from "./event.ts";
import type { Who } from "./people.ts";
import type { Outcome, Round } from "./round.ts";
import { replaceRound, type Session } from "./session.ts";
import type { Words } from "./words.ts";

/** One press on an open round, by somebody who may. */
export interface Act<R extends Round = Round> {
  session: Session;
  round: R;
  button: Button;
  press: Press;
  now: number;
  /** In the language of the one who pressed. */
  say: Words;
}

/** The one who acted, as it is kept. */
export const who = (event: Pick<Press, "actor" | "place">): Who => ({
  id: event.actor.id,
  name: event.actor.name,
  surface: event.place.surface,
});

/** Ends a round by a person's act. */
export function settle(on: Act, outcome: Omit<Outcome, "by" | "at">, round: Round = on.round): Stepped {
  const settled = { ...round, rev: round.rev + 1, outcome: { ...outcome, by: who(on.press), at: on.now } };
  return changed(replaceRound(on.session, settled));
}

/** Asks for words before the press can count; nothing is saved. */
export const askWords = (on: Act, form: Omit<Form, "button">): Stepped => ({
  ok: true,
  session: on.session,
  answer: { kind: "form", form: { ...form, button: formatButton(on.button) } },
});

/** The words of a press, trimmed; null when there are none worth keeping. */
export const wordsOf = (press: Press): string | null => press.words?.trim() || null;

/** The number in a target such as `d3`, or -1. */
export const numberIn = (target: string, letter: string): number =>
  target.startsWith(letter) && /^\d{1,9}$/.test(target.slice(1)) ? Number(target.slice(1)) : -1;
