/**
 * Opening a round: which session is meant, whether the question is there already, who may answer it, and where.
 */
import { advice } from "./advice.ts";
import { type Asked, attach, findSame } from "./again.ts";
import { PayloadError } from "./error.ts";
import type { OpenRequest } from "./gate.ts";
import { nothing, type Opening, type OpeningParts, putQuestion } from "./opening-put.ts";
import { result } from "./outcome.ts";
import { type Matter, parsePayload } from "./payload.ts";
import { type Session, startSession } from "./session.ts";
import { questionsLeft } from "./step-open.ts";
import { several, usage } from "./usage.ts";
import { current, fitting, isId, type Known } from "./which.ts";

export async function openQuestion(given: OpeningParts, request: OpenRequest): Promise<Opening> {
  const matter = parse(request);
  if ("issues" in matter)
    return nothing({ status: "invalid", ...matter, ...(await unasked(given, request)) });
  const candidates = candidatesFor(given, request, matter);
  const there = await findSame(given.keeper, candidates, { request, matter });
  if (there !== null) return attach(given, there, request);
  const session = await chooseSession(given, { request, matter, candidates });
  if ("kind" in session) return session;
  return putQuestion(given, session, { request, matter });
}

/** What a question's result says also where it was not put. */
async function unasked({ keeper, isWaiting }: OpeningParts, request: OpenRequest): Promise<object> {
  if (request.kind !== "ask") return {};
  const choice = current(fitting(keeper.known(), request), isWaiting);
  const session = choice.kind === "one" ? await keeper.load(choice.id) : undefined;
  const remaining = questionsLeft(session ?? { asks: { quota: null, used: 0 } }, request.asks);
  return { mode: "ask", remaining, advice: advice("invalid") };
}

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
