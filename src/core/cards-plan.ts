/** The cards of a plan: a header with the state of the review, the blocks, and the controls again under the last. */
import type { BlockPart, Card, Comment, Control, Part } from "./card.ts";
import { packBlocks } from "./pack.ts";
import type { Who } from "./people.ts";
import { cardKey } from "./place.ts";
import type { PlanBlock } from "./plan.ts";
import { countedAs, owing, verdictAtDeadline } from "./policy.ts";
import type { Annotation, Feedback, PlanRound } from "./round.ts";
import * as sheets from "./sheet.ts";
import { commentForm, feedbackForm } from "./step-plan.ts";

type Plan = sheets.Sheet<PlanRound>;

/** Headings of plans stand in the channel itself. So do their blocks, each with a thread of its own, or all are in one thread. */
export function planCards(sheet: Plan): Card[] {
  const { round, drawing } = sheet;
  const { planCards: most, planCardsDirect } = drawing.limits;
  const goal = drawing.place.direct ? planCardsDirect : most;
  const groups = packBlocks(round.blocks, {
    goal: round.granularity === "block" ? Infinity : goal,
    limits: drawing.limits,
  });
  const blocks = groups.map((group) => blockCard(sheet, group));
  const [first] = blocks;
  const header = headerCard(
    sheet,
    first === undefined ? [] : [{ key: first.key, label: sheet.say.startReading }],
  );
  const under = drawing.limits.blocks === "thread" && !drawing.place.direct ? header.key : null;
  return [{ ...header, under: null }, ...[...blocks, endCard(sheet)].map((card) => ({ ...card, under }))].map(
    (card) => ({ ...card, topic: round.payload.title }),
  );
}

function headerCard(sheet: Plan, reading: { key: string; label: string }[]): Card {
  const { round, say, session } = sheet;
  const { title, subtitle = "", plan } = round.payload;
  return sheets.card(sheet, {
    key: cardKey.round(round.id),
    mention: sheets.mentions(sheet),
    alert: sheets.alertLine(sheet, title, say.needsReview(round.blocks.length)),
    parts: [
      { kind: "title", text: title, subtitle, origin: sheets.originLine(session) },
      ...reviewState(sheet),
      ...sheets.lateNote(sheet),
      ...sheets.deadlineNote(sheet),
      ...sheets.awayNote(sheet),
      ...sheets.endNote(sheet),
      ...general(sheet),
      { kind: "file", name: "plan.md", text: plan },
      ...sheets.pointers(sheet, reading),
      ...controlRow(sheet),
    ],
  });
}

/** Who is asked and how far they are, as one line each. */
function reviewState(sheet: Plan): Part[] {
  const { round, say } = sheet;
  const { named, quorum } = round.policy;
  const names = named.length > 0 ? named.map(({ name }) => name) : [...new Set(reviewers(round))];
  const people = names.map((name) => ({ name: displayName(round, name), state: stateOf(sheet, name) }));
  const needs = named.length > 1 ? say.quorum(quorum, named.length) : "";
  const revising = round.reviews.filter(({ decision }) => decision === "revise").map(({ by }) => by.name);
  const waiting = owing(round).map(({ name }) => displayName(round, name));
  const stands = revising.length > 0 && round.outcome === null;
  const line = stands
    ? [say.asksForChanges(revising.join(", ")), waiting.length > 0 ? say.waitingFor(waiting.join(", ")) : ""]
    : [needs];
  return [
    ...sheets.text(line.filter(Boolean).join(" · "), "quiet"),
    ...(people.length > 0 ? [{ kind: "people" as const, people }] : []),
  ];
}

const reviewers = (round: PlanRound): string[] =>
  [...round.reviews, ...round.annotations, ...round.feedback].map(({ by }) => countedAs(round.policy, by.id));

/** The name somebody goes by, if they have been seen; else as they were named. */
const displayName = (round: PlanRound, counted: string): string =>
  [...round.reviews, ...round.annotations, ...round.feedback].find(
    ({ by }) => countedAs(round.policy, by.id) === counted,
  )?.by.name ?? counted;

function stateOf({ round, say }: Plan, counted: string): string {
  const theirs = (entry: { by: Who }): boolean => countedAs(round.policy, entry.by.id) === counted;
  const review = round.reviews.find(theirs);
  if (review !== undefined) return review.decision === "approve" ? say.stateApproved : say.stateRevise;
  return say.comments([...round.annotations, ...round.feedback].filter(theirs).length);
}

/** Feedback on the whole plan, where the place itself does not show it. */
function general(sheet: Plan): Part[] {
  const { round, say } = sheet;
  const comments = round.feedback.flatMap((entry, index) =>
    isShown(sheet, entry.by) ? [comment(sheet, entry, { id: `f${index}`, text: entry.text })] : [],
  );
  return comments.length > 0 ? [{ kind: "comments", label: say.feedbackLabel, comments }] : [];
}

/** Threads show what was written in them; page and terminal show everything. */
const isShown = ({ drawing }: Plan, by: Who): boolean =>
  sheets.isPage(drawing.place.surface) || by.surface !== drawing.place.surface;

function comment(sheet: Plan, { by }: Annotation | Feedback, look: Pick<Comment, "id" | "text">): Comment {
  const mine = by.id.startsWith("local:") && sheets.isPage(sheet.drawing.place.surface);
  const edit = mine && !sheets.isOver(sheet) ? sheets.buttonId(sheet, "edit", look.id) : null;
  return { ...look, by: by.name, byId: by.id, edit };
}

function blockCard(sheet: Plan, group: PlanBlock[]): Card {
  const { round, say } = sheet;
  const first = group[0]?.index ?? 0;
  const last = group.at(-1)?.index ?? first;
  const target = `b${first}-${last}`;
  const packed = control(sheet, target, say.comment);
  const parts: Part[] = group.map((block) => blockPart(sheet, block, group.length === 1));
  return sheets.card(sheet, {
    key: cardKey.blocks(round.id, first, last),
    parts: group.length > 1 && packed !== null ? [...parts, { kind: "controls", controls: [packed] }] : parts,
  });
}

function blockPart(sheet: Plan, { index, raw }: PlanBlock, alone: boolean): BlockPart {
  const { round, say } = sheet;
  const comments = round.annotations.filter(
    ({ blockIndex, by }) => blockIndex === index && isShown(sheet, by),
  );
  return {
    kind: "block",
    target: `b${index}`,
    number: index + 1,
    raw,
    comments: comments.map((entry) => comment(sheet, entry, { id: entry.id, text: entry.comment })),
    comment: alone ? control(sheet, `b${index}`, say.commentOn(index + 1)) : null,
  };
}

/** *Comment* is for everybody who may comment, named or not. */
function control(sheet: Plan, target: string, label: string): Control | null {
  if (sheets.isOver(sheet)) return null;
  return sheets.control(sheet, {
    verb: "comment",
    target,
    label,
    form: commentForm(sheet.round, target, sheet.say),
  });
}

const endCard = (sheet: Plan): Card =>
  sheets.card(sheet, {
    key: cardKey.end(sheet.round.id),
    parts: [
      ...sheets.endNote(sheet),
      ...sheets.pointers(sheet, [{ key: cardKey.round(sheet.round.id), label: sheet.say.backToTop }]),
      ...controlRow(sheet),
    ],
  });

function controlRow(sheet: Plan): Part[] {
  const { round, say } = sheet;
  if (sheets.isOver(sheet)) return [];
  const silent = round.annotations.length + round.feedback.length === 0;
  const asked = { form: { ...feedbackForm(say), title: say.reviseTitle, submit: say.revise } };
  const now = verdictAtDeadline(round) !== null;
  const deciding = [
    sheets.control(sheet, { verb: "approve", label: say.approve, style: "primary" }),
    sheets.control(sheet, { verb: "revise", label: say.revise, ...(silent ? asked : {}) }),
    ...(now ? [sheets.control(sheet, { verb: "now", label: say.now })] : []),
  ];
  const feedback = sheets.control(sheet, { verb: "feedback", label: say.feedback, form: feedbackForm(say) });
  if (!sheets.mayPress(sheet)) {
    const names = round.policy.named.map(({ name }) => name).join(", ");
    return [...sheets.text(say.onlyThere(names), "quiet"), { kind: "controls", controls: [feedback] }];
  }
  return [{ kind: "controls", controls: [...deciding, feedback, sheets.cancelControl(sheet)] }];
}
