/** A table of texts in one LMDB file: what Keyv's adapter and the store's backend both stand on. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { IF_EXISTS, open, type RangeOptions, type RootDatabase } from "lmdb";
import { DataFile } from "./data-file.ts";
import { asStoreError, StoreError } from "./errors.ts";
import type { ConditionalPut, Keys } from "./store.ts";
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

/** What a write may take beyond its value: its own page and its share of the tree. */
const PER_PUT = 16 * 1024;
const CRC_BYTES = 4;
const UNVERSIONED = 0;
/** Ends every range of keys; no UTF-8 has this byte. What is kept there is beside the records, not among them. */
const PAST_ALL = Buffer.from([0xff]);

/** What LMDB has under a key. */
export interface Entry {
  bytes: Buffer;
  version: number;
}

export class LmdbTable {
  readonly #records: Database;
  readonly #file: DataFile;
  readonly #queue: WriteQueue;

  private constructor(records: Database, file: DataFile) {
    this.#records = records;
    this.#file = file;
    this.#queue = new WriteQueue({
      makeRoom: (bytes) => file.makeRoom(bytes),
      transact: (act) => records.batch(act),
    });
  }

  /** Opens the file, made 0600 in a folder made 0700. Rejects with what the system, LMDB or `DataFile.check` says. */
  static async open(path: string): Promise<LmdbTable> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await DataFile.check(path);
    const records = open<Uint8Array, Uint8Array>(path, OPTIONS);
    return new LmdbTable(records, await DataFile.open(path));
  }

  /** Throws `damaged` when what is under the key is not what was written. */
  get(key: string): string | undefined {
    const found = this.entry(key);
    return found && unseal(found);
  }

  /** As it is, sound or not; throws `damaged` when a page cannot be read. */
  entry(key: string): Entry | undefined {
    return entryOf(this.#records, Buffer.from(key));
  }

  /** Keys that begin with `prefix`, in byte order. `damage`: a page cannot be read; the keys on both sides of it are given. */
  keys(prefix: string): Keys {
    const first = Buffer.from(prefix);
    const past = Buffer.concat([first, PAST_ALL]);
    const found = range(this.#records, { start: first, end: past });
    if (found.damage === undefined) return found;
    const rest = range(this.#records, { start: past, end: first, reverse: true, inclusiveEnd: true });
    const known = new Set(found.keys);
    const unknown = rest.keys.reverse().filter((key) => !known.has(key));
    return { keys: [...found.keys, ...unknown], damage: found.damage };
  }

  async put(key: string, text: string): Promise<void> {
    const bytes = seal(text, UNVERSIONED);
    await this.#queue.add({
      bytes: bytes.length + PER_PUT,
      act: () => this.#records.put(Buffer.from(key), bytes, UNVERSIONED),
    });
  }

  /** Resolves to whether the condition held and the record is written. */
  putIf({ key, text, version, expected }: ConditionalPut): Promise<boolean> {
    const id = Buffer.from(key);
    const bytes = seal(text, version);
    const records = this.#records;
    const act = (): Promise<boolean> =>
      expected === 0
        ? records.ifNoExists(id, () => records.put(id, bytes, version))
        : records.put(id, bytes, version, expected);
    return this.#queue.add({ bytes: bytes.length + PER_PUT, act });
  }

  /** Removes `key`, provided that `version` is there, and writes a first version of `into`, both or neither. Resolves to whether. */
  replace(old: { key: string; version: number }, into: string, text: string): Promise<boolean> {
    const records = this.#records;
    const id = Buffer.from(old.key);
    const bytes = seal(text, 1);
    const both = (): void => {
      void records.put(Buffer.from(into), bytes, 1);
      void records.remove(id);
    };
    return this.#queue.add({
      bytes: bytes.length + PER_PUT,
      act: () => records.ifVersion(id, old.version, both),
    });
  }

  /** Resolves to whether there was something. */
  remove(key: string): Promise<boolean> {
    return this.#queue.add({ bytes: 0, act: () => this.#records.remove(Buffer.from(key), IF_EXISTS) });
  }

  /** What stands in the file about itself. */
  meta(): string | undefined {
    const found = entryOf(this.#records, PAST_ALL);
    return found && unseal(found);
  }

  async setMeta(text: string): Promise<void> {
    const bytes = seal(text, UNVERSIONED);
    await this.#queue.add({ bytes: PER_PUT, act: () => this.#records.put(PAST_ALL, bytes, UNVERSIONED) });
  }

  /** Writes what is waiting first. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#records.close();
    await this.#file.close();
  }
}

/** The text that was written. Throws `damaged` if bytes or version are others. */
export function unseal({ bytes, version }: Entry): string {
  const content = bytes.subarray(CRC_BYTES);
  if (bytes.length < CRC_BYTES || bytes.readUInt32LE() !== crc32(content, version)) {
    throw new StoreError("damaged", "Its checksum does not match.");
  }
  return content.toString();
}

/** A checksum over version and text, then the text: LMDB itself notices no changed bytes. */
function seal(text: string, version: number): Buffer {
  const bytes = Buffer.allocUnsafe(CRC_BYTES + Buffer.byteLength(text));
  bytes.write(text, CRC_BYTES);
  bytes.writeUInt32LE(crc32(bytes.subarray(CRC_BYTES), version));
  return bytes;
}

/** A failed read leaves LMDB's snapshot unusable for all that follow, so a new one is taken. */
function entryOf(table: Database, id: Uint8Array): Entry | undefined {
  try {
    const found = table.getEntry(id);
    if (found === undefined) return undefined;
    const { buffer, byteOffset, byteLength } = found.value;
    return { bytes: Buffer.from(buffer, byteOffset, byteLength), version: found.version ?? UNVERSIONED };
  } catch (cause) {
    table.resetReadTxn();
    throw asStoreError(cause, "read the data file");
  }
}

/** Keys up to the first page that cannot be read. */
function range(table: Database, options: RangeOptions): Keys {
  const keys: string[] = [];
  const found = table.getKeys(options)[Symbol.iterator]();
  try {
    for (let next = found.next(); !next.done; next = found.next())
      keys.push(Buffer.from(next.value).toString());
    return { keys, damage: undefined };
  } catch (cause) {
    found.return?.();
    table.resetReadTxn();
    const damage = asStoreError(cause, "list the records");
    if (damage.code !== "damaged") throw damage;
    return { keys, damage };
  }
}
