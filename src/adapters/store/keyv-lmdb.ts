/**
 * LMDB as a Keyv 5 storage adapter: texts under keys, with namespaces (`<namespace>:<key>`, which Keyv itself prepends).
 * Keyv takes adapters untyped, and its own adapter type promises values of a type that only the caller knows; hence no
 * `implements`.
 */
import type { LmdbTable } from "./lmdb-table.ts";

export class KeyvLmdb {
  /** Set by Keyv; `clear` and `iterator` keep to it. */
  namespace: string | undefined = undefined;
  /** Keyv 5 gives an iterator only to dialects that it has a list of; the nearest to an embedded file is this one. */
  readonly opts: Record<string, unknown> = { dialect: "sqlite" };
  readonly #table: LmdbTable;

  constructor(table: LmdbTable) {
    this.#table = table;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#table.get(key);
  }

  async getMany(keys: string[]): Promise<(string | undefined)[]> {
    return keys.map((key) => this.#table.get(key));
  }

  /** Resolves once the text is on disk. Expiry is in the text, and Keyv's. */
  async set(key: string, text: string): Promise<void> {
    await this.#table.put(key, text);
  }

  /** Resolves to whether there was something. */
  delete(key: string): Promise<boolean> {
    return this.#table.remove(key);
  }

  /** Resolves to whether there was something under any of the keys. */
  async deleteMany(keys: string[]): Promise<boolean> {
    const removed = await Promise.all(keys.map((key) => this.#table.remove(key)));
    return removed.includes(true);
  }

  async has(key: string): Promise<boolean> {
    return this.#table.get(key) !== undefined;
  }

  async clear(): Promise<void> {
    await this.deleteMany(this.#table.keys(inNamespace(this.namespace)));
  }

  async *iterator(namespace?: string): AsyncGenerator<[string, string], void> {
    for (const key of this.#table.keys(inNamespace(namespace))) {
      const text = this.#table.get(key);
      if (text !== undefined) yield [key, text];
    }
  }

  async disconnect(): Promise<void> {
    await this.#table.close();
  }
}

const inNamespace = (namespace: string | undefined): string =>
  namespace === undefined ? "" : `${namespace}:`;
