/**
 * Looks after LMDB's data file where lmdb-js (3.5.6) does not. LMDB maps the file into memory, so a file that is cut off
 * or is none of its own takes the process down (SIGBUS, SIGSEGV) instead of failing; and a page that finds no disk space
 * overruns a buffer in its error message. So the file is checked before it is opened, and space is claimed before a write.
 */
import { fstatSync, readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { StoreError } from "./errors.ts";

/** What a transaction may take beyond the values: changed tree pages and the list of free ones. */
const OVERHEAD = 256 * 1024;
/** Claimed in one go, so that few writes have to. */
const STEP = 256 * 1024;

/** LMDB's own description of its file: the newer of the two meta pages. */
interface Meta {
  format: number;
  pageSize: number;
  lastPage: number;
  transaction: bigint;
}

/** The data file, beside LMDB's own handle on it. */
export class DataFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** To be called before LMDB opens the file: throws what LMDB would crash on. Makes no file; LMDB does. */
  static async check(path: string): Promise<void> {
    const handle = await openExisting(path);
    if (handle === undefined) return proveSpace(path);
    try {
      await new DataFile(path, handle).#check();
    } finally {
      await handle.close();
    }
  }

  /** To be called once LMDB has made or opened the file. */
  static async open(path: string): Promise<DataFile> {
    return new DataFile(path, await open(path, "r+"));
  }

  /**
   * Makes sure that a write of so many bytes finds its place on the disk, by filling the file's end with zeros; LMDB takes
   * its new pages from there. Rejects with the system's error (`ENOSPC`, `EDQUOT`, `EFBIG`) when there is no room.
   */
  async makeRoom(bytes: number): Promise<void> {
    const meta = newestMeta(this.#handle.fd);
    if (meta === undefined) return;
    const needed = (meta.lastPage + 1) * meta.pageSize + bytes + OVERHEAD;
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

  async #check(): Promise<void> {
    const size = this.#size();
    if (size === 0 || !layoutKnown()) return;
    const meta = newestMeta(this.#handle.fd);
    if (meta === undefined) throw this.#damaged("is not a store");
    if (meta.format > FORMAT)
      throw new StoreError("store_newer", `The store ${this.#path} is of a newer format.`);
    if (size < (meta.lastPage + 1) * meta.pageSize) throw this.#damaged("is cut off");
  }

  async #fill(to: number): Promise<void> {
    const zeros = Buffer.alloc(STEP);
    let at = this.#size();
    while (at < to) at += (await this.#handle.write(zeros, 0, Math.min(STEP, to - at), at)).bytesWritten;
  }

  #size(): number {
    return fstatSync(this.#handle.fd).size;
  }

  #damaged(how: string): StoreError {
    return new StoreError("damaged", `The store ${this.#path} ${how}.`, { fields: { path: this.#path } });
  }
}

/** LMDB must not be the one to find out that a new file has no place: writes a file of that size, and removes it. */
async function proveSpace(path: string): Promise<void> {
  const probe = `${path}-room`;
  const handle = await open(probe, "w", 0o600);
  try {
    await handle.writeFile(Buffer.alloc(OVERHEAD));
  } finally {
    await handle.close();
    await rm(probe, { force: true });
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r+");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const MAGIC = 0xbeefc0de;
/** `MDB_DATA_VERSION` of the LMDB that lmdb-js brings. */
const FORMAT = 2;

/** Where `MDB_page` and `MDB_meta` (mdb.c) have their fields, on the machines that askgate is tested on. */
const AT = { magic: 24, format: 28, pageSize: 48, lastPage: 144, transaction: 152 };
const META_BYTES = 168;

const layoutKnown = (): boolean => process.arch === "x64" || process.arch === "arm64";

/** Undefined unless both meta pages are there. */
function newestMeta(file: number): Meta | undefined {
  const first = layoutKnown() ? metaAt(file, 0) : undefined;
  const second = first && metaAt(file, first.pageSize);
  if (first === undefined || second === undefined) return undefined;
  return first.transaction > second.transaction ? first : second;
}

function metaAt(file: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  const read = readSync(file, bytes, 0, META_BYTES, position);
  if (read < META_BYTES || bytes.readUInt32LE(AT.magic) !== MAGIC) return undefined;
  return {
    format: bytes.readUInt16LE(AT.format),
    pageSize: bytes.readUInt32LE(AT.pageSize),
    lastPage: Number(bytes.readBigUInt64LE(AT.lastPage)),
    transaction: bytes.readBigUInt64LE(AT.transaction),
  };
}
