/** The bot's cards with what is on its way drawn in, so that a press shows itself at once. Pure. */
import type { Card, ChoicePart, Comment, Part } from "../../../core/card.ts";
import type { Mark } from "./state.ts";

/** Comments that only this page knows carry no id of the bot's. */
export const UNSENT = "unsent";

export const withMarks = (cards: Card[], marks: Mark[]): Card[] =>
  marks.length === 0
    ? cards
    : cards.map((card) =>
        withMarksOf(
          card,
          marks.filter(({ round }) => round === card.round),
        ),
      );

function withMarksOf(card: Card, marks: Mark[]): Card {
  if (marks.length === 0) return card;
  const lacksComments = card.key === card.round && !card.parts.some(({ kind }) => kind === "comments");
  const feedback: Part[] = [{ kind: "comments", label: "", comments: [] }];
  return { ...card, parts: marks.reduce(draw, lacksComments ? [...card.parts, ...feedback] : card.parts) };
}

const draw = (parts: Part[], mark: Mark): Part[] => parts.map((part) => drawPart(part, mark));

function drawPart(part: Part, mark: Mark): Part {
  switch (part.kind) {
    case "choice":
      return drawChoice(part, mark);
    case "block":
    case "comments":
      return drawComments(part, mark);
    default:
      return part;
  }
}

type WithComments = Extract<Part, { kind: "block" | "comments" }>;

function drawComments<P extends WithComments>(part: P, mark: Mark): P {
  if (mark.kind === "edit") return { ...part, comments: edit(part.comments, mark) };
  const isHere =
    part.kind === "block" ? mark.kind === "comment" && mark.target === part.target : mark.kind === "feedback";
  return isHere && "words" in mark ? { ...part, comments: add(part.comments, mark.words) } : part;
}

function drawChoice(part: ChoicePart, mark: Mark): ChoicePart {
  if (mark.kind === "pick" && mark.target === part.target) {
    const entries = part.entries.map((entry) => ({ ...entry, chosen: mark.values.includes(entry.value) }));
    return { ...part, entries, own: "" };
  }
  if (mark.kind === "own" && mark.target === part.target) {
    return { ...part, entries: part.entries.map((entry) => ({ ...entry, chosen: false })), own: mark.words };
  }
  return part;
}

/** The bot may have drawn it before it said that it took it. */
const add = (comments: Comment[], text: string): Comment[] =>
  comments.some((comment) => comment.text === text.trim())
    ? comments
    : [...comments, { id: `${UNSENT}-${comments.length}`, text, by: "", byId: "", edit: null }];

const edit = (comments: Comment[], { comment: id, words }: { comment: string; words: string }): Comment[] =>
  comments.flatMap((comment) =>
    comment.id !== id ? [comment] : words.trim() === "" ? [] : [{ ...comment, text: words }],
  );
