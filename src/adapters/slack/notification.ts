/** Whom a message notifies, and what the notification says. Pure. */
import type { Card } from "../../core/card.ts";
import type { Block } from "./kit.ts";
import { MOST } from "./limits.ts";
import { shownIn } from "./rich-text.ts";
import { clipCounted, escaped, isBlank, safe } from "./text.ts";

/** The people whom the post notifies; an edit that still has them notifies nobody again. */
export function drawMentions(card: Card): Block[] {
  const text = mentionText(card);
  return text === "" ? [] : [{ type: "section", text: { type: "mrkdwn", text } }];
}

/** Whom it is for, then what is wanted. Never empty. */
export function notification(card: Card, blocks: Block[]): string {
  const files = card.parts.map((part) => (part.kind === "file" ? part.name : ""));
  const first = [card.alert, ...blocks.map(wordsOf), ...files].find((text) => !isBlank(text)) ?? "askgate";
  return [mentionText(card), fallback(first)].filter(Boolean).join(" ");
}

/** Plain words for where blocks are not shown. */
export function fallback(text: string): string {
  const line = safe(text).replaceAll(/\s+/g, " ").trim();
  return escaped(clipCounted(line, MOST.alert - MOST.mentions)) || "…";
}

/** Ids of other surfaces are none of ours. */
function mentionText({ mention }: Card): string {
  const ids = mention.flatMap((id) => /^slack:(?:[A-Z0-9]+\/)?([UW][A-Z0-9]{1,20})$/.exec(id)?.[1] ?? []);
  return [...new Set(ids)]
    .map((id) => `<@${id}>`)
    .reduce((text, one) => (text.length + one.length < MOST.mentions ? `${text} ${one}` : text), "")
    .trim();
}

function wordsOf(block: Block): string {
  switch (block.type) {
    case "rich_text":
      return block.elements.map(shownIn).join(" ");
    case "context":
      return block.elements.map(({ text }) => text).join(" · ");
    case "actions":
      return block.elements.flatMap((one) => (one.type === "button" ? one.text.text : [])).join(" · ");
    case "section":
      return "";
  }
}
