/** Reviewing a plan: comments on blocks, feedback on the whole, reviews, and the verdict they add up to. */
import { type Act, askWords, numberIn, settle, who, wordsOf } from "./act.ts";
import { changed, reject, type Stepped } from "./effect.ts";
import { countedAs, mayAct, verdict, verdictAtDeadline } from "./policy.ts";
import type { Annotation, PlanRound } from "./round.ts";
import { replaceRound } from "./session.ts";
import type { Words } from "./words.ts";

export function reviewPlan(on: Act<PlanRound>): Stepped {
  const { say } = on;
  switch (on.button.verb) {
    case "comment":
      return comment(on, say);
    case "edit":
      return edit(on, say);
    case "feedback":
      return feedback(on, say);
    case "approve":
      return review(on, "approve");
    case "revise":
      return revise(on, say);
    case "now":
      return verdictAtDeadline(on.round) === null
        ? reject("unknown_button", say.unknownButton)
        : settle(on, { status: "submitted", decision: "revise" });
    default:
      return reject("unknown_button", say.unknownButton);
  }
}

function comment(on: Act<PlanRound>, say: Words): Stepped {
  const block = chosenBlock(on);
  const text = wordsOf(on.press);
  if (on.press.words === null || block === undefined)
    return askWords(on, commentForm(on.round, on.button.target, say));
  if (text === null) return reject("blank", say.blank);
  return annotate(on, { source: on.press.id, blockIndex: block.index, comment: text });
}

/** A button of one block names it; that of packed blocks (`b4-9`) leaves it to the form's select. */
function chosenBlock({ round, button, press }: Act<PlanRound>) {
  const target = press.values[0] ?? button.target;
  return round.blocks[numberIn(target, "b")];
}

/** The form of *Comment*; for packed blocks it asks which one. */
export function commentForm(round: PlanRound, target: string, say: Words) {
  const [first = 0, last = first] = target.slice(1).split("-").map(Number);
  const packed = round.blocks.slice(first, last + 1);
  const entries = packed.map(({ index, quote }) => ({ value: `b${index}`, label: `¶${index + 1} ${quote}` }));
  const text = { kind: "text" as const, label: say.comment, value: "", required: true };
  const select = { kind: "select" as const, label: say.whichBlock, entries };
  return {
    title: packed.length > 1 ? say.comment : say.commentOn(first + 1),
    submit: say.save,
    fields: packed.length > 1 ? [select, text] : [text],
  };
}

/** Keeps a comment on a block, from a press or a typed message. */
export function annotate(
  on: Pick<Act<PlanRound>, "session" | "round" | "press" | "now">,
  made: Pick<Annotation, "source" | "blockIndex" | "comment"> & Partial<Pick<Annotation, "span" | "files">>,
): Stepped {
  const { session, round, now } = on;
  const counter = session.counter + 1;
  const quote = round.blocks[made.blockIndex]?.quote ?? "";
  const annotation = { ...made, id: `a${counter}`, quote, by: who(on.press), at: now };
  const next = { ...round, rev: round.rev + 1, annotations: [...round.annotations, annotation] };
  return changed({ ...replaceRound(session, next), counter });
}

/** Rewrites one's own comment or feedback; blank words take it away. */
function edit(on: Act<PlanRound>, say: Words): Stepped {
  const { round, button, press } = on;
  const annotation = round.annotations.find(({ id }) => id === button.target);
  const general = round.feedback[numberIn(button.target, "f")];
  const mine = annotation ?? general;
  if (mine === undefined) return reject("unknown_button", say.unknownButton);
  if (mine.by.id !== press.actor.id) return reject("not_allowed", say.notAllowed);
  if (press.words === null) {
    const value = annotation?.comment ?? general?.text ?? "";
    const fields = [{ kind: "text" as const, label: say.comment, value, required: false }];
    return askWords(on, { title: say.editComment, submit: say.save, fields });
  }
  return changed(replaceRound(on.session, rewritten(round, mine.source, wordsOf(press))));
}

/** The round with the words of one source replaced; null takes them away. */
export function rewritten(round: PlanRound, source: string, text: string | null): PlanRound {
  const keep = <T extends { source: string }>(list: T[], put: (entry: T, text: string) => T): T[] =>
    list.flatMap((entry) => (entry.source !== source ? [entry] : text === null ? [] : [put(entry, text)]));
  return {
    ...round,
    rev: round.rev + 1,
    annotations: keep(round.annotations, (entry, comment) => ({ ...entry, comment })),
    feedback: keep(round.feedback, (entry, words) => ({ ...entry, text: words })),
  };
}

function feedback(on: Act<PlanRound>, say: Words): Stepped {
  const text = wordsOf(on.press);
  if (on.press.words === null) return askWords(on, feedbackForm(say));
  return text === null ? reject("blank", say.blank) : addFeedback(on, { source: on.press.id, text });
}

export const feedbackForm = (say: Words) => ({
  title: say.feedbackTitle,
  submit: say.save,
  fields: [{ kind: "text" as const, label: say.feedback, value: "", required: true }],
});

/** Keeps words on the plan as a whole, from a press or a typed message. */
export function addFeedback(
  on: Pick<Act<PlanRound>, "session" | "round" | "press" | "now">,
  said: Pick<PlanRound["feedback"][number], "source" | "text" | "files">,
): Stepped {
  return changed(replaceRound(on.session, withFeedback(on, said)));
}

const withFeedback = (
  { round, press, now }: Pick<Act<PlanRound>, "round" | "press" | "now">,
  said: Pick<PlanRound["feedback"][number], "source" | "text" | "files">,
): PlanRound => ({
  ...round,
  rev: round.rev + 1,
  feedback: [...round.feedback, { ...said, by: who(press), at: now }],
});

/** *Request changes* needs at least one comment to act on; its words count as feedback. */
function revise(on: Act<PlanRound>, say: Words): Stepped {
  const text = wordsOf(on.press);
  const said = text === null ? on.round : withFeedback(on, { source: on.press.id, text });
  if (said.annotations.length + said.feedback.length > 0) return review({ ...on, round: said }, "revise");
  if (on.press.words !== null) return reject("blank", say.blank);
  return askWords(on, { ...feedbackForm(say), title: say.reviseTitle, submit: say.revise });
}

/** One review a person, the last one counts; settles when they add up to a verdict. */
function review(on: Act<PlanRound>, decision: "approve" | "revise"): Stepped {
  const { round, press, session, now } = on;
  if (!mayAct(round.policy, press.actor, press.place)) return reject("not_allowed", on.say.notAllowed);
  const same = countedAs(round.policy, press.actor.id);
  const others = round.reviews.filter(({ by }) => countedAs(round.policy, by.id) !== same);
  const reviews = [...others, { by: who(press), decision, at: now }];
  const next = { ...round, rev: round.rev + 1, reviews };
  const verdictNow = verdict(next);
  return verdictNow === null
    ? changed(replaceRound(session, next))
    : settle(on, { status: "submitted", decision: verdictNow }, next);
}
