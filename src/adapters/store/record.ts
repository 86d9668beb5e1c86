/** How a record stands in a backend: Keyv's envelope as JSON, the version inside it beside the value. */
import { type DeserializedData, Keyv, type KeyvOptions } from "keyv";
import type { Stored } from "../../core/ports.ts";
import { StoreError } from "./errors.ts";

/** Leaves room for `damaged/` in front; LMDB's own limit is 1,978. */
const MAX_KEY_BYTES = 1_000;

const DROPPED_BY_JSON = new Set(["undefined", "function", "symbol"]);

/**
 * Keyv as the store needs it: failures are thrown (otherwise Keyv answers a failing disk with "no such record") and keys
 * stay as they are (its prefixing lets `keyv:a` and `a` collide). Plain JSON, because Keyv's own serializer visits every
 * node to support buffers, which records have none of.
 */
export function keyvOver(store: KeyvOptions["store"]): Keyv {
  return new Keyv({
    store,
    useKeyPrefix: false,
    throwOnErrors: true,
    serialize: JSON.stringify,
    deserialize: parseEnvelope,
  });
}

/** The text to write. A value that JSON cannot carry (undefined, a function, a cycle, a bigint) is a TypeError. */
export async function envelope(keyv: Keyv, record: Stored): Promise<string> {
  const text = await keyv.serializeData({ value: record });
  if (typeof text !== "string" || DROPPED_BY_JSON.has(typeof record.value)) {
    throw new TypeError(`A record must be a JSON value, not ${typeof record.value}.`);
  }
  return text;
}

/** What Keyv read, as a record. Throws `damaged` when it is none. */
export function asStored(found: unknown): Stored {
  if (typeof found === "object" && found !== null && "version" in found && "value" in found) {
    const { version, value } = found;
    if (typeof version === "number" && Number.isSafeInteger(version) && version > 0)
      return { version, value };
  }
  throw new StoreError("damaged", "The record has no version or no value.");
}

/** Whether `load` would accept this text. */
export function isSound(text: string): boolean {
  try {
    asStored(parseEnvelope(text).value);
    return true;
  } catch {
    return false;
  }
}

/** The key under which a damaged record is kept. */
export const asideKey = (key: string): string => `damaged/${key}`;

/** How it is kept there: a first version of `{key, bytes}`, the bytes in base64. */
export const asideText = (key: string, bytes: Buffer): string =>
  JSON.stringify({ value: { version: 1, value: { key, bytes: bytes.toString("base64") } } });

/** A key is 1 to 1,000 bytes of proper UTF-8; anything else is the caller's mistake. */
export function checkKey(key: string): void {
  const bytes = Buffer.from(key);
  if (bytes.length === 0 || bytes.length > MAX_KEY_BYTES || bytes.toString() !== key) {
    throw new RangeError(`A key has 1 to ${MAX_KEY_BYTES} bytes of proper UTF-8: ${JSON.stringify(key)}`);
  }
}

/** What Keyv is to find in a text. It would take `null` for "no record". */
function parseEnvelope<Value>(text: string): DeserializedData<Value> {
  const parsed = parseJson(text);
  if (typeof parsed === "object" && parsed !== null && "value" in parsed) return parsed;
  throw new StoreError("damaged", "The record has no envelope.");
}

function parseJson(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StoreError("damaged", "The record is not JSON.", { cause });
  }
}
