/**
 * The brief and what belongs to it in the project. The file is the truth, read anew each time; what stands there is never
 * overwritten: it is moved into the archive first.
 */
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { type Brief, languageOf, type Sections } from "../core/brief.ts";
import { freezeBrief, loadBrief } from "../core/brief-file.ts";
import { SECTIONS, type SectionKey } from "../core/brief-labels.ts";
import { moveAway, place, readBytes, STAMP, stands } from "./archive.ts";
import { UsageError } from "./exit.ts";

const FOLDER = ".askgate";

/** Named from the project. */
export const BRIEF = ".askgate/brief.md";

export const briefFile = (project: string): string => join(project, FOLDER, "brief.md");

/** The id of the answer that freezes a brief, where people are asked. */
export const FREEZE = "freeze-brief";

/** What a task leaves in the project: the brief, what people wrote since, and the questions and answers. */
const LEFT = ["brief.md", "amendments.md", "qa.md"];

export interface ProjectBrief extends Brief {
  text: string;
  /** Is there a file? */
  stands: boolean;
}

/** The project's brief; all is missing where there is none. Throws `UsageError` for one that cannot be read. */
export function readBrief(project: string): ProjectBrief {
  const text = readOwn(briefFile(project));
  const loaded = loadBrief(text);
  if (text === null || loaded.state !== "loaded") {
    const sections = { goal: "", accept: "", bounds: "", unknowns: "" };
    return { text: "", stands: false, sections, missing: [...SECTIONS] };
  }
  const { sections, missing } = loaded;
  return { text, stands: true, sections, missing };
}

/** What people wrote since the brief was frozen; "" if they wrote nothing. Throws `UsageError`. */
export const readAmendments = (project: string): string =>
  readOwn(join(project, FOLDER, "amendments.md")) ?? "";

export type Freezing =
  | { ok: true; file: string; sections: Sections; archived: string | null }
  | { ok: false; missing: SectionKey[] };

/**
 * Writes a complete reply as the project's brief, in the language of `locale`, else of its headings, else of `otherwise`.
 * Paths are named from the project. An incomplete reply changes nothing.
 */
export function freezeInto(
  project: string,
  reply: string,
  { locale, otherwise }: { locale: string | undefined; otherwise?: string | undefined },
): Freezing {
  const frozen = freezeBrief(reply, locale ?? languageOf(reply) ?? otherwise ?? "en");
  if (!frozen.ok) return frozen;
  const file = briefFile(project);
  const archived = place(file, frozen.file);
  const named = archived === null ? null : relative(project, archived);
  return { ok: true, file: BRIEF, sections: frozen.sections, archived: named };
}

/** Moves all that a task left into the archive; null where it left nothing. Paths are named from the project. */
export function archiveTask(project: string): { folder: string; moved: string[] } | null {
  const folder = join(project, FOLDER);
  const [first, ...rest] = LEFT.map((name) => join(folder, name)).filter(stands);
  const archive = first === undefined ? null : moveAway([first, ...rest]);
  if (archive === null) return null;
  return {
    folder: relative(project, archive.folder),
    moved: archive.moved.map((file) => relative(project, file)),
  };
}

/** The archive's folders, oldest first. */
export function archives(project: string): string[] {
  const folder = join(project, FOLDER, "archive");
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => STAMP.test(name))
        .toSorted()
    : [];
}

/** When the newest of the archive's folders was made, in epoch milliseconds; 0 where there is none. */
export function lastArchived(project: string): number {
  const stamp = STAMP.exec(archives(project).at(-1) ?? "")?.[0];
  return stamp === undefined ? 0 : Date.parse(stamp.replace(/(\d\d)-(\d\d)-(\d\d)Z$/, "$1:$2:$3Z"));
}

/** The text of a file of ours; null where there is none. */
function readOwn(file: string): string | null {
  if (!stands(file)) return null;
  const bytes = readBytes(file);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes))
    throw new UsageError(`${file} is not UTF-8 text`, "Save it as UTF-8, or archive it:  askgate brief new");
  return text;
}
