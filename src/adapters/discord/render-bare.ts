/** A card's words without any looks: for what would grow too long with them, or what Discord refused. Pure. */
import { type ChoicePart, type Comment, type Entry, type Part, TIME } from "../../core/card.ts";
import { listed } from "./render-choice.ts";
import { isUnseen, tightlyFenced } from "./text.ts";

/** In fixed width, hardly longer than the words themselves; "" for nothing. */
export const drawBare = (parts: Part[]): string =>
  tightlyFenced(
    parts
      .flatMap(linesOf)
      .filter((line) => !isUnseen(line))
      .join("\n"),
  );

function linesOf(part: Part): string[] {
  switch (part.kind) {
    case "title":
      return [part.text, part.subtitle, part.origin];
    case "text":
      return [timed(part.text, part.at)];
    case "choice":
      return choiceLines(part);
    case "block":
      return [`¶${part.number} ${part.raw.trim()}`, ...part.comments.map(commentLine)];
    case "comments":
      return [part.label, ...part.comments.map(commentLine)];
    case "progress":
      return [part.text];
    case "people":
      return part.people.map(({ name, state }) => `${name} ${state}`);
    case "pointers":
      return part.pointers.map(({ label }) => label);
    case "controls":
    case "file":
      return [];
  }
}

const timed = (text: string, at: number | null): string =>
  at === null ? text : text.replaceAll(TIME, `${clockTime(at)} UTC`);

/** "08:30", in UTC. */
const clockTime = (at: number): string =>
  Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().slice(11, 16) : "?";

const choiceLines = (part: ChoicePart): string[] => [
  part.number > 0 ? `${part.number} ${part.question}` : part.question,
  ...listed(part).map(entryLine),
  isUnseen(part.why) ? "" : `★${part.why}`,
  isUnseen(part.answer) ? "" : `✓${part.answer}`,
  ...part.notes,
  ...part.reveals.map(({ label }) => `↳${label}`),
];

const entryLine = ({ number, label, description, reason, recommended, chosen }: Entry): string =>
  [`${number} ${chosen ? "✓" : ""}${label}${recommended ? "★" : ""}`, description, reason]
    .filter((text) => !isUnseen(text))
    .join(" ");

const commentLine = ({ by, text }: Comment): string => `${by}: ${text.trim()}`;
