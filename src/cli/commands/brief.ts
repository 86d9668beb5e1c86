/** `brief check`, `show`, `prompt`, `new`: the four sections that a task stands on. */
import { type Brief, languageOf, parseBrief, parseFrozen } from "../../core/brief.ts";
import { amendmentsPrompt, briefPrompt, briefWords } from "../../core/brief-file.ts";
import type { SectionKey } from "../../core/brief-labels.ts";
import type { Known } from "../brief-answers.ts";
import {
  archives,
  archiveTask,
  BRIEF,
  type ProjectBrief,
  readAmendments,
  readBrief,
} from "../brief-files.ts";
import { loadSettings } from "../config.ts";
import { USAGE } from "../exit.ts";
import { readText } from "../input.ts";
import { findProject } from "../project.ts";
import { deliver } from "../result.ts";
import { harmless, print, say, toText } from "../shell.ts";

export interface CheckFlags {
  alwaysAsk?: true;
  locale?: string;
  out?: string;
}

/** Is it complete? Without a file: the project's brief. */
export async function briefCheck(file: string | undefined, flags: CheckFlags): Promise<number> {
  const project = findProject(process.cwd());
  const { text, brief, name } = file === undefined ? standing(project) : await given(file);
  const locale = localeOf(project, text, flags.locale);
  if (brief.missing.length > 0 || flags.alwaysAsk)
    return incomplete({ project, missing: brief.missing, locale, ...reasonFor(brief, name), out: flags.out });
  for (const key of parseFrozen(text).missing)
    say(`${briefWords(locale)[key]} holds only a placeholder: \`askgate brief freeze\` will not take it`);
  say(`${harmless(name)} is complete`);
  return deliver({ result: { status: "valid", file: name, missing: [] }, out: flags.out, receipt: null });
}

interface Checked {
  text: string;
  brief: Brief;
  name: string;
}

function standing(project: string): Checked & { brief: ProjectBrief } {
  const brief = readBrief(project);
  return { text: brief.text, brief, name: BRIEF };
}

async function given(file: string): Promise<Checked> {
  const text = await readText(file, NO_BRIEF);
  return { text, brief: parseBrief(text), name: file === "-" ? "standard input" : file };
}

export const NO_BRIEF: [string, string] = [
  "no brief",
  "Name a file, or pipe it in:  askgate brief freeze < reply.md",
];

/** The language to name sections in: the one asked for, else that of the text, else the configured one. */
export const localeOf = (project: string, text: string, said: string | undefined): string =>
  said ?? languageOf(text) ?? loadSettings(project, process.env).locale ?? "en";

function reasonFor(brief: Brief, name: string): { reason: string } {
  if ("stands" in brief && brief.stands === false) return { reason: `there is no brief yet: ${name}` };
  if (brief.missing.length > 0) return { reason: `the brief has sections without text: ${name}` };
  return { reason: "complete, but people want to be asked anew (--always-ask)" };
}

export interface Incomplete {
  project: string;
  missing: SectionKey[];
  locale: string;
  reason: string;
  out: string | undefined;
}

/** What is missing, and what was answered already, so that a resumed agent goes on and repeats nothing. */
export async function incomplete({ project, missing, locale, reason, out }: Incomplete): Promise<number> {
  const names = missing.map((key) => briefWords(locale)[key]);
  const { knownAnswers } = await import("../brief-answers.ts");
  const known = await knownAnswers(project);
  say(`${harmless(reason)}${names.length === 0 ? "" : `\nmissing: ${names.join(", ")}`}`);
  for (const line of tellKnown(known)) say(harmless(line));
  const { unknown, ...answers } = known;
  const note = unknown === null ? {} : { note: unknown };
  const result = { status: "invalid", reason, missing: names, missingKeys: missing, ...answers, ...note };
  return deliver({ result, out, receipt: null });
}

function tellKnown({ answered, unanswered, unknown }: Known): string[] {
  if (unknown !== null) return [unknown];
  const given = answered.map(
    ({ question, answer, by }) => `  ${question} → ${answer} (${by ?? "by default"})`,
  );
  const open = unanswered.map(({ question, status }) => `  ${question} → no answer (${status})`);
  return given.length + open.length === 0
    ? ["nothing was asked in this project yet"]
    : ["asked already, do not ask it again:", ...given, ...open];
}

export async function briefShow(flags: { json?: true }): Promise<number> {
  const project = findProject(process.cwd());
  const brief = readBrief(project);
  const amendments = readAmendments(project);
  const { sections, text } = brief;
  const status = brief.missing.length === 0 ? "valid" : "invalid";
  const data = { status, file: BRIEF, sections, missing: named(project, brief), amendments };
  if (flags.json || !process.stdout.isTTY) await print(toText({ ...data, archive: archives(project) }));
  else await print(visible([text, amendments].filter((part) => part !== "").join("\n")));
  return brief.missing.length === 0 ? 0 : lacking(project, brief);
}

const named = (project: string, { missing, text }: ProjectBrief): string[] =>
  missing.map((key) => briefWords(localeOf(project, text, undefined))[key]);

/** The sections and amendments as they go into a prompt; never the questions and answers. */
export async function briefPrint(flags: { locale?: string }): Promise<number> {
  const project = findProject(process.cwd());
  const brief = readBrief(project);
  const locale = localeOf(project, brief.text, flags.locale);
  const amendments = brief.stands ? amendmentsPrompt(readAmendments(project), locale) : "";
  const parts = [briefPrompt(brief.sections, locale), amendments].filter((part) => part !== "");
  if (parts.length > 0) await print(`${parts.join("\n\n")}\n`);
  return brief.missing.length === 0 ? 0 : lacking(project, brief);
}

function lacking(project: string, brief: ProjectBrief): number {
  const names = named(project, brief).join(", ");
  say(
    brief.stands
      ? `the brief is incomplete, missing: ${names}`
      : `there is no brief yet: ${BRIEF}\nFreeze one:  askgate brief freeze < reply.md`,
  );
  return USAGE;
}

/** What belongs to the last task goes into the archive. */
export async function briefNew(): Promise<number> {
  const archived = archiveTask(findProject(process.cwd()));
  say(
    archived === null
      ? "there is no brief here: nothing was moved"
      : `moved into ${archived.folder}: ${archived.moved.join(", ")}`,
  );
  await print(
    toText({ status: "submitted", archived: archived?.folder ?? null, moved: archived?.moved ?? [] }),
  );
  return 0;
}

/** Lines for a terminal, without what steers it. */
const visible = (text: string): string => text.split("\n").map(harmless).join("\n");
