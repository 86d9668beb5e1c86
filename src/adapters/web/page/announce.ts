/** What a person who does not see the page is told when the bot's cards have changed. Pure. */
import type { Card, ChoicePart } from "../../../core/card.ts";
import { layOut, questionsOf, type RoundView, withTime } from "../render.ts";
import type { PageWords } from "./words.ts";

export interface Saying {
  words: PageWords;
  /** Whether this page itself has just answered the question: then its radio has said so. */
  isOwn(round: string, target: string): boolean;
  now: number;
  locale: string;
}

/** The new rounds, questions, answers and ends, in one sentence each. */
export function announce(before: Card[], after: Card[], saying: Saying): string {
  const known = new Map(layOut(before).map((round) => [round.id, round]));
  return layOut(after)
    .flatMap((round) => {
      const old = known.get(round.id);
      if (old === undefined) return before.length === 0 ? [] : [round.alert || (round.title?.text ?? "")];
      const times = round.times.filter(
        ({ text, at }) => !old.times.some((time) => time.text === text && time.at === at),
      );
      return [
        ...questionChanges(old, round, saying),
        ...times.map((time) => withTime(time, saying.now, saying.locale)),
      ];
    })
    .filter((text) => text !== "")
    .join(" ");
}

function questionChanges(old: RoundView, round: RoundView, saying: Saying): string[] {
  const before = new Map(questionsOf(old).map((part) => [part.target, part]));
  return questionsOf(round).map((part) =>
    changeOf(before.get(part.target), part, { ...saying, own: saying.isOwn(round.id, part.target) }),
  );
}

function changeOf(
  old: ChoicePart | undefined,
  part: ChoicePart,
  on: { words: PageWords; own: boolean },
): string {
  if (old === undefined) return `${on.words.newQuestion} ${part.question}`;
  const notes = part.notes.filter((note) => !old.notes.includes(note));
  const isNews = part.answer !== old.answer && part.answer !== "" && !on.own;
  return [...(isNews ? [`${part.question} ${part.answer}.`] : []), ...notes].join(" ");
}
