/** What a person who does not see the page is told when the bot's cards have changed. Pure. */
import type { Card, ChoicePart } from "../../../core/card.ts";
import { layOut, questionsOf, type RoundView, withTime } from "../render.ts";
import type { PageWords } from "./words.ts";

export interface Saying {
  words: PageWords;
  now: number;
  locale: string;
}

/** The new rounds, questions, answers and ends, in one sentence each. */
export function announce(before: Card[], after: Card[], { words, now, locale }: Saying): string {
  const known = new Map(layOut(before).map((round) => [round.id, round]));
  return layOut(after)
    .flatMap((round) => {
      const old = known.get(round.id);
      if (old === undefined) return before.length === 0 ? [] : [round.alert || (round.title?.text ?? "")];
      const times = round.times.filter(
        ({ text, at }) => !old.times.some((time) => time.text === text && time.at === at),
      );
      return [...questionChanges(old, round, words), ...times.map((time) => withTime(time, now, locale))];
    })
    .filter((text) => text !== "")
    .join(" ");
}

function questionChanges(old: RoundView, round: RoundView, words: PageWords): string[] {
  const before = new Map(questionsOf(old).map((part) => [part.target, part]));
  return questionsOf(round).map((part) => changeOf(before.get(part.target), part, words));
}

function changeOf(old: ChoicePart | undefined, part: ChoicePart, words: PageWords): string {
  if (old === undefined) return `${words.newQuestion} ${part.question}`;
  const notes = part.notes.filter((note) => !old.notes.includes(note));
  const answer = part.answer !== old.answer && part.answer !== "" ? [`${part.question} ${part.answer}.`] : [];
  return [...answer, ...notes].join(" ");
}
