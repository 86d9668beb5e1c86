/**
 * Files that are never overwritten: what stands where one is put is moved into `archive/<time>/` beside it first. Written
 * whole or not at all, and on the disk when it is said to be.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { AskgateError } from "../core/error.ts";
import { UsageError } from "./exit.ts";
import { reasonOf } from "./input.ts";

/** How a folder of the archive begins: its time, in UTC. */
export const STAMP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/;

/** Puts a text there, whole or not at all. Returns where what stood there went, null if nothing else did. */
export function place(file: string, text: string): string | null {
  const folder = dirname(file);
  if (stands(file) && readBytes(file).equals(Buffer.from(text))) return null;
  return written(file, () => {
    mkdirSync(folder, { recursive: true });
    const draft = join(folder, `.draft-${process.pid}-${Date.now()}`);
    try {
      writeFileSync(draft, text, { flag: "wx", flush: true });
      return settle(draft, file);
    } finally {
      rmSync(draft, { force: true });
      syncFolder(folder);
    }
  });
}

/** Another command may put a file there meanwhile: that goes into the archive, too. */
function settle(draft: string, file: string): string | null {
  let archived: string | null = null;
  for (;;) {
    if (stands(file)) archived = moveAll([file])?.folder ?? archived;
    try {
      linkNew(draft, file);
      return archived && join(archived, basename(file));
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Not every disk knows links. */
function linkNew(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(error))) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}

/** Moves files of one folder into its archive; null where none was there any more. Paths are whole. */
export const moveAway = (files: [string, ...string[]]): Moved | null =>
  written(dirname(files[0]), () => moveAll(files));

export interface Moved {
  folder: string;
  moved: string[];
}

/** Throws where something else than a file stands: what is behind a link is not the project's. */
export function stands(file: string): boolean {
  const found = attempt(`cannot read ${file}`, () => lstatSync(file, { throwIfNoEntry: false }));
  if (found === undefined) return false;
  if (found.isFile()) return true;
  const what = found.isSymbolicLink() ? "a symbolic link" : found.isDirectory() ? "a folder" : "no file";
  throw new UsageError(
    `${file} is ${what}: expected a file of the project's own`,
    "Move it away, then go on.",
  );
}

/** Throws `UsageError`. */
export const readBytes = (file: string): Buffer => attempt(`cannot read ${file}`, () => readFileSync(file));

function attempt<T>(what: string, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw new UsageError(`${what}: ${reasonOf(error)}`);
  }
}

/** Moves files into a new folder of the archive; null when somebody else was faster. */
function moveAll(files: [string, ...string[]]): Moved | null {
  const folder = newArchive(dirname(files[0]));
  const moved = files.filter((file) => move(file, join(folder, basename(file))));
  if (moved.length === 0) {
    rmdirSync(folder);
    return null;
  }
  syncFolder(folder);
  return { folder, moved };
}

function move(file: string, target: string): boolean {
  try {
    renameSync(file, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

function newArchive(folder: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  mkdirSync(join(folder, "archive"), { recursive: true });
  for (let number = 1; ; number += 1) {
    const path = join(folder, "archive", number === 1 ? `${stamp}Z` : `${stamp}Z-${number}`);
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

function written<T>(place: string, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new AskgateError("store_failed", `cannot write ${place}: ${reasonOf(error)}`, {
      help: "Nothing is lost: what stood there still does, or stands in the newest folder of the archive.",
      cause: error,
    });
  }
}

function syncFolder(folder: string): void {
  if (process.platform === "win32" || !existsSync(folder)) return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
