/** The same question asked again: found, attached to, or handed back with the outcome that nobody took. */

import type { OpenRequest } from "./gate.ts";
import type { Keeper } from "./keeper.ts";
import type { Opening, OpeningParts } from "./opening-put.ts";
import { result } from "./outcome.ts";
import { canonical, type Matter } from "./payload.ts";
import type { Round } from "./round.ts";
import { findRound, type Session } from "./session.ts";
import { usage } from "./usage.ts";
import { placesOf } from "./where.ts";
import type { Known } from "./which.ts";

/** What a command asks. */
export interface Asked {
  request: OpenRequest;
  matter: Matter;
}

/** The round that this command asks for again: open, or with an outcome that nobody took. */
export async function findSame(
  keeper: Keeper,
  candidates: Known[],
  asked: Asked,
): Promise<{ session: Session; round: Round } | null> {
  const { request, matter } = asked;
  const wanted = canonical(matter.payload);
  const likely = request.key === null ? candidates.filter(({ pending }) => pending) : candidates;
  for (const { id } of likely) {
    const session = await keeper.load(id).catch(() => undefined);
    const round = session?.rounds.findLast((candidate) => isSame(candidate, asked, wanted));
    if (session !== undefined && round !== undefined) return { session, round };
    const other = session?.rounds.find(({ key }) => key !== null && key === request.key);
    if (other !== undefined) {
      throw usage(
        `--key ${request.key} names round ${other.id}, which asked something else`,
        "Use another key.",
      );
    }
  }
  return null;
}

function isSame(round: Round, { request, matter }: Asked, wanted: string): boolean {
  if (round.kind !== matter.kind || canonical(round.payload) !== wanted) return false;
  if (request.key !== null) return round.key === request.key;
  return round.outcome === null || !round.acknowledged;
}

export async function attach(
  { parts, keeper }: OpeningParts,
  there: { session: Session; round: Round },
  request: OpenRequest,
): Promise<Opening> {
  const { session, round } = there;
  if (round.outcome !== null) {
    return { kind: "result", session, round, result: result(session, round), notes: [] };
  }
  const deadline = deadlineOf(request, parts.clock.now());
  if (round.lateAt !== null) await keeper.take(session.id, { type: "renew", round: round.id, deadline });
  const places = await placesOf(parts, request);
  await keeper.take(session.id, { type: "join", places: places.taken });
  const now = (await keeper.load(session.id)) ?? session;
  return {
    kind: "round",
    session: now,
    round: findRound(now, round.id) ?? round,
    attached: true,
    notes: places.notes,
  };
}

/** Epoch milliseconds; null for never, also where the sum is beyond what a number holds exactly. */
export function deadlineOf({ timeoutMs }: OpenRequest, now: number): number | null {
  const at = timeoutMs === null ? Number.POSITIVE_INFINITY : now + Math.max(0, timeoutMs);
  return Number.isSafeInteger(Math.ceil(at)) ? Math.ceil(at) : null;
}
