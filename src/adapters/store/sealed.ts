/** How a text stands in LMDB: behind a checksum, because LMDB itself notices no changed bytes. */
import { crc32 } from "node:zlib";
import { StoreError } from "./errors.ts";
import type { RawRecord } from "./lmdb-pages.ts";

const CRC_BYTES = 4;

/** The text that was written. Throws `damaged` if it, the key or the version is another now. */
export function unseal({ key, version, bytes }: RawRecord): string {
  const content = bytes.subarray(CRC_BYTES);
  if (bytes.length < CRC_BYTES || bytes.readUInt32LE() !== checksum(key, version, content)) {
    throw new StoreError("damaged", "Its checksum does not match.");
  }
  return content.toString();
}

/** A checksum over key, version and text, then the text. */
export function seal(text: string, { id, version }: { id: Buffer; version: number }): Buffer {
  const bytes = Buffer.allocUnsafe(CRC_BYTES + Buffer.byteLength(text));
  bytes.write(text, CRC_BYTES);
  bytes.writeUInt32LE(checksum(id, version, bytes.subarray(CRC_BYTES)));
  return bytes;
}

/** A version may be any number where its bytes are spoilt. */
const checksum = (key: Buffer, version: number, content: Buffer): number =>
  crc32(content, crc32(key, version >>> 0));
