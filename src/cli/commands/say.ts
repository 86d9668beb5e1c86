/** `say`: a note from the agent into its session's thread. Nobody has to answer it. */
import { connect } from "../../adapters/link/client.ts";
import { UsageError } from "../exit.ts";
import { readText } from "../input.ts";
import { readSetting, selectorOf } from "../request.ts";
import * as shell from "../shell.ts";

const NOTHING: [string, string] = [
  "nothing to say",
  'For example:  askgate say "The tests pass; next the docs."',
];

export async function say(words: string | undefined, flags: { session?: string }): Promise<number> {
  const text = words === undefined || words === "-" ? await readText(words, NOTHING) : words;
  const setting = readSetting(process.cwd(), process.env, { via: ["web"] });
  const gate = await connect();
  try {
    const said = await gate.say(selectorOf(setting, flags.session), text);
    if (said === null) {
      throw new UsageError(
        "no session is open here, so there is no thread for it",
        "A session begins with a question: askgate ask, clarity up, plan up or permission.",
      );
    }
    shell.say(`said in the thread of session ${said.session}`);
    return 0;
  } finally {
    gate.close();
  }
}
