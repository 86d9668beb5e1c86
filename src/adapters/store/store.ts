/**
 * The store port over Keyv. Keyv reads and removes; what it has no words for — a write on a condition, the keys under a
 * prefix in order, damaged bytes — is the backend's.
 */
import type { Keyv } from "keyv";
import type { Store, Stored, StoredEntry } from "../../core/ports.ts";
import { asStoreError, StoreError } from "./errors.ts";
import { asideKey, asStored, checkKey, envelope } from "./record.ts";

/** A record to write, provided that `expected` is the version there (0: nothing is there). */
export interface ConditionalPut {
  key: string;
  /** Keyv's envelope, serialized. */
  text: string;
  version: number;
  expected: number;
}

/** What a database adds to its Keyv adapter to become a store. */
export interface Backend {
  /** Made with `keyvOver`. */
  keyv: Keyv;
  /** Resolves once the write is on disk; to false, and nothing is changed, when the condition does not hold. */
  putIf(put: ConditionalPut): Promise<boolean>;
  /** Keys that begin with `prefix`, in the order of their UTF-8 bytes. */
  keys(prefix: string): Promise<string[]>;
  /**
   * Moves a record that cannot be read to `asideKey`, as `asideText`. Resolves to whether it did: a sound one, and one that
   * changed meanwhile, stays.
   */
  setAside(key: string): Promise<boolean>;
}

/** Called for each record that a listing passes over, and at opening, with the file's path, when records were lost with it. */
export type OnDamaged = (key: string, error: StoreError) => void;

export class KeyvStore implements Store {
  readonly #backend: Backend;
  readonly #onDamaged: OnDamaged;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(backend: Backend, onDamaged: OnDamaged) {
    this.#backend = backend;
    this.#onDamaged = onDamaged;
  }

  async load(key: string): Promise<Stored | undefined> {
    const { keyv } = this.#open(key);
    try {
      const found = await keyv.get<unknown>(key);
      return found === undefined ? undefined : asStored(found);
    } catch (cause) {
      const error = asStoreError(cause, `read ${key}`);
      throw error.code === "damaged" ? await this.#setAside(key, error) : error;
    }
  }

  async save(key: string, value: unknown, expected: number): Promise<number> {
    const version = expected + 1;
    const saved = await this.#doing(`save ${key}`, put(this.#open(key), { key, version, expected }, value));
    if (saved) return version;
    throw new StoreError("conflict", `Another change of ${key} came first.`, { fields: { key, expected } });
  }

  async remove(key: string): Promise<void> {
    await this.#doing(`remove ${key}`, this.#open(key).keyv.delete(key));
  }

  async *list(prefix: string): AsyncIterable<StoredEntry> {
    const keys = await this.#doing(`list ${prefix}`, this.#open().keys(prefix));
    for (const key of keys) {
      const found = await this.#loadOrReport(key);
      if (found !== undefined) yield { key, ...found };
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#running);
    await this.#doing("close the store", this.#backend.keyv.disconnect());
  }

  #open(key?: string): Backend {
    if (this.#closed) throw new StoreError("store_failed", "The store is closed.");
    if (key !== undefined) checkKey(key);
    return this.#backend;
  }

  async #doing<T>(what: string, work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } catch (cause) {
      throw isMistake(cause) ? cause : asStoreError(cause, what);
    } finally {
      this.#running.delete(work);
    }
  }

  async #loadOrReport(key: string): Promise<Stored | undefined> {
    try {
      return await this.load(key);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
      this.#onDamaged(key, error);
      return undefined;
    }
  }

  /** The error to throw: it says whether the bytes could be kept, which a full or broken disk prevents. */
  async #setAside(key: string, cause: StoreError): Promise<StoreError> {
    const kept = await this.#backend.setAside(key).catch(() => false);
    const where = kept ? `its bytes are kept under ${asideKey(key)}` : "it stays where it is";
    return new StoreError("damaged", `The record ${key} is damaged; ${where}. ${cause.message}`, {
      fields: { key, setAside: kept },
      cause,
    });
  }
}

async function put(backend: Backend, place: Omit<ConditionalPut, "text">, value: unknown): Promise<boolean> {
  const text = await envelope(backend.keyv, { version: place.version, value });
  return backend.putIf({ ...place, text });
}

/** The caller's: a value that is no JSON, or one too deep for it. */
const isMistake = (cause: unknown): boolean => cause instanceof TypeError || cause instanceof RangeError;
