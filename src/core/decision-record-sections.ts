/** The Markdown of what was asked, one section each: decisions with their options, plans, questions, permissions. */
import { ending, time, who } from "./decision-record-ending.ts";
import type { RecordedDecision, RecordedOption, RecordedRound } from "./decision-record-shape.ts";
import { atStart, code, fence, inline, quote, short } from "./markdown-text.ts";
import type { Attachment } from "./people.ts";

type Clarity = Extract<RecordedRound, { kind: "clarity" }>;
type Plan = Extract<RecordedRound, { kind: "plan" }>;

/** `withText`: the last plan, whose text stands in the record. */
export function roundSection(round: RecordedRound, withText: boolean): string[] {
  switch (round.kind) {
    case "clarity":
      return clarity(round);
    case "plan":
      return plan(round, withText);
    case "ask":
      return [
        ...[`## Question: ${inline(short(round.title))}`, "", ...inFull(round.title)],
        ...[...ending(round, "Answered"), ...detail(round.detail)],
        ...(round.answer === null || round.option !== null ? [] : ["", ...quote(round.answer)]),
        ...list(round.options.map((label, index) => chosenOr(label, round, index + 1))),
      ];
    case "permission":
      return [
        ...[`## Permission: ${inline(round.title)}`, "", ...ending(round, "Allowed once"), ""],
        ...[...fence(round.command, "sh"), ...detail(round.detail)],
      ];
  }
}

/** Lines under a heading; nothing where there are none. */
export const headed = (heading: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : [heading, "", ...lines];

/** A list item with somebody's words in it. */
export const saidBlock = (head: string, text: string, files: Attachment[] = []): string[] => [
  head,
  ...(text === "" ? [] : quote(text).map((line) => `  ${line}`)),
  ...files.map(({ name, url }) => `  - attached: ${code(name)} ${code(url)}`),
];

function clarity(round: Clarity): string[] {
  const roots = round.decisions.filter(({ revealedBy }) => revealedBy === null);
  const dropped = round.dropped.map(({ question, answer }) => `- ${inline(question)} ${inline(answer)}`);
  return [
    ...[`## Decisions: ${inline(round.title)}`, ""],
    ...(round.subtitle === null ? [] : [atStart(inline(round.subtitle)), ""]),
    ...[...quote(round.context), "", ...ending(round, "Sent to the agent")],
    ...roots.flatMap((decision) => decisionTree(round, decision, 3)),
    ...[
      "",
      ...headed("Answered, and dropped when another answer made the question pointless:", dropped),
    ].filter(() => dropped.length > 0),
  ];
}

const DEEPEST = 6;

/** A decision, and below it those that its answer revealed. */
function decisionTree(round: Clarity, decision: RecordedDecision, level: number): string[] {
  const below = round.decisions.filter(({ revealedBy }) => revealedBy?.decisionId === decision.decisionId);
  return [
    ...["", `${"#".repeat(level)} ${decision.number}. ${inline(decision.question)}`, ""],
    ...answer(decision),
    ...["", ...decision.options.map((option) => `- ${optionLine(option, decision)}`)],
    ...["", `Recommended because: ${inline(decision.recommendationReason)}`],
    ...below.flatMap((next) => decisionTree(round, next, Math.min(level + 1, DEEPEST))),
  ];
}

function answer(decision: RecordedDecision): string[] {
  const { answer: text, custom, status, revealedBy } = decision;
  const at = decision.at === null ? "" : `, ${time(decision.at)}`;
  const because = revealedBy && `Asked because ${revealedBy.number} is “${inline(revealedBy.answer)}”.`;
  const follow = because ? [because, ""] : [];
  if (text === null) return [...follow, "Still open."];
  if (custom) return [...follow, `In own words, by ${who(decision)}${at}:`, "", ...quote(text)];
  const how =
    status === "defaulted" ? "taken by default: nobody answered in time" : `chosen by ${who(decision)}`;
  return [...follow, `**${inline(text)}**, ${how}${at}`];
}

function optionLine(
  { label, description, reason, recommended, chosen }: RecordedOption,
  on: RecordedDecision,
) {
  const mark = on.answer === null ? "Considered" : chosen ? "**Chosen**" : "Rejected";
  const about = [description, reason].flatMap((text) => (text === null ? [] : [inline(text)]));
  const said = about.length === 0 ? "" : `. ${about.join(" ")}`;
  return `${mark}: ${inline(label)}${recommended ? " (recommended)" : ""}${said}`;
}

function plan(round: Plan, withText: boolean): string[] {
  const title = `## Plan, version ${round.version}: ${inline(round.title)}`;
  const reviews = round.reviews.map(
    (review) =>
      `- ${who(review)}: ${review.decision === "approve" ? "approves" : "asks for changes"}, ${time(review.at)}`,
  );
  const comments = round.annotations.flatMap((note) =>
    saidBlock(`- ¶${note.block} ${code(note.quote)}, ${who(note)}, ${time(note.at)}:`, note.text, note.files),
  );
  const feedback = round.feedback.flatMap((note) =>
    saidBlock(`- ${who(note)}, ${time(note.at)}:`, note.text, note.files),
  );
  const text = [
    "<details><summary>The plan</summary>",
    "",
    ...fence(round.plan, "markdown"),
    "",
    "</details>",
  ];
  return [
    ...[title, ""],
    ...(round.subtitle === null ? [] : [atStart(inline(round.subtitle)), ""]),
    ...ending(round, round.decision === "revise" ? "Changes requested" : "Approved"),
    ...spaced(headed("Reviews:", reviews)),
    ...spaced(headed("Comments:", comments)),
    ...spaced(headed("On the whole plan:", feedback)),
    ...(withText ? ["", ...text] : []),
  ];
}

/** A question that is more than a heading can hold. */
const inFull = (question: string): string[] => (short(question) === question ? [] : [...quote(question), ""]);

const spaced = (lines: string[]): string[] => (lines.length === 0 ? [] : ["", ...lines]);

const list = (items: string[]): string[] => spaced(items.map((item) => `- ${item}`));

const detail = (text: string | null): string[] => (text === null ? [] : ["", ...quote(text)]);

const chosenOr = (
  label: string,
  { answer: given, option }: { answer: string | null; option: number | null },
  n: number,
) => `${given === null ? "Considered" : option === n ? "**Chosen**" : "Rejected"}: ${inline(label)}`;
