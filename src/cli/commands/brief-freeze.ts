/** `brief freeze`: a reply with all four sections becomes the project's brief, if people want it where they are asked. */
import { briefWords, freezeBrief } from "../../core/brief-file.ts";
import type { Result } from "../../core/gate.ts";
import { FREEZE, freezeInto } from "../brief-files.ts";
import { UsageError } from "../exit.ts";
import { readText } from "../input.ts";
import { findProject } from "../project.ts";
import { deliver } from "../result.ts";
import type { RoundFlags } from "../round.ts";
import { harmless, say } from "../shell.ts";
import { incomplete, localeOf, NO_BRIEF } from "./brief.ts";

export interface FreezeFlags extends RoundFlags {
  /** People are asked first. */
  ask?: true;
}

interface Reply {
  project: string;
  text: string;
  locale: string;
}

export async function briefFreeze(file: string | undefined, flags: FreezeFlags): Promise<number> {
  const project = findProject(process.cwd());
  const text = await readText(file ?? flags.input, NO_BRIEF);
  const reply = { project, text, locale: localeOf(project, text, flags.locale) };
  const frozen = freezeBrief(text, reply.locale);
  if (!frozen.ok) {
    const reason = "nothing was frozen: the brief has sections without text";
    return incomplete({ ...reply, missing: frozen.missing, reason, out: flags.out });
  }
  if (flags.ask) return askFirst(reply, frozen.file, flags);
  return deliver({ result: { status: "submitted", ...freeze(reply) }, out: flags.out, receipt: null });
}

/** Only *Freeze it* freezes; anything else that people say is for the agent to work in. */
async function askFirst(reply: Reply, detail: string, flags: FreezeFlags): Promise<number> {
  const { askAndWait } = await import("../round.ts");
  const words = briefWords(reply.locale);
  const payload = {
    question: words.mayFreeze,
    options: [words.freezeIt, words.changeIt],
    option_ids: [FREEZE, "change-brief"],
    detail: fitting(detail),
  };
  const conclude = (result: Result): Result => {
    if (result.status !== "submitted") return result;
    if (result.optionId !== FREEZE) return { ...result, decision: "change" };
    return { ...result, decision: "freeze", ...freeze(reply) };
  };
  return askAndWait({ kind: "ask", again: false, flags, payload, conclude });
}

/** What an ask's detail holds. */
const LONGEST = 20_000;

function fitting(detail: string): string {
  if (detail.length <= LONGEST) return detail;
  throw new UsageError(
    `the brief has ${detail.length} characters: people can be shown ${LONGEST}`,
    "Shorten it, or freeze it without --ask.",
  );
}

function freeze({ project, text, locale }: Reply): object {
  const frozen = freezeInto(project, text, { locale });
  if (!frozen.ok) throw new UsageError("the brief is incomplete");
  const { file, sections, archived } = frozen;
  say(`frozen: ${harmless(file)}${archived === null ? "" : ` (the one before: ${archived})`}`);
  return { file, sections, ...(archived === null ? {} : { archived }) };
}
