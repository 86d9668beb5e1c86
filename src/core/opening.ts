/**
 * Opening a round: which session is meant, whether the question is there already, who may answer it, and where.
 */
import { AskgateError, PayloadError } from "./error.ts";
import type { Keeper } from "./keeper.ts";
import { result } from "./outcome.ts";
import { canonical, type Matter, parsePayload } from "./payload.ts";
import type { Place } from "./people.ts";
import { canBeSettled, resolvePolicy } from "./policy.ts";
import type { EngineParts, OpenRequest, Result } from "./ports.ts";
import { type Policy, type Round, roundId } from "./round.ts";
import { findRound, type Session, startSession } from "./session.ts";
import { openConflict } from "./step-open.ts";
import { type Choice, current, fitting, isId, type Known } from "./which.ts";

/** What opening came to: a round that people have, or a result with nothing to wait for. */
export type Opening =
  | { kind: "round"; session: Session; round: Round; attached: boolean; notes: string[] }
  | { kind: "result"; session: Session | null; round: Round | null; result: Result; notes: string[] };

export interface OpeningParts {
  parts: EngineParts;
  keeper: Keeper;
  isWaiting: (session: string) => boolean;
}

export async function openQuestion(given: OpeningParts, request: OpenRequest): Promise<Opening> {
  const matter = parse(request);
  if ("issues" in matter) return nothing({ status: "invalid", issues: matter.issues });
  const candidates = candidatesFor(given, request, matter);
  const there = await findSame(
    given,
    candidates.map(({ id }) => id),
    { request, matter },
  );
  if (there !== null) return attach(given, there, request);
  const session = await chooseSession(given, { request, matter, candidates });
  if ("kind" in session) return session;
  return put(given, session, { request, matter });
}

const nothing = (value: Result): Opening => ({
  kind: "result",
  session: null,
  round: null,
  result: value,
  notes: [],
});

function parse({ kind, payload }: OpenRequest): Matter | { issues: PayloadError["issues"] } {
  try {
    return parsePayload(kind, payload);
  } catch (error) {
    if (error instanceof PayloadError) return { issues: error.issues };
    throw error;
  }
}

/** The sessions that may be meant. A flow's name narrows them down where it fits one. */
function candidatesFor({ keeper }: OpeningParts, request: OpenRequest, matter: Matter): Known[] {
  const narrow = fitting(keeper.known(), named(request, matter));
  return narrow.length > 0 ? narrow : fitting(keeper.known(), request);
}

/** A flow's own name narrows the search, where the command names no session itself. */
function named(request: OpenRequest, matter: Matter): OpenRequest {
  const name = matter.kind === "clarity" ? matter.payload.flow?.session_id : undefined;
  return request.session === null && name !== undefined ? { ...request, session: name } : request;
}

interface Asked {
  request: OpenRequest;
  matter: Matter;
}

/** The round that this command asks for again: open, or with an outcome that nobody took. */
async function findSame(
  { keeper }: OpeningParts,
  ids: string[],
  asked: Asked,
): Promise<{ session: Session; round: Round } | null> {
  const { request, matter } = asked;
  const wanted = canonical(matter.payload);
  for (const id of ids) {
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

async function attach(
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

interface Choosing extends Asked {
  candidates: Known[];
}

type Nothing = Extract<Opening, { kind: "result" }>;

async function chooseSession(given: OpeningParts, choosing: Choosing): Promise<Session | Nothing> {
  const { request, matter, candidates } = choosing;
  const { session: selector, again, kind } = request;
  const explicit = selector !== null && isId(selector);
  if (explicit && candidates.length === 0)
    throw usage(`there is no session ${selector}`, "See: askgate list");
  if (kind === "clarity" && !again && !explicit) return begin(given, request, matter);
  const choice = current(candidates, given.isWaiting);
  if (choice.kind === "several") throw several(choice);
  if (choice.kind === "none")
    return again || explicit ? ended(given, candidates) : begin(given, request, matter);
  const session = await given.keeper.load(choice.id);
  if (session === undefined) throw usage("the session is gone", "Start again: askgate clarity up");
  return again ? (cancelledPage(session) ?? session) : session;
}

/** After *Cancel* on a page there is nothing to continue. */
function cancelledPage(session: Session): Nothing | null {
  const last = session.rounds.findLast(({ kind }) => kind === "clarity");
  return last?.outcome?.status === "cancelled"
    ? { kind: "result", session, round: last, result: result(session, last), notes: [] }
    : null;
}

/** `continue` after the session ended meanwhile: cancelled, or over by time. */
async function ended({ keeper }: OpeningParts, candidates: Known[]): Promise<Nothing> {
  const last = candidates.find((known) => known.ended !== null);
  const session = last === undefined ? undefined : await keeper.load(last.id);
  const round = session?.rounds.at(-1);
  if (session?.ended == null || round === undefined) {
    throw usage("there is no session to continue", "Start one with: askgate clarity up");
  }
  const status = session.ended.how === "expired" ? "timeout" : "cancelled";
  const value = { status, round: round.id, session: session.id, mode: "clarity", items: [] };
  return { kind: "result", session, round: null, result: value, notes: ["the session has ended"] };
}

function begin({ parts }: OpeningParts, request: OpenRequest, matter: Matter): Session {
  const name = named(request, matter).session;
  const start = {
    id: `s_${parts.chance.id(8)}`,
    store: parts.storeId,
    project: request.project,
    name: name !== null && !isId(name) ? name : null,
    agentSession: request.agentSession,
    origin: request.origin,
    locale: request.locale,
    places: [],
  };
  return startSession(start, parts.clock.now());
}

async function put(
  { parts, keeper }: OpeningParts,
  session: Session,
  { request, matter }: Asked,
): Promise<Opening> {
  const conflict = openConflict(session, matter.kind);
  if (conflict !== undefined) throw busy(conflict);
  const policy = policyOf(request, matter);
  const { taken, notes } = await placesOf(parts, request);
  if (taken.length === 0)
    return nothing({ status: "unreachable", reason: notes.join("; "), help: UNREACHED });
  if (!canBeSettled(policy, taken)) throw nobody(policy, taken);
  const id = roundId(session.id, session.rounds.length + 1);
  const now = parts.clock.now();
  const event = {
    type: "open" as const,
    round: id,
    key: request.key,
    matter,
    deadline: deadlineOf(request, now),
    immediate: request.timeoutMs !== null && request.timeoutMs <= 0,
    policy,
    granularity: request.granularity,
    asks: request.asks,
  };
  const known = session.rounds.length > 0;
  if (known) await keeper.take(session.id, { type: "join", places: taken });
  const stepped = known
    ? await keeper.take(session.id, event)
    : await keeper.begin({ ...session, places: taken }, event);
  if (!stepped.ok) throw notOpened(stepped);
  const round = findRound(stepped.session, id);
  if (round === undefined) throw new AskgateError("internal", `round ${id} was not opened`);
  return { kind: "round", session: stepped.session, round, attached: false, notes };
}

/** Epoch milliseconds; null for never, also where the sum is beyond what a number holds exactly. */
function deadlineOf({ timeoutMs }: OpenRequest, now: number): number | null {
  const at = timeoutMs === null ? Number.POSITIVE_INFINITY : now + Math.max(0, timeoutMs);
  return Number.isSafeInteger(Math.ceil(at)) ? Math.ceil(at) : null;
}

function policyOf(request: OpenRequest, matter: Matter): Policy {
  const policy = resolvePolicy({
    kind: matter.kind,
    floor: request.floor,
    payload: matter.payload.policy,
    flags: request.policy,
    people: request.people,
  });
  if ("problem" in policy) throw usage(policy.problem, "See: askgate --help, section Who may act");
  return policy;
}

/** The places asked for: the page and the terminal are always there, a chat says whether it can be used. */
async function placesOf(
  parts: EngineParts,
  { via, to }: OpenRequest,
): Promise<{ taken: Place[]; notes: string[] }> {
  const taken: Place[] = [];
  const notes: string[] = [];
  for (const name of via) {
    if (name === "web" || name === "terminal") {
      const there = name === "terminal" || parts.page !== null;
      if (there) taken.push({ surface: name, id: "", direct: true, label: name });
      else notes.push("the page is not available");
      continue;
    }
    const surface = parts.surfaces.find((candidate) => candidate.name === name);
    if (surface === undefined) {
      notes.push(`${name} is not configured`);
      continue;
    }
    for (const where of to.flatMap((place) => placeOn(name, place))) {
      const place = await surface.resolve(where);
      if (typeof place === "string") notes.push(place);
      else taken.push(place);
    }
  }
  return { taken, notes };
}

/** `SURFACE:PLACE` counts for that surface only, a bare place for every one. */
function placeOn(surface: string, place: string): string[] {
  const [prefix, ...rest] = place.split(":");
  if (prefix !== "slack" && prefix !== "discord") return [place];
  return prefix === surface ? [rest.join(":")] : [];
}

const UNREACHED = "Nobody can be asked there. Check --via and --to, or use --via web.";

const usage = (message: string, help: string): AskgateError => new AskgateError("usage", message, { help });

const several = ({ ids }: Extract<Choice, { kind: "several" }>): AskgateError =>
  usage(
    `commands are waiting in several sessions of this project: ${ids.join(", ")}`,
    "Say which one is meant with --session, or set ASKGATE_SESSION for each agent.",
  );

const busy = ({ id, kind }: Round): AskgateError =>
  usage(
    `round ${id} is still open in this session`,
    `Wait for it (askgate wait ${id}) or end it (askgate ${kind} down).`,
  );

const nobody = ({ named }: Policy, places: Place[]): AskgateError =>
  usage(
    `nobody on ${places.map(({ label }) => label).join(", ")} may settle this: it is for ${named.map(({ name }) => name).join(", ")}`,
    "Ask where they are (--via, --to), or name other people.",
  );

const notOpened = (stepped: { code: string; text: string }): AskgateError =>
  stepped.code === "not_saved"
    ? new AskgateError("store_failed", "the question could not be saved, so nobody was asked", {
        help: "See: askgate bot logs",
      })
    : usage(`the question could not be opened: ${stepped.code} ${stepped.text}`, "See: askgate list");
