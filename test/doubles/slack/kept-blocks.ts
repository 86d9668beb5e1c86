/** Blocks as Slack keeps and sends them back: with ids, and with what it fills into texts. */
import { isJson, type Json } from "./wire.ts";

/** A copy in which each block has a block_id, each control an action_id and each text its flag. Markdown keeps no id. */
export function keptBlocks(blocks: readonly Json[], id: () => string): Json[] {
  return blocks.map((block) => {
    const { block_id, ...rest } = block;
    const filled: Json = block.type === "markdown" ? rest : { ...rest, block_id: block_id ?? id() };
    if (Array.isArray(block.elements) && block.type === "actions")
      filled.elements = block.elements.map((one) => withActionId(one, id));
    for (const key of ["accessory", "element"])
      if (block[key] !== undefined) filled[key] = withActionId(block[key], id);
    return Object.fromEntries(Object.entries(filled).map(([key, held]) => [key, flagged(held)]));
  });
}

function withActionId(element: unknown, id: () => string): unknown {
  if (!isJson(element) || element.type === "image" || element.action_id !== undefined) return element;
  return { ...element, action_id: id() };
}

/** Slack answers `emoji: true` on plain texts and `verbatim: false` on mrkdwn where nothing was said. */
function flagged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flagged);
  if (!isJson(value)) return value;
  const flags =
    value.type === "plain_text" ? { emoji: true } : value.type === "mrkdwn" ? { verbatim: false } : {};
  return {
    ...flags,
    ...Object.fromEntries(Object.entries(value).map(([key, held]) => [key, flagged(held)])),
  };
}
