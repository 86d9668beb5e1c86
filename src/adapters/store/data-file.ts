/**
 * Looks after LMDB's data file where lmdb-js (3.5.6) does not. A file that is cut off or none of its own takes the process
 * down (SIGBUS, SIGSEGV) instead of failing, so it is checked before it is opened; a page that finds no disk space overruns
 * a buffer in an error message, so space is claimed before a write.
 */
import { fstatSync } from "node:fs";
import { access, constants, type FileHandle, open, rm } from "node:fs/promises";
import { StoreError } from "./errors.ts";
import { FORMAT, layoutKnown, type Meta, readMeta } from "./lmdb-pages.ts";

/** What a transaction may take beyond its writes: changed tree pages and the list of free ones. */
const OVERHEAD = 256 * 1024;
/** What a write may take beyond its value: its own page and its share of the tree. */
const PAGES_PER_PUT = 4;
/** Claimed in one go, so that few writes have to. */
const STEP = 256 * 1024;

/**
 * What the file says about itself; undefined when there is none yet (and there is space for one). To be called before
 * LMDB opens it: throws what LMDB would crash on, `damaged` and `store_newer`.
 */
export async function checkFile(path: string): Promise<Meta | undefined> {
  await checkLock(`${path}-lock`);
  const handle = await openExisting(path);
  if (handle === undefined) return proveSpace(path);
  try {
    return checkHead(path, handle.fd);
  } finally {
    await handle.close();
  }
}

/** The data file, beside LMDB's own handle on it. */
export class DataFile {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** To be called once LMDB has made or opened the file. */
  static async open(path: string): Promise<DataFile> {
    return new DataFile(await open(path, "r+"));
  }

  /**
   * Makes sure that values of these sizes (0: a removal) find their place on the disk, by filling the file's end with
   * zeros; LMDB takes its new pages from there. Rejects with the system's error (`ENOSPC`, `EDQUOT`, `EFBIG`) when there is no room.
   */
  async makeRoom(sizes: number[]): Promise<void> {
    const meta = layoutKnown() ? readMeta(this.#handle.fd) : undefined;
    if (meta === undefined) return;
    const perPut = PAGES_PER_PUT * meta.pageSize;
    const added = sizes.reduce((sum, size) => sum + (size === 0 ? 0 : size + perPut), 0);
    const needed = usedBytes(meta) + added + OVERHEAD;
    if (this.#size() >= needed + STEP / 2) return;
    try {
      await this.#fill(needed + STEP);
    } catch (error) {
      if (this.#size() < needed) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #fill(to: number): Promise<void> {
    const zeros = Buffer.alloc(STEP);
    let at = this.#size();
    while (at < to) at += (await this.#handle.write(zeros, 0, Math.min(STEP, to - at), at)).bytesWritten;
  }

  #size(): number {
    return fstatSync(this.#handle.fd).size;
  }
}

const usedBytes = (meta: Meta): number => (meta.lastPage + 1) * meta.pageSize;

function checkHead(path: string, file: number): Meta | undefined {
  const { size } = fstatSync(file);
  if (size === 0 || !layoutKnown()) return undefined;
  const meta = readMeta(file);
  if (meta === undefined) throw damagedFile(path, "is not a store");
  if (meta.format > FORMAT) throw new StoreError("store_newer", `The store ${path} is of a newer format.`);
  if (size < usedBytes(meta)) throw damagedFile(path, "is cut off");
  return meta;
}

export function damagedFile(path: string, how: string): StoreError {
  return new StoreError("damaged", `The store ${path} ${how}.`, { fields: { path } });
}

/** LMDB must not be the one to find out that a new file has no place: writes a file of that size, and removes it. */
async function proveSpace(path: string): Promise<undefined> {
  const probe = `${path}-room`;
  const handle = await open(probe, "w", 0o600);
  try {
    await handle.writeFile(Buffer.alloc(OVERHEAD));
  } finally {
    await handle.close();
    await rm(probe, { force: true });
  }
}

/** For reading and writing, as LMDB will. */
const openExisting = (path: string): Promise<FileHandle | undefined> => unlessMissing(open(path, "r+"));

/** Asks without opening it: to close it would end the locks that LMDB holds on it in this process. */
const checkLock = (path: string): Promise<void> =>
  unlessMissing(access(path, constants.R_OK | constants.W_OK));

async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
