/**
 * The log of questions and answers in the project: a record for people, in Markdown, that nothing ever reads into a
 * prompt. What somebody wrote is indented line by line, so that it cannot leave its entry.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../core/gate.ts";
import type { Settings } from "./config.ts";
import { reasonOf } from "./input.ts";
import { appendEntries, inline, type Notebook, textLines } from "./notebook.ts";
import { harmless, say } from "./shell.ts";

const HEAD = `# Questions and answers

> Only a record of what was asked and answered, kept by askgate. It never enters a prompt.
`;

/** Where a project's questions and answers are recorded, unless a command says otherwise; null is nowhere. */
export function logFile(project: string, { log }: Pick<Settings, "log">): string | null {
  // A project that is gone is not made again for its log.
  if (log === false || !existsSync(project)) return null;
  return log ?? join(project, ".askgate", "qa.md");
}

/**
 * Appends what a result says of questions: of its own, and of those whose answers came late with it. What stands there is
 * not written again. A log that cannot be written is worth a line on standard error, and no more.
 */
export function logAnswers(result: Result, file: string | null): void {
  const late: Result[] = Array.isArray(result.late) ? result.late : [];
  const entries = [...late, result].filter(isAsked).map(entryOf);
  if (file === null || entries.length === 0) return;
  try {
    appendEntries(notebook(file), entries);
  } catch (error) {
    say(harmless(`askgate: cannot write the log ${file}: ${reasonOf(error)}`));
  }
}

const notebook = (file: string): Notebook => ({ file, head: HEAD, sync: false });

/** A question that was put and has an end. */
const isAsked = ({ mode, status, question, round }: Result): boolean =>
  mode === "ask" && status !== "pending" && typeof question === "string" && typeof round === "string";

const STATUS: Readonly<Record<string, string>> = { submitted: "answered", over_quota: "over quota" };

function entryOf(result: Result): { mark: string; text: string } {
  const { status, round, at, by, byId, where, answer, reason, question } = result;
  const said = STATUS[status] ?? status;
  const who = typeof by === "string" ? ` by ${inline(`${by} (${String(byId)})`)} in ${String(where)}` : "";
  const mark = ` · ${String(round)} · ${said}`;
  const answered = typeof answer === "string" ? answer : reason;
  const lines = [
    `- ${typeof at === "string" ? at : new Date().toISOString().replace(/\.\d+Z$/, "Z")}${mark}${who}`,
    ...item("Q", question),
    ...item("Options", optionsOf(result)),
    ...item("A", answered),
  ];
  return { mark, text: `${lines.join("\n")}\n` };
}

function optionsOf({ options }: Result): string | undefined {
  if (!Array.isArray(options)) return undefined;
  return options.map((label, at) => `${at + 1}. ${inline(String(label))}`).join(" / ");
}

/** "  - **Q** first line", and the further ones below it. */
function item(name: string, text: unknown): string[] {
  if (typeof text !== "string") return [];
  const [first = "", ...more] = textLines(text);
  return [`  - **${name}** ${first}`.trimEnd(), ...more.map((line) => `    ${line}`.trimEnd())];
}
