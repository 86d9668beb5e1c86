/** Putting a new question to people. */
import { activeSet } from "./decisions.ts";
import { changed, reject, type Stepped } from "./effect.ts";
import type { Event } from "./event.ts";
import { planBlocks } from "./plan.ts";
import type { Outcome, Round } from "./round.ts";
import { findRound, type Session } from "./session.ts";

type Open = Extract<Event, { type: "open" }>;

/** One clarity page and one plan are open at a time, unless the agent went on without an answer. */
export const openConflict = (session: Session, kind: Round["kind"]): Round | undefined =>
  kind === "clarity" || kind === "plan"
    ? session.rounds.find((round) => round.kind === kind && round.outcome === null && round.lateAt === null)
    : undefined;

export function openRound(session: Session, event: Open, now: number): Stepped {
  if (findRound(session, event.round) !== undefined) return reject("duplicate");
  const conflict = openConflict(session, event.matter.kind);
  if (conflict !== undefined) return reject("conflict", conflict.id);
  const asks = countAsk(session, event);
  const round = {
    ...newRound(event, now, { asks, after: session.lastActor }),
    outcome: settledAtOnce(event, asks, now),
  };
  return changed({ ...session, usedAt: now, asks, rounds: [...session.rounds, round] });
}

/** Every question that is put counts, whatever becomes of it. */
function countAsk(session: Session, event: Open): Session["asks"] {
  const { quota } = quotaOf(session, event.asks);
  return { quota, used: session.asks.used + (event.matter.kind === "ask" ? 1 : 0) };
}

/** The session's quota as a command sets it: null leaves it as it is, less than 0 lifts it. */
const quotaOf = ({ asks }: Pick<Session, "asks">, said: number | null): Session["asks"] =>
  said === null ? asks : { ...asks, quota: said < 0 ? null : said };

/** How many questions are left; -1 without a quota. */
export function questionsLeft(session: Pick<Session, "asks">, said: number | null): number {
  const { quota, used } = quotaOf(session, said);
  return quota === null ? -1 : Math.max(0, quota - used);
}

function settledAtOnce(event: Open, asks: Session["asks"], now: number): Outcome | null {
  const overQuota = event.matter.kind === "ask" && asks.quota !== null && asks.used > asks.quota;
  if (overQuota) return { status: "over_quota", by: null, at: now };
  return event.immediate ? { status: "timeout", by: null, at: now } : null;
}

function newRound(
  event: Open,
  now: number,
  { asks, after }: { asks: Session["asks"]; after: Session["lastActor"] },
): Round {
  const { matter } = event;
  const base = {
    id: event.round,
    key: event.key,
    openedAt: now,
    after,
    deadline: event.deadline,
    lateAt: null,
    policy: event.policy,
    rev: 0,
    told: {},
    outcome: null,
    acknowledged: false,
  };
  switch (matter.kind) {
    case "clarity": {
      const shown = activeSet(matter.payload, {});
      return { ...base, ...matter, picks: {}, pickedBy: {}, appeared: shown, shown, dropped: [] };
    }
    case "plan": {
      const { granularity } = event;
      const blocks = planBlocks(matter.payload.plan);
      return { ...base, ...matter, blocks, granularity, annotations: [], feedback: [], reviews: [] };
    }
    case "ask": {
      return { ...base, ...matter, remaining: questionsLeft({ asks }, null) };
    }
    case "permission":
      return { ...base, ...matter };
  }
}
