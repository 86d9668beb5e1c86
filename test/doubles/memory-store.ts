/** The store in memory: Keyv over a Map, with the semantics of the real one; `test/conformance/store-suite.ts` holds it to that. */
import { asideKey, asideText, asStored, isSound, keyvOver } from "../../src/adapters/store/record.ts";
import {
  type Backend,
  type ConditionalPut,
  KeyvStore,
  type OnDamaged,
} from "../../src/adapters/store/store.ts";
import type { Store } from "../../src/core/ports.ts";

/** `records` is what stays when the store is closed: open another store over it to see what a restart would find. */
export function openMemoryStore(
  options: { records?: Map<string, string>; onDamaged?: OnDamaged } = {},
): Store {
  return new KeyvStore(memoryBackend(options.records ?? new Map()), options.onDamaged ?? (() => {}));
}

function memoryBackend(records: Map<string, string>): Backend {
  return {
    keyv: keyvOver(records),
    putIf: async (put) => putIf(records, put),
    keys: async (prefix) => keysUnder(records, prefix),
    setAside: async (key) => setAside(records, key),
  };
}

function putIf(records: Map<string, string>, { key, text, expected }: ConditionalPut): boolean {
  if (versionOf(records.get(key)) !== expected) return false;
  records.set(key, text);
  return true;
}

function setAside(records: Map<string, string>, key: string): boolean {
  const text = records.get(key);
  if (text === undefined || isSound(text)) return false;
  records.set(asideKey(key), asideText(key, Buffer.from(text)));
  return records.delete(key);
}

/** 0: nothing is there; undefined: no version that anybody could expect. */
function versionOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  return isSound(text) ? asStored(JSON.parse(text).value).version : undefined;
}

function keysUnder(records: Map<string, string>, prefix: string): string[] {
  const keys = [...records.keys()].filter((key) => key.startsWith(prefix));
  return keys.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}
