/**
 * What people wrote to the agent while it worked, kept beside the brief: a file of its own, which no freeze overwrites.
 * Their words are quoted line by line, so that they can be no heading, fence or section.
 */
import { join, relative } from "node:path";
import type { Letter } from "../core/gate.ts";
import { reasonOf } from "./input.ts";
import { appendEntries, type Entry, inline, textLines } from "./notebook.ts";

const HEAD = `# Amendments

> What people wrote to the agent while it worked, kept by askgate. Later words count over earlier ones and over the brief.
`;

export const amendmentsFile = (project: string): string => join(project, ".askgate", "amendments.md");

/** `saved` is true only when everything is on the disk. `file` is named from the project. */
export interface Saved {
  saved: boolean;
  file: string;
  /** Why not. */
  reason?: string;
}

/** Appends the messages that do not stand there yet. Never throws. */
export function saveAmendments(project: string, session: string, letters: Letter[]): Saved {
  const file = amendmentsFile(project);
  const named = { file: relative(project, file) };
  try {
    const entries = letters.map((letter) => entryOf(session, letter));
    appendEntries({ file, head: HEAD, sync: true }, entries);
    return { saved: true, ...named };
  } catch (error) {
    return { saved: false, ...named, reason: reasonOf(error) };
  }
}

function entryOf(session: string, { id, text, by, byId, where, at, files = [] }: Letter): Entry {
  const mark = ` · ${session}/${id} ·`;
  const lines = [...(text === "" ? [] : textLines(text)), ...files.map(fileLine)];
  const quoted = lines.map((line) => `> ${line}`.trimEnd()).join("\n");
  return { mark, text: `## ${at}${mark} ${inline(`${by} (${byId})`)} in ${where}\n\n${quoted}\n\n` };
}

const fileLine = ({ name, type, url }: NonNullable<Letter["files"]>[number]): string =>
  inline(`file: ${name} (${type}) ${url}`);
