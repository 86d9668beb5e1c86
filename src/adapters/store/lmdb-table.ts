/** A table of texts in one LMDB file: what Keyv's adapter and the store's backend both stand on. */
import { IF_EXISTS, open, type RootDatabase } from "lmdb";
import { leaveMark, takeMark } from "./closed-mark.ts";
import { checkFile, DataFile } from "./data-file.ts";
import { asStoreError } from "./errors.ts";
import type { RawRecord } from "./lmdb-pages.ts";
import { seal, unseal } from "./sealed.ts";
import type { ConditionalPut } from "./store.ts";
import { WriteQueue } from "./write-queue.ts";

type Database = RootDatabase<Uint8Array, Uint8Array>;

const OPTIONS = {
  encoding: "binary",
  keyEncoding: "binary",
  useVersions: true,
  noSubdir: true,
  // A commit ends with the disk flushed, so a write that is answered is a write that stays.
  overlappingSync: false,
  // The queue makes the batches; lmdb-js's own leave a rejected promise behind that ends the process.
  eventTurnBatching: false,
  permissionsMode: 0o600,
} as const;

const UNVERSIONED = 0;
/** Ends every range of keys; no UTF-8 has this byte. What is kept there is beside the records, not among them. */
const PAST_ALL = Buffer.from([0xff]);

export class LmdbTable {
  readonly #path: string;
  readonly #records: Database;
  readonly #file: DataFile;
  readonly #queue: WriteQueue;

  private constructor(path: string, records: Database, file: DataFile) {
    this.#path = path;
    this.#records = records;
    this.#file = file;
    this.#queue = new WriteQueue({
      makeRoom: (sizes) => file.makeRoom(sizes),
      transact: (act) => records.batch(act),
    });
  }

  /** Opens the file, made 0600, in a folder that is there. Rejects with what the system, LMDB or `checkFile` says. */
  static async open(path: string): Promise<LmdbTable> {
    await checkFile(path);
    await takeMark(path);
    const records = open<Uint8Array, Uint8Array>(path, OPTIONS);
    return new LmdbTable(path, records, await DataFile.open(path));
  }

  /** Throws `damaged` when what is under the key is not what was written. */
  get(key: string): string | undefined {
    const found = this.entry(key);
    return found && unseal(found);
  }

  /** As it is, sound or not; throws `damaged` when a page cannot be read. */
  entry(key: string): RawRecord | undefined {
    return entryOf(this.#records, Buffer.from(key));
  }

  /** Keys that begin with `prefix`, in byte order. */
  keys(prefix: string): string[] {
    const start = Buffer.from(prefix);
    const range = this.#records.getKeys({ start, end: Buffer.concat([start, PAST_ALL]) });
    return Array.from(range, (key) => Buffer.from(key).toString());
  }

  async put(key: string, text: string): Promise<void> {
    const id = Buffer.from(key);
    await this.putRaw({ key: id, version: UNVERSIONED, bytes: seal(text, { id, version: UNVERSIONED }) });
  }

  /** Writes bytes as they are. */
  async putRaw({ key, version, bytes }: RawRecord): Promise<void> {
    await this.#queue.add({
      size: bytes.length,
      act: () => this.#records.put(key, bytes, version),
    });
  }

  /** Resolves to whether the condition held and the record is written. */
  putIf({ key, text, version, expected }: ConditionalPut): Promise<boolean> {
    const id = Buffer.from(key);
    const bytes = seal(text, { id, version });
    const records = this.#records;
    const act = (): Promise<boolean> =>
      expected === 0
        ? records.ifNoExists(id, () => records.put(id, bytes, version))
        : records.put(id, bytes, version, expected);
    return this.#queue.add({ size: bytes.length, act });
  }

  /** Removes `key`, provided that `version` is there, and writes a first version of `into`, both or neither. Resolves to whether. */
  replace(old: { key: string; version: number }, into: string, text: string): Promise<boolean> {
    const records = this.#records;
    const id = Buffer.from(old.key);
    const kept = Buffer.from(into);
    const bytes = seal(text, { id: kept, version: 1 });
    const both = (): void => {
      void records.put(kept, bytes, 1);
      void records.remove(id);
    };
    return this.#queue.add({
      size: bytes.length,
      act: () => records.ifVersion(id, old.version, both),
    });
  }

  /** Resolves to whether there was something. */
  remove(key: string): Promise<boolean> {
    return this.#queue.add({ size: 0, act: () => this.#records.remove(Buffer.from(key), IF_EXISTS) });
  }

  /** What stands in the file about itself. */
  meta(): string | undefined {
    const found = entryOf(this.#records, PAST_ALL);
    return found && unseal(found);
  }

  async setMeta(text: string): Promise<void> {
    const bytes = seal(text, { id: PAST_ALL, version: UNVERSIONED });
    await this.putRaw({ key: PAST_ALL, version: UNVERSIONED, bytes });
  }

  /** Writes what is waiting first. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#records.close();
    await this.#file.close();
    await leaveMark(this.#path);
  }
}

/** A failed read leaves LMDB's snapshot unusable for all that follow, so a new one is taken. */
function entryOf(table: Database, key: Buffer): RawRecord | undefined {
  try {
    const found = table.getEntry(key);
    if (found === undefined) return undefined;
    const { buffer, byteOffset, byteLength } = found.value;
    return { key, version: found.version ?? UNVERSIONED, bytes: Buffer.from(buffer, byteOffset, byteLength) };
  } catch (cause) {
    table.resetReadTxn();
    throw asStoreError(cause, "read the data file");
  }
}
