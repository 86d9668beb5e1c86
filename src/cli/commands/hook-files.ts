/** A change to a file: shown, and made so that the file as it was stays beside it. */
import { copyFileSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../exit.ts";
import { reasonOf } from "../input.ts";
import { harmless } from "../shell.ts";

/** Null: no file. */
export interface Change {
  file: string;
  before: string | null;
  after: string | null;
  /** Whether the file as it was is kept beside it: not for a text that can be had again. */
  keeps: boolean;
}

/** Lines around a change that are shown. */
const AROUND = 2;

/** The change in lines: what is the same at the beginning and end is left out, and a text that can be had again is only named. */
export function diff({ file, before, after, keeps }: Change): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const limit = Math.min(old.length, now.length);
  const start = countSame(limit, (at) => old[at] === now[at]);
  const end = countSame(limit - start, (at) => old[old.length - 1 - at] === now[now.length - 1 - at]);
  const mark = (sign: string, lines: string[]): string[] => lines.map((line) => `${sign} ${harmless(line)}`);
  const what = before === null ? "new" : after === null ? "removed" : "changed";
  if (!keeps) return `${file} (${what}: ${after === null ? old.length : now.length} lines)`;
  return [
    `${file} (${what})`,
    ...mark(" ", old.slice(Math.max(0, start - AROUND), start)),
    ...mark("-", old.slice(start, old.length - end)),
    ...mark("+", now.slice(start, now.length - end)),
    ...mark(" ", old.slice(old.length - end, old.length - end + AROUND)),
  ].join("\n");
}

const linesOf = (text: string | null): string[] => (text === null ? [] : text.replace(/\n$/, "").split("\n"));

function countSame(limit: number, isSame: (at: number) => boolean): number {
  let count = 0;
  while (count < limit && isSame(count)) count += 1;
  return count;
}

/** Makes the change at once or not at all; returns what was done, in words. Throws `UsageError`. */
export function make({ file, before, after, keeps }: Change): string {
  try {
    const kept = before !== null && keeps ? keep(file) : "";
    if (after === null) rmSync(file);
    else write(file, after);
    return `${after === null ? "removed" : "wrote"} ${file}${kept === "" ? "" : `; as it was: ${kept}`}`;
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${reasonOf(error)}`);
  }
}

function keep(file: string): string {
  const copy = `${file}.${new Date().toISOString().replace(/[:.]/g, "-")}.bak`;
  copyFileSync(file, copy);
  return copy;
}

/** A link stays a link: what it leads to is replaced. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const target = targetOf(file);
  const part = `${target}.${process.pid}.part`;
  writeFileSync(part, text, { mode: modeOf(target) });
  renameSync(part, target);
}

/** Of a new file as of one that people write. */
const modeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644;

function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
