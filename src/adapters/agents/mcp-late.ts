/**
 * What waits for the agent besides the answer that a call is for: answers to earlier questions that no call took, because
 * the client had left or its patience was over, and words that people wrote.
 */
import { z } from "zod";
import type { Result } from "../../core/gate.ts";
import type { Call, Receipt } from "./mcp-ports.ts";

export interface Leftovers {
  late: Result[];
  /** Messages that nobody took. */
  unread: number;
  receipts: Receipt[];
}

/** What `show` gives of a session; `outcomes` are the results of `rounds`, in their order. */
const shown = z.looseObject({
  rounds: z.array(
    z.looseObject({
      id: z.string(),
      acknowledged: z.boolean(),
      outcome: z.looseObject({ status: z.string() }).nullable(),
    }),
  ),
  outcomes: z.array(z.looseObject({ status: z.string() })),
  inbox: z.array(z.looseObject({ takenAt: z.number().nullable() })),
  /** Set once the session is over: its inbox is not read any more. */
  ended: z.unknown(),
});
type Round = z.infer<typeof shown>["rounds"][number];

/** How people end a round: what is not among them was no answer, and is no news. */
const BY_PEOPLE = ["submitted", "declined", "cancelled"];

/** The session that a call would go on with now; null where there is none, or where several are waited for. */
export async function sessionBefore({ parts, client }: Call, session: string | undefined) {
  try {
    const gate = await parts.gate();
    return (await gate.inbox(await parts.selector(client, session))).session;
  } catch (error) {
    if (parts.explain(error).kind === "usage") return null;
    throw error;
  }
}

/** Sessions that are looked at with each call. */
const LOOKED_AT = 5;

/**
 * All that was left in these sessions and those that the connection used before. `own`: the round that the call itself is for. What cannot be read now comes with a
 * later call: it costs nobody the answer that is there.
 */
export async function leftovers(
  call: Call,
  sessions: (string | null)[],
  own: string | null,
): Promise<Leftovers> {
  const { parts } = call;
  const left: Leftovers = { late: [...call.crossed()], unread: 0, receipts: [] };
  for (const session of sessionsOf(call, sessions)) {
    try {
      const found = await inSession(call, session, own);
      left.late.push(...found.late);
      left.unread += found.unread;
      left.receipts.push(...found.receipts);
    } catch (error) {
      parts.say(`askgate: could not look for earlier answers: ${parts.explain(error).message}`);
    }
  }
  return left;
}

function sessionsOf({ sessions: known }: Call, further: (string | null)[]): string[] {
  for (const session of further) {
    if (session === null || session === "") continue;
    known.delete(session);
    known.add(session);
  }
  const last = [...known].slice(-LOOKED_AT);
  known.clear();
  for (const session of last) known.add(session);
  return last;
}

async function inSession(call: Call, session: string, own: string | null): Promise<Leftovers> {
  const gate = await call.parts.gate();
  const { rounds, outcomes, inbox, ended } = shown.parse(await gate.show(session));
  const isLate = (round: Round): boolean => round.id !== own && !call.isClaimed(round.id) && isUntaken(round);
  const late = outcomes
    .filter((_, at) => rounds[at] !== undefined && isLate(rounds[at]))
    .map((result) => call.parts.conclude(result));
  const ids = rounds.filter(isLate).map(({ id }) => id);
  call.claim(ids);
  return {
    late,
    unread: ended ? 0 : inbox.filter(({ takenAt }) => takenAt === null).length,
    receipts: ids.length === 0 ? [] : [{ session, carries: { rounds: ids, messages: [] } }],
  };
}

const isUntaken = ({ outcome, acknowledged }: Round): boolean =>
  outcome !== null && !acknowledged && BY_PEOPLE.includes(outcome.status);
