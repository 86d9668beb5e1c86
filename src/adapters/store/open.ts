/** The embedded store: Keyv over LMDB, in a folder of its own. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../../core/ports.ts";
import { asStoreError, StoreError } from "./errors.ts";
import { KeyvLmdb } from "./keyv-lmdb.ts";
import type { RawRecord } from "./lmdb-pages.ts";
import { LmdbTable } from "./lmdb-table.ts";
import { asideKey, asideText, isSound, keyvOver } from "./record.ts";
import { rescue } from "./rescue.ts";
import { unseal } from "./sealed.ts";
import { type Backend, KeyvStore, type OnDamaged } from "./store.ts";

/** What the records look like. It goes up with every change that an older askgate could not read. */
export const STORE_SCHEMA = 1;

/**
 * Opens the store in `dir` (made 0700 if it is not there), as `store.mdb` (0600). Throws `store_newer`, `store_readonly`,
 * `store_full`, `damaged` (the file as a whole; it is left as it is) or `store_failed`. For one process at a time.
 */
export async function openStore(options: { dir: string; onDamaged: OnDamaged }): Promise<Store> {
  const path = join(options.dir, "store.mdb");
  try {
    await mkdir(options.dir, { recursive: true, mode: 0o700 });
    const loss = await rescue(path);
    if (loss !== undefined) options.onDamaged(path, loss);
    const table = await LmdbTable.open(path);
    await agreeOnSchema(table, path);
    return new KeyvStore(backendOf(table), options.onDamaged);
  } catch (cause) {
    throw asStoreError(cause, `open the store ${path}`);
  }
}

function backendOf(table: LmdbTable): Backend {
  return {
    keyv: keyvOver(new KeyvLmdb(table)),
    putIf: (put) => table.putIf(put),
    keys: async (prefix) => table.keys(prefix),
    setAside: (key) => setAside(table, key),
  };
}

async function setAside(table: LmdbTable, key: string): Promise<boolean> {
  const found = table.entry(key);
  if (found === undefined || isReadable(found)) return false;
  return table.replace({ key, version: found.version }, asideKey(key), asideText(key, found.bytes));
}

function isReadable(entry: RawRecord): boolean {
  try {
    return isSound(unseal(entry));
  } catch {
    return false;
  }
}

async function agreeOnSchema(table: LmdbTable, path: string): Promise<void> {
  try {
    const meta = table.meta();
    if (meta === undefined) await table.setMeta(JSON.stringify({ schema: STORE_SCHEMA }));
    else checkSchema(schemaOf(meta), path);
  } catch (error) {
    await table.close();
    throw error;
  }
}

function checkSchema(found: number, path: string): void {
  if (found <= STORE_SCHEMA) return;
  const message = `The store ${path} has schema ${found}; this askgate knows ${STORE_SCHEMA}.`;
  throw new StoreError("store_newer", message, { fields: { found, known: STORE_SCHEMA } });
}

function schemaOf(meta: string): number {
  const parsed: unknown = JSON.parse(meta);
  const schema = typeof parsed === "object" && parsed !== null && "schema" in parsed && parsed.schema;
  if (typeof schema === "number") return schema;
  throw new StoreError("damaged", "The store does not say what schema it has.");
}
