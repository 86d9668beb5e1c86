/** What a waiting command gets. */
import { AskgateError } from "./error.ts";
import type { Inbox, Waited } from "./gate.ts";
import { isoTime, result } from "./outcome.ts";
import type { Round } from "./round.ts";
import { findRound, type Session } from "./session.ts";
import { words } from "./words.ts";

/** What a command gets: the round's result, and what came too late for an earlier command. */
export function waited(session: Session, id: string, past: boolean): Waited {
  const round = roundOf(session, id);
  const state = round.outcome !== null ? "settled" : !past && round.lateAt !== null ? "late" : "open";
  const missed = state === "open" ? [] : session.rounds.filter((other) => other !== round && isMissed(other));
  const late = missed.length > 0 ? { late: missed.map((other) => result(session, other)) } : {};
  const settled = state === "settled" ? [round.id] : [];
  return {
    state,
    result: { ...result(session, round, state === "late" ? "timeout" : "pending"), ...late },
    by: whoAnswered(session, round),
    carries: { rounds: [...settled, ...missed.map((other) => other.id)], messages: [] },
  };
}

/** An outcome that came after its agent went on, and that nobody took yet. */
const isMissed = (round: Round): boolean =>
  round.outcome !== null &&
  round.lateAt !== null &&
  !round.acknowledged &&
  round.outcome.status !== "timeout";

/** What waits for the agent in a session: words and outcomes that no command took. */
export function inboxOf(session: Session | null): Inbox {
  const messages = session?.inbox.filter(({ takenAt }) => takenAt === null) ?? [];
  const late = session === null ? [] : session.rounds.filter(isMissed);
  return {
    session: session?.id ?? null,
    messages: messages.map(({ id, text, by, at, files }) => ({
      id,
      text,
      by: by.name,
      byId: by.id,
      where: by.surface,
      at: isoTime(at),
      ...(files === undefined ? {} : { files }),
    })),
    late: session === null ? [] : late.map((round) => result(session, round)),
    carries: { rounds: late.map(({ id }) => id), messages: messages.map(({ id }) => id) },
  };
}

const whoAnswered = (session: Session, { outcome }: Round): string =>
  outcome?.by == null
    ? ""
    : words(session.locale).inPlace(outcome.by.name, words(session.locale)[outcome.by.surface]);

export function roundOf(session: Session, id: string): Round {
  const round = findRound(session, id);
  if (round === undefined) throw unknown(id);
  return round;
}

export const unknown = (id: string): AskgateError =>
  new AskgateError("unknown_round", `${id || "That"} is not known here.`, { help: "See: askgate list" });

/** Has the wait for a round come to its end? `past`: a deadline that is over does not count. */
export const isOver = (round: Round, past: boolean): boolean =>
  round.outcome !== null || (!past && round.lateAt !== null);
