/** `ask`: one question to people, as words or as a payload. */
import { UsageError } from "../exit.ts";
import { readPayload, readText } from "../input.ts";
import { parseJson } from "../json.ts";
import { askAndWait, type RoundFlags } from "../round.ts";

export interface AskFlags extends RoundFlags {
  option?: string[];
  optionId?: string[];
  ownWords: boolean;
  /** `-` is standard input. */
  detail?: string;
}

export async function ask(question: string | undefined, flags: AskFlags): Promise<number> {
  const payload = await payloadOf(question, flags);
  return askAndWait({ kind: "ask", again: false, flags, payload });
}

const NO_QUESTION: [string, string] = ["no question", 'Ask one:  askgate ask "Which port?"'];

/** Words on the command line or on standard input; JSON with `--input`, or piped in without any words. */
async function payloadOf(question: string | undefined, flags: AskFlags): Promise<unknown> {
  if (flags.input !== undefined) {
    refuseWords(flags, question !== undefined);
    return readPayload(flags.input);
  }
  if (question === "-" && flags.detail === "-") throw twice();
  const said = question ?? (await piped(flags));
  if (question === undefined && said.trimStart().startsWith("{")) {
    refuseWords(flags, false);
    return parseJson(said, "standard input");
  }
  return {
    question: said === "-" ? await readText("-", NO_QUESTION) : said,
    ...(flags.option === undefined ? {} : { options: flags.option }),
    ...(flags.optionId === undefined ? {} : { option_ids: flags.optionId }),
    ...(flags.ownWords ? {} : { allow_custom: false }),
    ...(flags.detail === undefined ? {} : { detail: await wordsOrInput(flags.detail) }),
  };
}

async function piped({ detail }: AskFlags): Promise<string> {
  if (detail === "-") throw twice();
  return readText(undefined, NO_QUESTION);
}

const wordsOrInput = (text: string): Promise<string> | string =>
  text === "-" ? readText("-", NO_QUESTION) : text;

const twice = (): UsageError => new UsageError("standard input cannot be both the question and its --detail");

/** A payload has all of it; two sources could contradict each other. */
function refuseWords({ option, optionId, detail, ownWords }: AskFlags, worded: boolean): void {
  const flags = [option, optionId, detail].some((flag) => flag !== undefined) || !ownWords;
  if (worded || flags) {
    throw new UsageError(
      "the payload has the whole question: no words, options or --detail beside it",
      "See: askgate schema ask",
    );
  }
}
