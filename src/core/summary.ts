/** A session in a few lines, for `list`. */
import { missing } from "./decisions.ts";
import type { SessionSummary } from "./gate.ts";
import { isoTime } from "./outcome.ts";
import { type Round, titleOf } from "./round.ts";
import type { Session } from "./session.ts";
import { words } from "./words.ts";

export function summary(session: Session): SessionSummary {
  const [first] = session.rounds;
  return {
    session: session.id,
    project: session.project,
    name: session.name,
    title: first === undefined ? "" : titleOf(first),
    agent: session.origin.agent,
    usedAt: isoTime(session.usedAt),
    ended: session.ended !== null,
    rounds: session.rounds.map((round) => ({
      round: round.id,
      kind: round.kind,
      title: titleOf(round),
      status: round.outcome?.status ?? "open",
      deadline: round.deadline === null ? null : isoTime(round.deadline),
      late: round.outcome === null && round.lateAt !== null,
    })),
  };
}

/** What a round wants of people: "needs 2 decisions". */
export function wantedOf(session: Session, round: Round): string {
  const say = words(session.locale);
  switch (round.kind) {
    case "clarity":
      return say.needsDecisions(missing(round.payload, round.picks).length);
    case "plan":
      return say.needsReview(round.blocks.length);
    case "ask":
      return say.asks;
    case "permission":
      return say.wantsToRun;
  }
}
