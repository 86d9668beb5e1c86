/** A round as a decision record has it. Reads rounds, decides nothing. */

import { base, byOf, textOf } from "./decision-record-base.ts";
import { recordedClarity } from "./decision-record-clarity.ts";
import type * as shape from "./decision-record-shape.ts";
import { isoTime } from "./outcome.ts";
import type { Attachment, Who } from "./people.ts";
import type { AskRound, PermissionRound, PlanRound, Round } from "./round.ts";

/** `version` is a plan's number in its session, from 1. */
export function recordedRound(round: Round, version: number): shape.RecordedRound {
  switch (round.kind) {
    case "clarity":
      return recordedClarity(round);
    case "plan":
      return plan(round, version);
    case "ask":
      return ask(round);
    case "permission":
      return permission(round);
  }
}

interface Written {
  text: string;
  by: Who;
  at: number;
  files?: Attachment[];
}

export const saidOf = ({ text, by, at, files = [] }: Written): shape.Said => ({
  text,
  ...byOf(by),
  at: isoTime(at),
  files,
});

function plan(round: PlanRound, version: number): shape.RecordedPlan {
  const { payload, outcome, reviews, annotations, feedback } = round;
  return {
    kind: "plan",
    ...base(round),
    version,
    subtitle: textOf(payload.subtitle),
    plan: payload.plan,
    decision: outcome?.decision ?? null,
    reviews: reviews.map(({ by, decision, at }) => ({ ...byOf(by), decision, at: isoTime(at) })),
    annotations: annotations
      .toSorted((a, b) => a.blockIndex - b.blockIndex)
      .map(({ id, blockIndex, quote, comment, ...rest }) => ({
        id,
        block: blockIndex + 1,
        quote,
        ...saidOf({ ...rest, text: comment }),
      })),
    feedback: feedback.map(saidOf),
  };
}

const ask = (round: AskRound): shape.RecordedAsk => ({
  kind: "ask",
  ...base(round),
  detail: textOf(round.payload.detail),
  options: round.payload.options ?? [],
  optionIds: round.payload.option_ids ?? [],
  answer: round.outcome?.answer ?? null,
  option: round.outcome?.option ?? null,
});

const permission = (round: PermissionRound): shape.RecordedPermission => ({
  kind: "permission",
  ...base(round),
  command: round.payload.command,
  detail: textOf(round.payload.detail),
  decision: round.outcome?.decision ?? null,
});
