/** What time can do to a session: the deadlines of its rounds, and its own end. */
import type { Round } from "./round.ts";
import type { Session } from "./session.ts";

/** A session ends this long after its last round. */
export const SESSION_LIFE_MS = 12 * 60 * 60 * 1000;

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
