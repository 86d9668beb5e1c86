/**
 * The branching rules of a clarity payload: which decisions are active, what a pick changes, what is still missing. Pure
 * functions of payload and picks. They never refuse a pick — `step` does — except for `checkPicks`, the trust boundary.
 */
import { AskgateError } from "./error.ts";
import type { Clarity, Decision } from "./payload.ts";
import { found } from "./payload-issues.ts";
import { chosen, isUsable, type Pick, PickSchema, type Picks, pickOf, tidy } from "./pick.ts";

export type { Pick, Picks } from "./pick.ts";

export type Checked = { ok: true } | { ok: false; error: string };

/** One answer as the agent gets it. `optionIds` stands only in the items of `multi` decisions, in payload order. */
export interface ResultItem {
  decisionId: string;
  question: string;
  optionId: string | null;
  optionIds?: string[];
  answer: string;
  custom: boolean;
}

/** Ids of the active decisions, in payload order. Own words never satisfy a guard. */
export function activeSet(payload: Clarity, picks: Picks): string[] {
  const active = new Set<string>();
  for (const { id, show_if: guard } of payload.decisions) {
    const options = guard && active.has(guard.decision) ? chosen(pickOf(picks, guard.decision)) : [];
    if (guard === undefined || options.some((option) => guard.in.includes(option))) active.add(id);
  }
  return [...active];
}

/**
 * The picks after one more, without those of decisions that are not active then (the new one too). Several options are
 * put in payload order without duplicates; none of them takes the pick back.
 */
export function pick(payload: Clarity, picks: Picks, decisionId: string, picked: Pick): Picks {
  const decision = payload.decisions.find(({ id }) => id === decisionId);
  const next = tidy(picked, decision);
  const all = Object.fromEntries([...Object.entries(picks), [decisionId, next]]);
  return prune(payload, all, next.kind === "options" && next.optionIds.length === 0 ? decisionId : undefined);
}

/** Active ids without a usable pick, in payload order. Blank words and no options are none. */
export const missing = (payload: Clarity, picks: Picks): string[] =>
  activeSet(payload, picks).filter((id) => !isUsable(pickOf(picks, id)));

/**
 * Whether a set of picks may be handed to the agent: every pick has the right shape, belongs to an active decision and
 * is one of its answers, and nothing is missing. `error` is one line with the first thing wrong.
 */
export function checkPicks(payload: Clarity, picks: unknown): Checked {
  if (typeof picks !== "object" || picks === null || Array.isArray(picks))
    return no("the picks are no object");
  const read = Object.entries(picks).map(([id, value]) => ({ id, parsed: PickSchema.safeParse(value) }));
  const broken = read.find(({ parsed }) => !parsed.success);
  if (broken !== undefined) return no(`the pick of decision ${found(broken.id)} is malformed`);
  const entries = read.flatMap(({ id, parsed }) => (parsed.success ? [{ id, picked: parsed.data }] : []));
  const known = Object.fromEntries(entries.map(({ id, picked }) => [id, picked]));
  const active = activeSet(payload, known);
  const error = entries.map(({ id, picked }) => fault(payload, active, { id, picked })).find(isText);
  if (error !== undefined) return no(error);
  const open = missing(payload, known);
  return open.length === 0 ? { ok: true } : no(unanswered(open));
}

/** One item per active decision, in payload order. Throws `unfit_picks` where `checkPicks` finds something missing or unknown. */
export function clarityResult(payload: Clarity, picks: Picks): ResultItem[] {
  const open = missing(payload, picks);
  if (open.length > 0) throw unfit(unanswered(open));
  const active = new Set(activeSet(payload, picks));
  return payload.decisions.flatMap((decision) => {
    const picked = active.has(decision.id) ? pickOf(picks, decision.id) : undefined;
    return picked === undefined ? [] : [resultItem(decision, picked)];
  });
}

/** What the payload recommends for a decision. */
export function recommendedPick({ multi, options }: Decision): Pick {
  const optionIds = options.filter(({ recommended }) => recommended).map(({ id }) => id);
  return multi ? { kind: "options", optionIds } : { kind: "option", optionId: optionIds[0] ?? "" };
}

/** Answers every open decision as recommended, those revealed on the way too; leaves the picks that are usable. */
export const acceptRecommended = (payload: Clarity, picks: Picks): Picks =>
  payload.decisions.reduce(
    (next, decision) =>
      missing(payload, next).includes(decision.id)
        ? pick(payload, next, decision.id, recommendedPick(decision))
        : next,
    prune(payload, picks),
  );

function prune(payload: Clarity, picks: Picks, without?: string): Picks {
  const kept = Object.entries(picks).filter(([id]) => id !== without);
  const active = new Set(activeSet(payload, Object.fromEntries(kept)));
  return Object.fromEntries(kept.filter(([id]) => active.has(id)));
}

/** What is wrong with one pick, in the order in which it is checked. */
function fault(payload: Clarity, active: string[], { id, picked }: { id: string; picked: Pick }) {
  const decision = payload.decisions.find((candidate) => candidate.id === id);
  if (decision === undefined) return `decision ${found(id)} is unknown`;
  if (!active.includes(id)) return `decision ${found(id)} is not active`;
  if (picked.kind === "custom") {
    if (!decision.allow_custom) return `decision ${found(id)} takes no own words`;
    return picked.value.trim() === "" ? `the own words for decision ${found(id)} are blank` : undefined;
  }
  const unknown = chosen(picked).find((option) => !decision.options.some((known) => known.id === option));
  if (unknown !== undefined) return `option ${found(unknown)} of decision ${found(id)} is unknown`;
  return picked.kind === "options" && !decision.multi ? `decision ${found(id)} takes one option` : undefined;
}

function resultItem(decision: Decision, picked: Pick): ResultItem {
  const { id: decisionId, question, multi } = decision;
  if (picked.kind === "custom") {
    const answer = picked.value.trim();
    return { decisionId, question, optionId: null, ...(multi && { optionIds: [] }), answer, custom: true };
  }
  const optionIds = chosen(tidy({ kind: "options", optionIds: chosen(picked) }, decision));
  const answer = optionIds.map((id) => labelOf(decision, id)).join(", ");
  if (multi || picked.kind === "options")
    return { decisionId, question, optionId: null, optionIds, answer, custom: false };
  return { decisionId, question, optionId: picked.optionId, answer, custom: false };
}

function labelOf({ id, options }: Decision, optionId: string): string {
  const option = options.find((candidate) => candidate.id === optionId);
  if (option === undefined) throw unfit(`option ${found(optionId)} of decision ${found(id)} is unknown`);
  return option.label;
}

const no = (error: string): Checked => ({ ok: false, error });

const unanswered = (open: string[]): string => `decision ${open.map(found).join(", ")} is not answered yet`;

const isText = (value: string | undefined): value is string => value !== undefined;

const unfit = (message: string): AskgateError =>
  new AskgateError("unfit_picks", message, {
    help: "Check the picks with checkPicks before asking for the result.",
  });
