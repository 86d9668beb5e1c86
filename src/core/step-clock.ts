/** What time does to a session: deadlines, and its own end. */
import { verdictAtDeadline } from "./policy.ts";
import type { Round } from "./round.ts";
import type { Session } from "./session.ts";
import { withDefaults } from "./step-clarity.ts";
import { endsAt, timesOf } from "./times.ts";

/** Deadlines that have passed, then the session's own end. The same session when nothing is due. */
export function tick(session: Session, now: number): Session {
  const rounds = session.rounds.map((round) => (isDue(round, now) ? passDeadline(round, now) : round));
  const next = rounds.some((round, at) => round !== session.rounds[at]) ? { ...session, rounds } : session;
  const end = endsAt(timesOf(next));
  return end !== null && end <= now ? endSession(next, { how: "expired", at: now, by: null }) : next;
}

const isDue = (round: Round, now: number): boolean =>
  round.outcome === null && round.lateAt === null && round.deadline !== null && round.deadline <= now;

function passDeadline(round: Round, now: number): Round {
  if (round.kind === "plan" && verdictAtDeadline(round) !== null) {
    return { ...round, outcome: { status: "submitted", decision: "revise", by: null, at: now } };
  }
  switch (round.policy.onTimeout) {
    case "keep":
      return { ...round, lateAt: now };
    case "recommended":
      return round.kind === "clarity" ? withDefaults(round, now) : { ...round, lateAt: now };
    case "fail": {
      const denied = round.kind === "permission" ? { decision: "deny" as const } : {};
      return { ...round, outcome: { status: "timeout", by: null, at: now, ...denied } };
    }
  }
}

/**
 * What is open in a session that ends is cancelled, or has timed out. Only a person's *Cancel* is news to the agent: it
 * ended the session itself, or went on long ago.
 */
export function endSession(session: Session, ended: NonNullable<Session["ended"]>): Session {
  const status = ended.how === "expired" ? "timeout" : "cancelled";
  const acknowledged = ended.how !== "cancelled";
  const rounds = session.rounds.map(
    (round): Round =>
      round.outcome === null
        ? { ...round, acknowledged, outcome: { status, by: ended.by, at: ended.at } }
        : round,
  );
  return { ...session, rounds, ended };
}
