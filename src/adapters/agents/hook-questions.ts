/** An agent's own questions as a page of decisions, and what people picked as its answers. */
import { z } from "zod";
import type { Result } from "../../core/gate.ts";
import { shorten } from "./hook.ts";

/** A question as an agent asks it. */
export interface Asked {
  question: string;
  header: string;
  multi: boolean;
  options: { label: string; description: string; preview: string }[];
}

const TITLE = 120;
const CONTEXT = 1200;
const QUESTION = 240;
const LABEL = 80;
const DESCRIPTION = 400;

/** The payload of these questions. What is too long for its place ends in "…", and stands in full where there is room. */
export function questionsPayload(asked: Asked[], agent: string): unknown {
  const headers = asked.map(({ header }) => header.trim()).filter((header) => header !== "");
  const title = headers.length > 0 ? headers.join(" · ") : (asked[0]?.question.trim() ?? "");
  const long = asked.map(({ question }) => question).filter(({ length }) => length > QUESTION);
  const context = [`${agent} asks this before it goes on.`, ...long].join("\n\n");
  return {
    title: shorten(title || `${agent} has a question`, TITLE),
    context: shorten(context, CONTEXT),
    decisions: asked.map((one, at) => decision(one, at, agent)),
  };
}

function decision(asked: Asked, at: number, agent: string) {
  const { question, header, multi, options } = asked;
  const marked = options.map(({ label }) => MARK.test(label));
  const first = marked.indexOf(true);
  const recommended = (index: number): boolean =>
    first < 0 ? index === 0 : multi ? marked[index] === true : index === first;
  return {
    id: `question-${at + 1}`,
    question: shorten(
      question.trim().length < 6 ? `${header || "Question"}: ${question}` : question,
      QUESTION,
    ),
    recommendation_reason:
      first < 0
        ? `${agent} recommends none of them: the first is marked only because one has to be.`
        : `${agent} recommends it.`,
    allow_custom: true,
    ...(multi ? { multi: true } : {}),
    options: options.map((option, index) => ({
      id: `option-${index + 1}`,
      ...words(option),
      recommended: recommended(index),
    })),
  };
}

/** How agents mark what they recommend. */
const MARK = /\s*\(recommended\)\s*$/i;

function words({ label, description, preview }: Asked["options"][number]) {
  const shown = label.replace(MARK, "") || label;
  const full = shown.length > LABEL ? [shown] : [];
  const more = [...full, description, preview].filter((text) => text.trim() !== "").join("\n");
  return {
    label: shorten(shown, LABEL),
    ...(more === "" ? {} : { description: shorten(more, DESCRIPTION) }),
  };
}

const items = z.array(
  z.looseObject({
    decisionId: z.string(),
    optionId: z.string().nullish(),
    optionIds: z.array(z.string()).nullish(),
    answer: z.string(),
    custom: z.boolean().optional(),
  }),
);

type Item = z.infer<typeof items>[number];

/** The answer to each question under its full text, labels as the agent wrote them; null where one is missing. */
export function answersOf(asked: Asked[], result: Result): Record<string, string> | null {
  const picked = items.parse(result.result ?? result.items ?? []);
  const answers = asked.map((one, at): [string, string] | null => {
    const item = picked.find(({ decisionId }) => decisionId === `question-${at + 1}`);
    const answer = item === undefined ? "" : answerOf(one, item);
    return answer.trim() === "" ? null : [one.question, answer];
  });
  const given = answers.filter((answer) => answer !== null);
  return given.length === asked.length ? Object.fromEntries(given) : null;
}

function answerOf({ options }: Asked, item: Item): string {
  if (item.custom) return item.answer;
  const ids = item.optionIds ?? [item.optionId];
  const labels = ids.map((id) => options[Number(id?.replace("option-", "")) - 1]?.label);
  return labels.filter((label) => label !== undefined).join(", ");
}

/** A text that two questions share, so that their answers cannot be told apart; null if there is none. */
export function repeated(asked: Asked[]): string | null {
  const texts = asked.map(({ question }) => question);
  return texts.find((text, at) => texts.indexOf(text) !== at) ?? null;
}

/** What people picked before it ended without being sent, as lines; "" if nothing. */
export function pickedSoFar(asked: Asked[], result: Result): string {
  const picked = items.safeParse(result.items ?? []).data ?? [];
  return picked
    .map((item) => {
      const one = asked[Number(item.decisionId.replace("question-", "")) - 1];
      return one === undefined ? "" : `${one.question} ${answerOf(one, item)}`;
    })
    .join("\n");
}
