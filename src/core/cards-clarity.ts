/** The cards of a clarity page: the home message with its root decisions, a card for each further one. */
import type { Card, ChoicePart, Control, Part } from "./card.ts";
import { clarityResult, missing } from "./decisions.ts";
import { fitsBeside } from "./fit.ts";
import type { Decision } from "./payload.ts";
import { cardKey } from "./place.ts";
import type { ClarityRound } from "./round.ts";
import * as sheets from "./sheet.ts";
import { answeredPart, ownForm } from "./step-clarity.ts";

type Clarity = sheets.Sheet<ClarityRound>;

export function clarityCards(sheet: Clarity): Card[] {
  const { round } = sheet;
  const shown = round.shown.map((id) => round.payload.decisions.findIndex((decision) => decision.id === id));
  const home = decisionsAtHome(sheet);
  const away = shown.filter((index) => !home.includes(index));
  const first = homeCard(sheet, home);
  const further = away.map((index) => decisionCard(sheet, index));
  const last = further.at(-1) ?? first;
  // Whoever comes back to a chat looks at home first; a page shows all cards together.
  const also = sheets.isPage(sheet.drawing.place.surface) ? [] : sheets.endNote(sheet);
  return [first, ...further].map((card) => {
    if (card === last) return { ...card, parts: [...card.parts, ...ending(sheet)] };
    return card === first ? { ...card, parts: [...card.parts, ...also] } : card;
  });
}

/** The root decisions that fit the home message, judged by the payload alone so that picks move nothing. */
function decisionsAtHome(sheet: Clarity): number[] {
  const { round, drawing } = sheet;
  const roots = round.payload.decisions.flatMap((decision, index) => (decision.show_if ? [] : [index]));
  const head = headParts(sheet);
  const parts = roots.map((index) =>
    choice({ ...sheet, round: { ...round, picks: {}, pickedBy: {}, dropped: [] } }, index),
  );
  const count = parts.findIndex((_, at) => !fitsBeside([...head, ...parts.slice(0, at + 1)], drawing.limits));
  return count === -1 ? roots : roots.slice(0, count);
}

function headParts({ round, session }: Clarity): Part[] {
  const { title, subtitle = "", context, flow } = round.payload;
  const under = [flow?.page_title ?? "", subtitle].filter(Boolean).join(" · ");
  return [
    { kind: "title", text: title, subtitle: under, origin: sheets.originLine(session) },
    ...sheets.text(context),
  ];
}

function homeCard(sheet: Clarity, decisions: number[]): Card {
  const { round, say } = sheet;
  const { title } = round.payload;
  const wanted = say.needsDecisions(round.shown.length);
  return sheets.card(sheet, {
    key: cardKey.round(round.id),
    mention: sheets.mentions(sheet),
    alert: sheets.alertLine(sheet, title, wanted),
    parts: [...headParts(sheet), ...decisions.map((index) => choice(sheet, index)), ...state(sheet)],
  });
}

function state(sheet: Clarity): Part[] {
  const { round, say } = sheet;
  const of = round.shown.length;
  const done = of - missing(round.payload, round.picks).length;
  if (sheets.isOver(sheet)) return [];
  return [
    ...sheets.lateNote(sheet),
    ...sheets.deadlineNote(sheet),
    ...sheets.awayNote(sheet),
    { kind: "progress", done, of, text: say.progress(done, of) },
  ];
}

function decisionCard(sheet: Clarity, index: number): Card {
  const { round, home } = sheet;
  const part = choice(sheet, index);
  const parent = round.payload.decisions[index]?.show_if?.decision;
  const picker =
    parent !== undefined && Object.hasOwn(round.pickedBy, parent) ? round.pickedBy[parent]?.who : null;
  return sheets.card(sheet, {
    key: cardKey.decision(round.id, index),
    under: home ?? cardKey.round(round.id),
    mention: picker?.id.startsWith(`${sheet.drawing.place.surface}:`) ? [picker.id] : [],
    alert: part.question,
    parts: [part],
  });
}

function choice(sheet: Clarity, index: number): ChoicePart {
  const { round, say } = sheet;
  const decision = decisionAt(round, index);
  const picked = Object.hasOwn(round.picks, decision.id) ? round.picks[decision.id] : undefined;
  const chosen =
    picked?.kind === "option" ? [picked.optionId] : picked?.kind === "options" ? picked.optionIds : [];
  const open = sheets.mayPress(sheet);
  return {
    kind: "choice",
    target: `d${index}`,
    number: round.appeared.indexOf(decision.id) + 1,
    question: decision.question,
    why: decision.recommendation_reason,
    entries: decision.options.map((option, at) => ({
      value: `o${at}`,
      number: at + 1,
      label: option.label,
      description: option.description ?? "",
      reason: option.reason ?? "",
      recommended: option.recommended,
      chosen: chosen.includes(option.id),
    })),
    multi: decision.multi ?? false,
    parent: decision.show_if ? `d${indexOf(round, decision.show_if.decision)}` : null,
    answer: answerLine(sheet, decision),
    own: picked?.kind === "custom" ? picked.value : "",
    notes: round.dropped
      .filter(({ cause }) => cause === decision.id)
      .map((line) => say.removed(decisionAt(round, indexOf(round, line.decision)).question, line.answer)),
    reveals: reveals(sheet, decision),
    pick: open ? sheets.buttonId(sheet, "pick", `d${index}`, revOf(round, decision.id)) : null,
    other: open && decision.allow_custom ? otherControl(sheet, decision, index) : null,
  };
}

const revOf = (round: ClarityRound, id: string): number =>
  Object.hasOwn(round.pickedBy, id) ? (round.pickedBy[id]?.rev ?? 0) : 0;

const otherControl = (sheet: Clarity, decision: Decision, index: number): Control =>
  sheets.control(sheet, {
    verb: "own",
    target: `d${index}`,
    label: sheet.say.other,
    form: ownForm(sheet.round, decision, sheet.say),
  });

const indexOf = (round: ClarityRound, id: string): number =>
  round.payload.decisions.findIndex((decision) => decision.id === id);

function decisionAt(round: ClarityRound, index: number): Decision {
  const decision = round.payload.decisions[index];
  if (decision === undefined) throw new RangeError(`no decision ${index} in ${round.id}`);
  return decision;
}

/** "Magic link only — Ana"; "" while it is open. */
function answerLine({ round, say }: Clarity, decision: Decision): string {
  const answered = clarityResult(answeredPart(round), round.picks);
  const answer = answered.find(({ decisionId }) => decisionId === decision.id)?.answer;
  const picked = Object.hasOwn(round.pickedBy, decision.id) ? round.pickedBy[decision.id] : undefined;
  if (answer === undefined || picked === undefined) return "";
  return picked.who === null ? say.defaulted(answer) : say.answeredBy(answer, picked.who.name);
}

function reveals({ round, say, drawing }: Clarity, decision: Decision): ChoicePart["reveals"] {
  return round.payload.decisions.flatMap((child, index) =>
    child.show_if?.decision === decision.id && round.shown.includes(child.id)
      ? [pointerTo(drawing, { key: cardKey.decision(round.id, index), label: say.followUp(child.question) })]
      : [],
  );
}

const pointerTo = ({ url }: sheets.Drawing, to: { key: string; label: string }) => ({
  ...to,
  url: url?.(to.key) ?? null,
});

/** The control row, always the last of the last card; afterwards how it ended. */
function ending(sheet: Clarity): Part[] {
  const { round, say, session } = sheet;
  if (sheets.mayPress(sheet)) return [{ kind: "controls", controls: controls(sheet) }];
  if (round.outcome === null) return onlookerNote(sheet);
  const idle =
    round === session.rounds.at(-1) && round.outcome.action === "continue" && session.ended === null;
  const cancel = sheets.control(sheet, {
    verb: "cancel",
    target: "session",
    label: say.cancel,
    confirm: sheets.cancelling(sheet),
  });
  return [
    ...sheets.endNote(sheet),
    ...(idle
      ? [...sheets.text(say.nextSteps, "quiet"), { kind: "controls" as const, controls: [cancel] }]
      : []),
    ...(round.outcome.action === "done" ? sheets.text(say.allDone, "quiet") : []),
  ];
}

const onlookerNote = ({ round, say }: Clarity): Part[] =>
  sheets.text(say.onlyThere(round.policy.named.map(({ name }) => name).join(", ")), "quiet");

function controls(sheet: Clarity): Control[] {
  const { round, say } = sheet;
  const { flow, decisions } = round.payload;
  const { rev } = round;
  const open = missing(round.payload, round.picks);
  const accept = sheets.control(sheet, { verb: "accept", label: say.accept, rev });
  const send = sheets.control(sheet, {
    verb: "send",
    label: flow?.continue_label ?? say.send,
    style: "primary",
    rev,
  });
  const done = sheets.control(sheet, { verb: "done", label: flow?.done_label ?? say.done, rev });
  return [
    ...(open.length > 0 && decisions.length > 0 ? [accept] : []),
    send,
    ...(flow !== undefined && flow.allow_done !== false ? [done] : []),
    sheets.cancelControl(sheet),
  ];
}
