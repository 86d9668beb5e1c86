/** Answering a clarity page: picks, own words, the recommended ones, and handing them over. */
import { type Act, askWords, numberIn, settle, who, wordsOf } from "./act.ts";
import type { Pointer } from "./card.ts";
import {
  acceptRecommended,
  activeSet,
  clarityResult,
  missing,
  type Pick as Picked,
  type Picks,
  pick,
} from "./decisions.ts";
import { changed, reject, type Stepped } from "./effect.ts";
import type { Decision } from "./payload.ts";
import { placeKey, type Who } from "./people.ts";
import { cardKey } from "./place.ts";
import type { ClarityRound, PickedBy } from "./round.ts";
import { replaceRound } from "./session.ts";
import type { Words } from "./words.ts";

export function answerClarity(on: Act<ClarityRound>): Stepped {
  switch (on.button.verb) {
    case "pick":
      return withDecision(on, pickEntries);
    case "own":
      return withDecision(on, pickOwn);
    case "accept":
      return whenFresh(on, acceptAll);
    case "send":
      return whenFresh(on, (at) => send(at, at.round.payload.flow ? "continue" : "done"));
    case "done":
      return whenFresh(on, (at) => send(at, "done"));
    default:
      return reject("unknown_button", on.say.unknownButton);
  }
}

function withDecision(
  on: Act<ClarityRound>,
  take: (on: Act<ClarityRound>, decision: Decision) => Stepped,
): Stepped {
  const decision = on.round.payload.decisions[numberIn(on.button.target, "d")];
  if (decision === undefined) return reject("unknown_button", on.say.unknownButton);
  if (!activeSet(on.round.payload, on.round.picks).includes(decision.id)) {
    return reject("retracted", on.say.notAsked);
  }
  return take(on, decision);
}

function pickEntries(on: Act<ClarityRound>, decision: Decision): Stepped {
  const options = on.press.values.map((value) => decision.options[numberIn(value, "o")]?.id);
  const known = options.filter((id) => id !== undefined);
  const rightCount = decision.multi ? true : known.length === 1;
  if (known.length !== options.length || !rightCount) {
    return reject("unknown_option", on.say.unknownOption);
  }
  const [first = ""] = known;
  return store(
    on,
    decision,
    decision.multi ? { kind: "options", optionIds: known } : { kind: "option", optionId: first },
  );
}

function pickOwn(on: Act<ClarityRound>, decision: Decision): Stepped {
  const { say } = on;
  if (!decision.allow_custom) return reject("own_words_not_allowed", say.noOwnWords);
  if (on.press.words === null) return askWords(on, ownForm(on.round, decision, on.say));
  const value = wordsOf(on.press);
  return value === null ? reject("blank", say.blank) : store(on, decision, { kind: "custom", value });
}

/** The form of *Other…*, with the words given before. */
export function ownForm(round: ClarityRound, decision: Decision, say: Words) {
  const before = Object.hasOwn(round.picks, decision.id) ? round.picks[decision.id] : undefined;
  const value = before?.kind === "custom" ? before.value : "";
  const fields = [{ kind: "text" as const, label: decision.question, value, required: true }];
  return { title: say.otherTitle, submit: say.save, fields };
}

/** Keeps a pick made by a person, in a press or in a typed answer. */
export function store(
  on: Pick<Act<ClarityRound>, "session" | "round" | "press" | "now">,
  decision: Decision,
  chosen: Picked,
): Stepped {
  const picks = pick(on.round.payload, on.round.picks, decision.id, chosen);
  const by = { who: who(on.press), at: on.now, defaulted: false };
  return changed(replaceRound(on.session, withPicks(on.round, picks, { by, cause: decision.id })));
}

interface Change {
  by: Omit<PickedBy, "rev">;
  /** The decision whose pick retracted others; null for *Accept recommended*. */
  cause: string | null;
}

/** The round with new picks: who made them, what appeared for the first time, and what was dropped. */
function withPicks(round: ClarityRound, picks: Picks, { by, cause }: Change): ClarityRound {
  const rev = round.rev + 1;
  const active = activeSet(round.payload, picks);
  const kept = Object.entries(picks).map(([id, value]) => {
    const before = Object.hasOwn(round.pickedBy, id) ? round.pickedBy[id] : undefined;
    const same = id !== cause && before !== undefined && round.picks[id] === value;
    return [id, same ? before : { ...by, rev }] as const;
  });
  const dropped = round.dropped.filter(
    (line) => line.cause !== cause && !Object.hasOwn(picks, line.decision),
  );
  return {
    ...round,
    rev,
    picks,
    pickedBy: Object.fromEntries([
      ...takenBack(round, picks, { active, cause, by: { ...by, rev } }),
      ...kept,
    ]),
    appeared: [...new Set([...round.appeared, ...active])],
    shown: [...new Set([...round.shown.filter((id) => active.includes(id)), ...active])],
    dropped: cause === null ? dropped : [...dropped, ...retracted(round, picks, cause)],
  };
}

/** Who took a pick back, and when: an open menu is never the same as it was before somebody used it. */
function takenBack(
  round: ClarityRound,
  picks: Picks,
  { active, cause, by }: { active: string[]; cause: string | null; by: PickedBy },
): [string, PickedBy][] {
  const before = Object.entries(round.pickedBy).filter(([id]) => active.includes(id));
  const all: [string, PickedBy][] = cause === null ? before : [...before, [cause, by]];
  return all.filter(([id]) => !Object.hasOwn(picks, id));
}

function retracted(round: ClarityRound, picks: Picks, cause: string) {
  const before = clarityResult(answeredPart(round), round.picks);
  return before
    .filter(({ decisionId }) => decisionId !== cause && !Object.hasOwn(picks, decisionId))
    .map(({ decisionId, answer }) => ({ cause, decision: decisionId, answer }));
}

/** The payload without what is still open, so that its result can be read at any time. */
export function answeredPart({ payload, picks }: Pick<ClarityRound, "payload" | "picks">) {
  const open = new Set(missing(payload, picks));
  return { ...payload, decisions: payload.decisions.filter(({ id }) => !open.has(id)) };
}

function acceptAll(on: Act<ClarityRound>): Stepped {
  const by = { who: who(on.press), at: on.now, defaulted: false };
  const picks = acceptRecommended(on.round.payload, on.round.picks);
  return changed(replaceRound(on.session, withPicks(on.round, picks, { by, cause: null })));
}

/** A deadline under `recommended`: what is missing is defaulted, and the page is handed over. */
export function withDefaults(round: ClarityRound, now: number): ClarityRound {
  const picks = acceptRecommended(round.payload, round.picks);
  const filled = withPicks(round, picks, { by: { who: null, at: now, defaulted: true }, cause: null });
  const action = round.payload.flow ? "continue" : "done";
  return { ...filled, outcome: { status: "submitted", action, by: null, at: now } };
}

function send(on: Act<ClarityRound>, action: "continue" | "done"): Stepped {
  const { payload, picks } = on.round;
  const { say } = on;
  if (action === "done" && payload.flow?.allow_done === false)
    return reject("unknown_button", say.unknownButton);
  const open = missing(payload, picks);
  if (open.length > 0)
    return {
      ok: false,
      code: "incomplete",
      text: say.openStill(questions(on.round, open)),
      pointers: pointersTo(on, open),
    };
  return settle(on, { status: "submitted", action });
}

/** Where the open questions stand in the place of the press; surfaces with addresses make links of it. */
function pointersTo({ session, round, press }: Act<ClarityRound>, open: string[]): Pointer[] {
  const posts = Object.hasOwn(session.posts, placeKey(press.place))
    ? session.posts[placeKey(press.place)]
    : [];
  return round.appeared.flatMap((id, at) => {
    if (!open.includes(id)) return [];
    const index = round.payload.decisions.findIndex((decision) => decision.id === id);
    const own = cardKey.decision(round.id, index);
    const key = posts?.some((post) => post.key === own) ? own : cardKey.round(round.id);
    return [{ key, label: `${at + 1} ${question(round, id)}`, url: null }];
  });
}

const questions = (round: ClarityRound, ids: string[]): string =>
  round.appeared
    .flatMap((id, at) => (ids.includes(id) ? [`${at + 1} ${question(round, id)}`] : []))
    .join(" · ");

const question = (round: ClarityRound, id: string): string =>
  round.payload.decisions.find((decision) => decision.id === id)?.question ?? id;

/** Lets a press through unless somebody else changed a pick since the presser's drawing; then says what, once. */
function whenFresh(on: Act<ClarityRound>, go: (on: Act<ClarityRound>) => Stepped): Stepped {
  const { round, button, press } = on;
  const told = Object.hasOwn(round.told, press.actor.id) ? (round.told[press.actor.id] ?? 0) : 0;
  const others = changesSince(round, Math.max(button.rev, told), press.actor.id);
  if (others.length === 0) return go(on);
  const { say } = on;
  const told2 = { ...round.told, [press.actor.id]: round.rev };
  const session = replaceRound(on.session, { ...round, told: told2 });
  const text = `${others.map(({ by, id, answer }) => say.changedBy(by.name, question(round, id), answer)).join(" ")} ${say.pressAgain}`;
  return { ok: true, session, answer: { kind: "word", code: "stale", text } };
}

function changesSince(
  round: ClarityRound,
  rev: number,
  actor: string,
): { id: string; by: Who; answer: string }[] {
  const answers = clarityResult(answeredPart(round), round.picks);
  return Object.entries(round.pickedBy).flatMap(([id, picked]) => {
    const answer = answers.find(({ decisionId }) => decisionId === id)?.answer;
    return answer !== undefined && picked.rev > rev && picked.who !== null && picked.who.id !== actor
      ? [{ id, by: picked.who, answer }]
      : [];
  });
}
