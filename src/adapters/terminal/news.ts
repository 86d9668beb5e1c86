/** What changed between two pictures of a round, in lines; made from the words of the cards alone. */
import { allComments, type Picture } from "./picture.ts";
import { timed } from "./render.ts";

export function newsOf(before: Picture, after: Picture): string[] {
  return [
    ...newTexts(before, after),
    ...newAnswers(before, after),
    ...newComments(before, after),
    ...newStates(before, after),
  ];
}

const newTexts = (before: Picture, after: Picture): string[] => {
  const known = new Set(before.texts.map(({ text, at }) => `${text} ${at}`));
  return after.texts.filter(({ text, at }) => !known.has(`${text} ${at}`)).map(timed);
};

function newAnswers(before: Picture, after: Picture): string[] {
  return after.choices.flatMap((choice) => {
    const was = before.choices.find(({ target }) => target === choice.target);
    const answered = choice.answer !== "" && choice.answer !== was?.answer;
    const notes = choice.notes.filter((note) => !was?.notes.includes(note));
    const reveals = choice.reveals.filter(({ key }) => !was?.reveals.some((known) => known.key === key));
    const follow = [...notes, ...reveals.map(({ label }) => `↳ ${label}`)];
    return [...(answered ? [`${choice.number} ${choice.question} ✓ ${choice.answer}`] : []), ...follow];
  });
}

function newComments(before: Picture, after: Picture): string[] {
  const known = new Set(allComments(before).map(({ id, text }) => `${id} ${text}`));
  const onBlocks = after.blocks.flatMap(({ number, comments }) =>
    comments
      .filter(({ id, text }) => !known.has(`${id} ${text}`))
      .map((comment) => `¶${number} ${lineOf(comment)}`),
  );
  const general = after.general.filter(({ id, text }) => !known.has(`${id} ${text}`)).map(lineOf);
  return [...onBlocks, ...general];
}

const lineOf = ({ id, by, text, edit }: Picture["general"][number]): string =>
  `${edit === null ? "" : `${id} `}${by}: ${text}`;

function newStates(before: Picture, after: Picture): string[] {
  const known = new Set(before.people.map(({ name, state }) => `${name}: ${state}`));
  return after.people.map(({ name, state }) => `${name}: ${state}`).filter((line) => !known.has(line));
}
