/** Answering a question or a request for permission: the first answer wins. */
import { type Act, askWords, numberIn, settle, wordsOf } from "./act.ts";
import { reject, type Stepped } from "./effect.ts";
import type { AskRound, PermissionRound } from "./round.ts";
import type { Words } from "./words.ts";

/** Own words are welcome unless the payload says otherwise; without options there is nothing else. */
export const takesWords = ({ payload }: Pick<AskRound, "payload">): boolean =>
  payload.allow_custom !== false || !payload.options?.length;

export function answerAsk(on: Act<AskRound>): Stepped {
  const { say } = on;
  switch (on.button.verb) {
    case "answer":
      return on.press.values.length > 0 ? chooseOption(on) : answerInWords(on);
    case "skip":
      return settle(on, { status: "declined", ...reasonOf(on) });
    default:
      return reject("unknown_button", say.unknownButton);
  }
}

function chooseOption(on: Act<AskRound>): Stepped {
  const [value = ""] = on.press.values;
  const option = numberIn(value, "o");
  const answer = on.round.payload.options?.[option];
  if (answer === undefined) return reject("unknown_option", on.say.unknownOption);
  return settle(on, { status: "submitted", answer, option: option + 1 });
}

/** An answer in words is kept as it was written, also an empty one. */
function answerInWords(on: Act<AskRound>): Stepped {
  const { say } = on;
  if (!takesWords(on.round)) return reject("own_words_not_allowed", say.noOwnWords);
  if (on.press.words === null) return askWords(on, answerForm(on.round, on.say));
  return settle(on, { status: "submitted", answer: on.press.words, option: null });
}

export function answerForm(round: AskRound, say: Words) {
  const fields = [{ kind: "text" as const, label: round.payload.question, value: "", required: true }];
  return { title: say.yourAnswer, submit: say.save, fields };
}

const reasonOf = ({ press }: Act): { reason?: string } => {
  const reason = wordsOf(press);
  return reason === null ? {} : { reason };
};

export function decidePermission(on: Act<PermissionRound>): Stepped {
  switch (on.button.verb) {
    case "allow":
      return settle(on, { status: "submitted", decision: "allow" });
    case "deny":
      return on.button.target === "words" && on.press.words === null
        ? askWords(on, denyForm(on.say))
        : settle(on, { status: "declined", decision: "deny", ...reasonOf(on) });
    default:
      return reject("unknown_button", on.say.unknownButton);
  }
}

export function denyForm(say: Words) {
  const fields = [{ kind: "text" as const, label: say.reason, value: "", required: true }];
  return { title: say.denyWords, submit: say.deny, fields };
}
