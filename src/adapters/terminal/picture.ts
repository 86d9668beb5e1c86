/** One round as a terminal needs it: the parts of its cards, sorted by what one does with them. Decides nothing. */
import type { BlockPart, Card, ChoicePart, Comment, Control, Part } from "../../core/card.ts";

export type TextPart = Extract<Part, { kind: "text" }>;

export interface Picture {
  title: Extract<Part, { kind: "title" }> | null;
  texts: TextPart[];
  people: { name: string; state: string }[];
  /** In the order of the cards. */
  choices: ChoicePart[];
  blocks: BlockPart[];
  /** Comments on the whole plan. */
  general: Comment[];
  progress: string;
  controls: Control[];
  /** The round is over: nothing can be pressed. */
  settled: boolean;
}

/** What `cards` show of `round`; null while none of them belongs to it. */
export function pictureOf(cards: Card[], round: string): Picture | null {
  const own = cards.filter((card) => card.round === round);
  if (own.length === 0) return null;
  const parts = own.flatMap((card) => card.parts);
  const controls = parts.flatMap((part) => (part.kind === "controls" ? part.controls : []));
  return {
    title: parts.find((part) => part.kind === "title") ?? null,
    texts: parts.filter((part) => part.kind === "text"),
    people: parts.flatMap((part) => (part.kind === "people" ? part.people : [])),
    choices: parts.filter((part) => part.kind === "choice"),
    blocks: parts.filter((part) => part.kind === "block"),
    general: parts.flatMap((part) => (part.kind === "comments" ? part.comments : [])),
    progress: parts.find((part) => part.kind === "progress")?.text ?? "",
    // A plan repeats its controls; a button that stands twice is one.
    controls: controls.filter((control, at) => controls.findIndex(({ id }) => id === control.id) === at),
    settled: own.every((card) => card.settled),
  };
}

export const controlOf = (picture: Picture, verb: string): Control | undefined =>
  picture.controls.find((control) => control.verb === verb);

export const choiceOf = (picture: Picture, target: string | null): ChoicePart | undefined =>
  picture.choices.find((choice) => choice.target === target);

/** Comments with a name that people can type: those on blocks, then those on the whole. */
export const allComments = (picture: Picture): Comment[] => [
  ...picture.blocks.flatMap(({ comments }) => comments),
  ...picture.general,
];

/** The decision to ask next: the first open one after `from`, else the first open one; null when all are answered. */
export function nextOpen(picture: Picture, from: string | null): ChoicePart | null {
  const at = picture.choices.findIndex(({ target }) => target === from);
  const inOrder = [...picture.choices.slice(at + 1), ...picture.choices.slice(0, at + 1)];
  return inOrder.find(({ answer, pick }) => answer === "" && pick !== null) ?? null;
}

/** The decision before `from`; from the summary (null) the last one. */
export function previous(picture: Picture, from: string | null): ChoicePart | null {
  if (from === null) return picture.choices.at(-1) ?? null;
  const at = picture.choices.findIndex(({ target }) => target === from);
  return picture.choices[Math.max(0, at - 1)] ?? null;
}

export const sameAnswers = (before: Picture, after: Picture): boolean =>
  before.choices.map(({ target, answer }) => `${target} ${answer}`).join("\n") ===
  after.choices.map(({ target, answer }) => `${target} ${answer}`).join("\n");
