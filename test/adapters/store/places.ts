/** Places for stores: a temporary folder for LMDB, a Map for the one in memory. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { StorePlace } from "../../conformance/store-bench.ts";
import { openMemoryStore } from "../../doubles/memory-store.ts";

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "askgate-store-"));
}

export async function lmdbPlace(): Promise<StorePlace> {
  const dir = await temporaryFolder();
  return {
    open: (onDamaged) => openStore({ dir, onDamaged }),
    damage: (key) =>
      editFile(join(dir, "store.mdb"), (bytes) => replaceAll(bytes, `"key":"${key}"`, `"key":"?"`)),
    remove: () => rm(dir, { recursive: true }),
  };
}

export async function memoryPlace(): Promise<StorePlace> {
  const records = new Map<string, string>();
  return {
    open: async (onDamaged) => openMemoryStore({ records, onDamaged }),
    damage: async (key) => void records.set(key, "{"),
    remove: async () => records.clear(),
  };
}

/** Changes a file's bytes in place. */
export async function editFile(path: string, edit: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(path);
  edit(bytes);
  await writeFile(path, bytes);
}

/** Overwrites every occurrence; LMDB leaves older copies in its file, too. Throws if there is none. */
export function replaceAll(bytes: Buffer, old: string, by: string): void {
  if (!bytes.includes(old)) throw new Error(`The file does not have ${old}`);
  for (let at = bytes.indexOf(old); at !== -1; at = bytes.indexOf(old, at + old.length)) bytes.write(by, at);
}
