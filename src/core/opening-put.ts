/** Putting a question to people: who may answer it, where it goes, and the event that opens it. */
import { type Asked, deadlineOf } from "./again.ts";
import { AskgateError } from "./error.ts";
import type { OpenRequest, Result } from "./gate.ts";
import type { Keeper } from "./keeper.ts";
import { identified } from "./named.ts";
import type { Matter } from "./payload.ts";
import type { Place } from "./people.ts";
import { canBeSettled, resolvePolicy } from "./policy.ts";
import type { EngineParts } from "./ports.ts";
import { type Policy, type Round, roundId } from "./round.ts";
import { findRound, type Session } from "./session.ts";
import { openConflict } from "./step-open.ts";
import { busy, nobody, notOpened, usage } from "./usage.ts";
import { placesOf } from "./where.ts";

/** What opening came to: a round that people have, or a result with nothing to wait for. */
export type Opening =
  | { kind: "round"; session: Session; round: Round; attached: boolean; notes: string[] }
  | { kind: "result"; session: Session | null; round: Round | null; result: Result; notes: string[] };

export interface OpeningParts {
  parts: EngineParts;
  keeper: Keeper;
  isWaiting: (session: string) => boolean;
}

export async function putQuestion(
  { parts, keeper }: OpeningParts,
  session: Session,
  { request, matter }: Asked,
): Promise<Opening> {
  const conflict = openConflict(session, matter.kind);
  if (conflict !== undefined) throw busy(conflict);
  const asked = policyOf(request, matter);
  const nobodys = matter.kind === "ask" && isImmediate(request);
  const { taken, notes } = nobodys ? { taken: [], notes: [] } : await placesOf(parts, request);
  if (taken.length === 0 && !nobodys)
    return nothing({ status: "unreachable", reason: notes.join("; "), help: UNREACHED });
  if (!canBeSettled(asked, taken) && !nobodys) throw nobody(asked, taken);
  const policy = nobodys ? asked : await identified(parts, request, asked);
  const id = roundId(session.id, session.rounds.length + 1);
  const event = openEvent(id, { request, matter }, { policy, now: parts.clock.now() });
  const known = session.rounds.length > 0;
  if (known) await keeper.take(session.id, { type: "join", places: taken });
  const stepped = known
    ? await keeper.take(session.id, event)
    : await keeper.begin({ ...session, places: taken }, event);
  if (!stepped.ok) throw notOpened(stepped);
  const round = findRound(stepped.session, id);
  if (round === undefined) throw new AskgateError("internal", `round ${id} was not opened`);
  return {
    kind: "round",
    session: stepped.session,
    round,
    attached: false,
    notes: [...notes, ...unnotified(policy, taken)],
  };
}

export const nothing = (value: Result): Opening => ({
  kind: "result",
  session: null,
  round: null,
  result: value,
  notes: [],
});

function openEvent(
  round: string,
  { request, matter }: Asked,
  { policy, now }: { policy: Policy; now: number },
) {
  const { key, granularity, asks } = request;
  const deadline = deadlineOf(request, now);
  const immediate = isImmediate(request);
  return { type: "open" as const, round, key, matter, deadline, immediate, policy, granularity, asks };
}

/** A question that waits for nobody is shown to nobody. */
const isImmediate = ({ timeoutMs }: OpenRequest): boolean => timeoutMs !== null && timeoutMs <= 0;

/** In a channel a message that mentions nobody notifies nobody. */
const unnotified = ({ named }: Policy, places: Place[]): string[] =>
  named.length > 0
    ? []
    : places
        .filter(({ direct }) => !direct)
        .map(({ label }) => `nobody is notified in ${label}: name people to change that`);

function policyOf(request: OpenRequest, matter: Matter): Policy {
  const policy = resolvePolicy({
    kind: matter.kind,
    floor: request.floor,
    payload: matter.payload.policy,
    flags: request.policy,
    people: request.people,
  });
  if ("problem" in policy) throw usage(policy.problem, "See: askgate clarity up --help, Who decides");
  return policy;
}

const UNREACHED = "Nobody can be asked there. Check --via and --to, or use --via web.";
