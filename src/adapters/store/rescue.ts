/** A data file with spoilt pages is replaced by one with all records that are left; the old one is kept. */
import { constants, copyFile, type FileHandle, open, rename, rm } from "node:fs/promises";
import { takeMark } from "./closed-mark.ts";
import { checkFile, damagedFile } from "./data-file.ts";
import { StoreError } from "./errors.ts";
import { countSpoiltPages, type Meta, readRecords } from "./lmdb-pages.ts";
import { LmdbTable } from "./lmdb-table.ts";

/**
 * To be called before the file is opened. Resolves to undefined when it is sound (or not there yet), else to what was
 * done. Throws `damaged` when nothing can be read any more, and as `checkFile` does; the file is then left as it is.
 * A file that was closed well and not touched since is not read through.
 */
export async function rescue(path: string): Promise<StoreError | undefined> {
  const meta = await checkFile(path);
  if (meta === undefined || (await takeMark(path))) return undefined;
  const handle = await open(path);
  try {
    const pages = countSpoiltPages(handle.fd, meta);
    return pages === 0 ? undefined : await replace(path, { handle, meta, pages });
  } finally {
    await handle.close();
  }
}

async function replace(
  path: string,
  old: { handle: FileHandle; meta: Meta; pages: number },
): Promise<StoreError> {
  const next = `${path}-next`;
  await removeStore(next);
  const records = await carryOver(old, next);
  if (records === 0) {
    await removeStore(next);
    throw damagedFile(path, "cannot be read any more");
  }
  const kept = await keep(path);
  await rename(next, path);
  await removeStore(next);
  const message = `${old.pages} pages of the store ${path} could not be read. ${records} entries are left; the old file is kept as ${kept}.`;
  return new StoreError("damaged", message, { fields: { path, pages: old.pages, records, kept } });
}

/** Resolves to how many entries there were. */
async function carryOver(
  { handle, meta }: { handle: FileHandle; meta: Meta },
  next: string,
): Promise<number> {
  const table = await LmdbTable.open(next);
  try {
    let count = 0;
    for (const records of inGroups(readRecords(handle.fd, meta))) {
      await Promise.all(records.map((record) => table.putRaw(record)));
      count += records.length;
    }
    return count;
  } finally {
    await table.close();
  }
}

/** Copies the file beside itself, under a name that is free, and resolves to that. */
async function keep(path: string, number = 1): Promise<string> {
  const kept = `${path}.damaged-${number}`;
  try {
    await copyFile(path, kept, constants.COPYFILE_EXCL);
    return kept;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return keep(path, number + 1);
    throw error;
  }
}

async function removeStore(path: string): Promise<void> {
  for (const file of [path, `${path}-lock`, `${path}-closed`]) await rm(file, { force: true });
}

/** As many at a time as go into one transaction well. */
function* inGroups<Item>(items: Iterable<Item>, size = 100): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    if (group.push(item) < size) continue;
    yield group;
    group = [];
  }
  yield group;
}
