/** `inbox`: what people wrote to the agent while it works, each message once, and saved beside the brief. */
import { connect } from "../../adapters/link/client.ts";
import type { Inbox, Letter, Result } from "../../core/gate.ts";
import { withAdvice } from "../advice.ts";
import { type Saved, saveAmendments } from "../amendments.ts";
import { INTERNAL } from "../exit.ts";
import { logAnswers, logFile } from "../qa-log.ts";
import { projectOf, readSetting, type Setting, selectorOf } from "../request.ts";
import { handOver } from "../result.ts";
import { harmless, say, toText } from "../shell.ts";
import { closingLine } from "../talk.ts";

export interface InboxFlags {
  peek?: true;
  json?: true;
  session?: string;
}

/** What an agent gets of its inbox. `amendments` is null where there was nothing to save. */
export interface Opened {
  session: string | null;
  messages: Letter[];
  late: Result[];
  amendments: Saved | null;
}

export async function inbox(flags: InboxFlags): Promise<number> {
  // No chat is meant: this needs no tokens.
  const setting = readSetting(process.cwd(), process.env, { via: ["web"] });
  const gate = await connect();
  try {
    const there = await gate.inbox(selectorOf(setting, flags.session));
    const project = there.session === null ? setting.project : await projectOf(gate, there.session);
    const opened = openInbox(there, { ...setting, project }, flags.peek === true);
    const asData = flags.json || !process.stdout.isTTY;
    const { session, carries } = there;
    const receipt = flags.peek || session === null ? null : { gate, session, carries };
    const printed = await handOver(asData ? toText(opened) : `${describe(opened).join("\n")}\n`, receipt);
    for (const line of remarks(opened, flags)) say(line);
    return printed ? 0 : INTERNAL;
  } finally {
    gate.close();
  }
}

/** Saves the messages and logs the late answers, unless somebody only has a look. */
export function openInbox({ session, messages, late }: Inbox, setting: Setting, peek: boolean): Opened {
  const advised = late.map((result) => withAdvice(result, setting.settings));
  const kept = !peek && session !== null && messages.length > 0;
  if (!peek) for (const result of advised) logAnswers(result, logFile(setting.project, setting.settings));
  const amendments = kept ? saveAmendments(setting.project, session, messages) : null;
  return { session, messages, late: advised, amendments };
}

/** What stands beside the messages, for whoever reads standard error. */
function remarks({ session, messages, late, amendments }: Opened, { peek }: InboxFlags): string[] {
  if (session === null) return ["no session is open here"];
  if (messages.length + late.length === 0) return ["nothing new"];
  if (peek) return ["only looked at: they come again"];
  if (amendments === null) return [];
  const { saved, file, reason = "" } = amendments;
  return [
    saved ? `saved in ${file}` : harmless(`askgate: NOT saved in ${file} (${reason}): keep them yourself`),
  ];
}

function describe({ messages, late }: Opened): string[] {
  const letters = messages.map(describeLetter);
  return [
    ...letters.flatMap(([first = "", ...more], at) => [`${at + 1}. ${first}`, ...more]),
    ...late.flatMap(describeLate),
  ].map(harmless);
}

function describeLate(result: Result): string[] {
  const { question, title, round, answer, reason } = result;
  const about = [question, title, round].find((name) => typeof name === "string");
  const words = [answer, reason].find((text) => typeof text === "string");
  const said = typeof words === "string" ? words.split("\n") : [];
  const how = closingLine(
    { state: "settled", result, by: typeof result.by === "string" ? result.by : "" },
    "",
  );
  return [`late  ${String(about)}: ${how}`, ...said.map((line) => `   ${line}`)];
}

function describeLetter({ text, by, where, at, files = [] }: Letter): string[] {
  const attached = files.map(({ name, url }) => `file ${name} ${url}`);
  const lines = [...(text === "" ? [] : text.split("\n")), ...attached];
  return [`${by} in ${where}, ${at}`, ...lines.map((line) => `   ${line}`)];
}
