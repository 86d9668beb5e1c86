/** The tools that wait for people: a question is put, or found again, and waited for as long as the call says. */
import type { Opened, Result, Waited } from "../../core/gate.ts";
import { sessionIdOf } from "../../core/round.ts";
import { leftovers, sessionBefore } from "./mcp-late.ts";
import { type Ended, keepAlive, whicheverFirst } from "./mcp-patience.ts";
import type { Call, Reply, Wish } from "./mcp-ports.ts";
import { CALL_AGAIN, goOn, invalid, lineOf, plain, unreachable, withLeftovers } from "./mcp-reply.ts";

export interface Waiting {
  seconds: number;
  /** What the client's cancellation means for people. */
  onCancel: "keep" | "close";
}

/** Putting a question up may take this long however short the patience: a chat has its own pace. */
const OPENING_MS = 45_000;

/** A wait that nobody needs any more ends by itself after this long. */
const SLICE_MS = 10_000;

/** Patience is the gate's to keep; a gate that does not answer is not waited for longer than this. */
const GRACE_MS = 3_000;

/** The client is gone: whatever is returned is not sent. */
const NOT_SENT = plain({}, "");

/** Asks and waits. The same question again goes on with the one that is open. */
export async function ask(call: Call, wish: Wish, waiting: Waiting): Promise<Reply> {
  const { parts, signal } = call;
  const began = parts.clock.now();
  const opening = open(call, wish);
  const until = began + Math.max(waiting.seconds * 1000, OPENING_MS);
  const stop = keepAlive(call, () => "putting the question up");
  const ended = await whicheverFirst(opening, { clock: parts.clock, until, signal }).finally(stop);
  if (ended.kind === "value") return answered(call, { ...ended.value, began, ...waiting });
  opening.then(
    ({ opened }) => (ended.kind === "left" ? letGo(call, opened.round, waiting) : undefined),
    (error) => parts.say(`askgate: ${parts.explain(error).message}`),
  );
  return plain({ status: "pending", round: null, session: null, advice: CALL_AGAIN }, CALL_AGAIN);
}

/** `before`: the session that the call found; a page of decisions begins another. */
async function open(call: Call, wish: Wish): Promise<{ opened: Opened; before: string | null }> {
  const before = await sessionBefore(call, wish.session);
  return { opened: await call.parts.open(wish, call.client), before };
}

/** Waits for a round that is there. A deadline ends one call, with `timeout`; whoever waits again waits past it. */
export function goOnWaiting(call: Call, round: string, waiting: Waiting): Promise<Reply> {
  const began = call.parts.clock.now();
  const known = nothingYet(round, sessionIdOf(round));
  return settle(call, { round, known, began, where: "", before: null, ...waiting });
}

interface Answering extends Waiting {
  opened: Opened;
  before: string | null;
  began: number;
}

async function answered(call: Call, { opened, before, ...how }: Answering): Promise<Reply> {
  const { round, session, links, notes, result } = opened;
  if (round === "") return notAsked(call, opened, before);
  const where = links.map(({ label }) => label).join(", ");
  const known = nothingYet(round, session);
  // Asked again, it has a deadline that is still to come.
  call.overdue.delete(round);
  const reply = await settle(call, { round, known, where, before, ...how });
  if (reply.result.status !== "pending") return reply;
  const places = links.map(({ surface, label, url }) => ({ surface, label, url }));
  const told = result === null && notes.length > 0 ? { notes } : {};
  return { ...reply, result: { ...reply.result, session, links: places, ...told } };
}

/** A refusal of the gate: an invalid payload, no place that took it, a session that is over. */
async function notAsked(call: Call, { result, notes }: Opened, before: string | null): Promise<Reply> {
  const value = result ?? { status: "unreachable", reason: notes.join("; ") };
  if (value.status === "invalid") return invalid(value.issues);
  const words = [value.reason, value.help, ...notes].filter(
    (part) => typeof part === "string" && part !== "",
  );
  const reply = plain(value, [`Nobody was asked: ${value.status}.`, ...words].join("\n"));
  if (value.status === "unreachable") return unreachable(reply);
  return withLeftovers(reply, await leftovers(call, [before], null));
}

interface Settling extends Waiting {
  round: string;
  /** What is known if the gate falls silent. */
  known: Waited;
  /** When the call began: its patience counts from there. */
  began: number;
  where: string;
  before: string | null;
}

async function settle(call: Call, on: Settling): Promise<Reply> {
  const { round, known, before } = on;
  const about = ["waiting for people", on.where].filter((part) => part !== "").join(" · ");
  const stop = keepAlive(call, () => about);
  call.claim([round]);
  const ended = await patiently(call, on).finally(stop);
  if (ended.kind === "over") return replyOf(known, round);
  if (ended.kind === "value") {
    if (ended.value.state === "late") call.overdue.add(round);
    const { late: _told, ...own } = ended.value.result;
    const result = call.parts.conclude({ ...own, status: ended.value.result.status });
    const reply = replyOf({ ...ended.value, result }, round);
    return withLeftovers(reply, await leftovers(call, [before, String(reply.result.session)], round));
  }
  await letGo(call, round, on);
  return NOT_SENT;
}

/** What the gate says within the call's patience; `over` if it says nothing at all. */
async function patiently(call: Call, { round, began, seconds }: Settling): Promise<Ended<Waited>> {
  const { clock, gate } = call.parts;
  const past = call.overdue.has(round);
  for (;;) {
    const left = Math.max(began + seconds * 1000 - clock.now(), 0);
    const ended = await whicheverFirst(
      gate().then((found) => found.wait(round, Math.min(left, SLICE_MS), past)),
      { clock, until: clock.now() + left + GRACE_MS, signal: call.signal },
    );
    if (ended.kind !== "value" || ended.value.state !== "open" || left <= SLICE_MS) return ended;
  }
}

function replyOf({ state, result, by, carries }: Waited, round: string): Reply {
  const value = state === "open" ? { ...result, advice: goOn(round) } : result;
  const session = String(result.session);
  const outcomes = state === "settled" ? [result] : [];
  const receipts = carries.rounds.includes(round)
    ? [{ session, carries: { rounds: [round], messages: [] } }]
    : [];
  return { result: value, line: lineOf({ state, result: value, by }), isError: false, receipts, outcomes };
}

const nothingYet = (round: string, session: string): Waited => {
  const result: Result = { status: "pending", round, session, items: [] };
  return { state: "open", result, by: "", carries: { rounds: [], messages: [] } };
};

/** A client that stops waiting of its own accord, by its time limit or by ending, leaves the question to people. */
async function letGo(call: Call, round: string, { onCancel }: Waiting): Promise<void> {
  if (round === "" || onCancel === "keep" || call.hasLeft() || ranOut(call.signal)) return;
  const { parts } = call;
  try {
    await (await parts.gate()).cancel(round);
  } catch (error) {
    parts.say(`askgate: ${round} could not be closed: ${parts.explain(error).message}`);
  }
}

/** The official SDK cancels a call whose time is over, and says so. */
const ranOut = ({ reason }: AbortSignal): boolean => /timed?.?out|-32001/i.test(String(reason));
