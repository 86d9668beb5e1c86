/** A page of decisions as a decision record has it: those that came up, with all the options that were considered. */
import { base, byOf, textOf, timeOf } from "./decision-record-base.ts";
import type { RecordedClarity, RecordedDecision } from "./decision-record-shape.ts";
import { activeSet } from "./decisions.ts";
import type { Decision } from "./payload.ts";
import { chosen, isUsable, pickOf } from "./pick.ts";
import type { ClarityRound } from "./round.ts";

export function recordedClarity(round: ClarityRound): RecordedClarity {
  const { payload, picks, dropped } = round;
  const active = new Set(activeSet(payload, picks));
  const questions = new Map(payload.decisions.map(({ id, question }) => [id, question]));
  return {
    kind: "clarity",
    ...base(round),
    subtitle: textOf(payload.subtitle),
    context: payload.context,
    decisions: payload.decisions
      .filter(({ id }) => active.has(id))
      .map((decision) => recordedDecision(round, decision))
      .toSorted((a, b) => a.number - b.number),
    dropped: dropped.map(({ decision, answer }) => ({
      question: questions.get(decision) ?? decision,
      answer,
    })),
  };
}

function recordedDecision(round: ClarityRound, decision: Decision): RecordedDecision {
  const picked = pickOf(round.picks, decision.id);
  const how = Object.hasOwn(round.pickedBy, decision.id) ? round.pickedBy[decision.id] : undefined;
  const isAnswered = isUsable(picked);
  return {
    decisionId: decision.id,
    number: numberOf(round, decision.id),
    question: decision.question,
    recommendationReason: decision.recommendation_reason,
    revealedBy: revealedBy(round, decision),
    options: decision.options.map(({ id, label, description, reason, recommended }) => ({
      optionId: id,
      label,
      description: textOf(description),
      reason: textOf(reason),
      recommended,
      chosen: chosen(picked).includes(id),
    })),
    answer: isAnswered ? answerOf(round, decision) : null,
    custom: isAnswered && picked?.kind === "custom",
    status: !isAnswered ? "open" : how?.defaulted ? "defaulted" : "answered",
    ...byOf(isAnswered ? how?.who : null),
    at: isAnswered ? timeOf(how?.at) : null,
  };
}

function revealedBy(round: ClarityRound, { show_if: guard }: Decision): RecordedDecision["revealedBy"] {
  const parent = round.payload.decisions.find(({ id }) => id === guard?.decision);
  if (parent === undefined) return null;
  return {
    decisionId: parent.id,
    number: numberOf(round, parent.id),
    answer: answerOf(round, parent),
  };
}

/** As people saw it; of one that was never shown, its place in the payload. */
const numberOf = ({ appeared, payload }: ClarityRound, id: string): number =>
  (appeared.includes(id) ? appeared.indexOf(id) : payload.decisions.findIndex((one) => one.id === id)) + 1;

function answerOf({ picks }: ClarityRound, { id, options }: Decision): string {
  const picked = pickOf(picks, id);
  if (picked?.kind === "custom") return picked.value.trim();
  const ids = chosen(picked);
  return options.flatMap((option) => (ids.includes(option.id) ? [option.label] : [])).join(", ");
}
