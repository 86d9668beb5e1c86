/**
 * What the agent reads: the JSON of a round, settled or not, with clarinator's keys first and ours after them.
 */
import { advice, type Status } from "./advice.ts";
import { clarityResult, missing } from "./decisions.ts";
import type { Result } from "./gate.ts";
import type { Who } from "./people.ts";
import type { AskRound, ClarityRound, Outcome, PermissionRound, PlanRound, Round } from "./round.ts";
import type { Session } from "./session.ts";

const UTC = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: "UTC" });

/** `2026-11-30T10:00:00Z` for epoch milliseconds. */
export const isoTime = (at: number): string => `${UTC.format(at).replace(" ", "T")}Z`;

/** The result of a round. `status` is `pending` or `timeout` while it is open, else the outcome's own. */
export function result(session: Session, round: Round, open: "pending" | "timeout" = "pending"): Result {
  const status: Status = round.outcome?.status ?? open;
  const tail = { status, round: round.id, session: session.id };
  switch (round.kind) {
    case "clarity":
      return status === "submitted" ? clarity(round, tail) : { ...short(round, tail), items: items(round) };
    case "plan":
      return status === "submitted"
        ? {
            mode: "plan",
            title: round.payload.title,
            decision: round.outcome?.decision,
            ...review(round),
            ...tail,
          }
        : { ...short(round, tail), items: [], ...review(round) };
    case "ask":
      return ask(round, tail);
    case "permission":
      return permission(round, tail);
  }
}

type Tail = { status: Status; round: string; session: string };

const short = (round: Round, tail: Tail) => ({
  ...tail,
  mode: round.kind,
  ...(round.outcome?.reason ? { reason: round.outcome.reason } : {}),
  ...by(round.outcome?.by),
});

const by = (who: Who | null | undefined) => (who ? { by: who.name, byId: who.id, where: who.surface } : {});

function clarity(round: ClarityRound, tail: Tail): Result {
  const { title, flow } = round.payload;
  return {
    mode: "clarity",
    title,
    action: round.outcome?.action,
    ...(flow?.session_id === undefined ? {} : { sessionId: flow.session_id }),
    ...(flow?.page_id === undefined ? {} : { pageId: flow.page_id }),
    result: items(round),
    ...tail,
    ...by(round.outcome?.by),
  };
}

/** The decisions answered so far, each with how, by whom, when and where. */
function items(round: ClarityRound) {
  const { payload, picks, pickedBy } = round;
  const open = new Set(missing(payload, picks));
  const answered = { ...payload, decisions: payload.decisions.filter(({ id }) => !open.has(id)) };
  return clarityResult(answered, picks).map((item) => {
    const picked = Object.hasOwn(pickedBy, item.decisionId) ? pickedBy[item.decisionId] : undefined;
    const at = picked === undefined ? {} : { at: isoTime(picked.at) };
    return { ...item, status: picked?.defaulted ? "defaulted" : "answered", ...by(picked?.who), ...at };
  });
}

function review(round: PlanRound) {
  const { annotations, feedback, reviews } = round;
  const general = feedback.map(({ text }) => text).join("\n\n");
  return {
    annotations: [...annotations]
      .sort((a, b) => a.blockIndex - b.blockIndex)
      .map(({ id, blockIndex, span, quote, comment, by: who, at, files }) => ({
        id,
        blockIndex,
        ...(span ? { span } : {}),
        quote,
        comment,
        ...by(who),
        at: isoTime(at),
        ...(files ? { files } : {}),
      })),
    ...(general === "" ? {} : { generalFeedback: general }),
    feedback: feedback.map(({ text, by: who, at, files }) => ({
      ...by(who),
      text,
      at: isoTime(at),
      ...(files ? { files } : {}),
    })),
    reviews: reviews.map(({ by: who, decision, at }) => ({ ...by(who), decision, at: isoTime(at) })),
  };
}

function ask(round: AskRound, tail: Tail): Result {
  const { outcome, remaining, payload } = round;
  const { question, options = [] } = payload;
  const asked = { question, ...(options.length > 0 ? { options } : {}), remaining };
  if (outcome?.status !== "submitted")
    return { ...short(round, tail), ...when(outcome), items: [], ...asked, advice: advice(tail.status) };
  return {
    mode: "ask",
    ...tail,
    answer: outcome.answer,
    ...chosen(payload, outcome.option ?? null),
    ...asked,
    ...by(outcome.by),
    ...when(outcome),
  };
}

/** The option by its number from 1, and by its id where the options have any; null for own words. */
const chosen = ({ option_ids: ids }: AskRound["payload"], option: number | null) => ({
  option,
  ...(ids === undefined ? {} : { optionId: option === null ? null : (ids[option - 1] ?? null) }),
});

const when = (outcome: Outcome | null) => (outcome === null ? {} : { at: isoTime(outcome.at) });

function permission(round: PermissionRound, tail: Tail): Result {
  const { outcome } = round;
  const reason = outcome?.reason ? { reason: outcome.reason } : {};
  if (outcome === null) return { ...short(round, tail), items: [] };
  return {
    mode: "permission",
    ...tail,
    decision: outcome.decision ?? "deny",
    items: [],
    ...reason,
    ...by(outcome.by),
    ...when(outcome),
  };
}
