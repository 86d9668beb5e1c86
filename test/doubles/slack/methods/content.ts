/** What a bot wants to show, checked: text, blocks and metadata. */
import { checkBlocks, textLength } from "../blocks.ts";
import type { Hub } from "../hub.ts";
import { keptBlocks } from "../kept-blocks.ts";
import { LIMITS } from "../limits.ts";
import { invalid, Refusal } from "../refusal.ts";
import { isJson, type Json, records } from "../wire.ts";

export interface Given {
  text?: string | undefined;
  blocks?: unknown;
  metadata?: unknown;
}

/** The blocks with their ids, or a refusal. */
export function checkedBlocks(hub: Hub, blocks: unknown): Json[] {
  hub.validated += 1;
  if (!Array.isArray(blocks)) throw new Refusal("invalid_blocks_format");
  const errors = checkBlocks(blocks, "message");
  if (errors.length > 0) throw invalid("invalid_blocks", errors);
  if (textLength(blocks) > LIMITS.blocksText) throw new Refusal("msg_blocks_too_long");
  return keptBlocks(records(structuredClone(blocks)), () => hub.id("b"));
}

export function checkedText(text: string): string {
  if (text.length > LIMITS.messageText) throw new Refusal("msg_too_long");
  return text;
}

/** Text and blocks of a new message; one of them must be there. */
export function checkedContent(hub: Hub, { text = "", blocks }: Given): { text: string; blocks: Json[] } {
  const shown = blocks === undefined ? [] : checkedBlocks(hub, blocks);
  if (text === "" && shown.length === 0) throw new Refusal("no_text");
  return { text: checkedText(text === "" ? "This content can't be displayed." : text), blocks: shown };
}

/** An event type and a payload of plain values, nested once at most; `{}` means none. */
export function checkedMetadata(metadata: unknown): Json | null {
  if (metadata === undefined) return null;
  if (!isJson(metadata)) throw new Refusal("invalid_metadata_format");
  if (Object.keys(metadata).length === 0) return null;
  const { event_type: type, event_payload: payload, ...rest } = metadata;
  if (typeof type !== "string" || type === "" || !isJson(payload) || Object.keys(rest).length > 0)
    throw new Refusal("invalid_metadata_format");
  if (!Object.values(payload).every((value) => flat(value) || nested(value)))
    throw new Refusal("invalid_metadata_schema");
  return structuredClone(metadata);
}

const flat = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
const plainObject = (value: unknown): boolean => isJson(value) && Object.values(value).every(flat);
const nested = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(plainObject) : plainObject(value);
