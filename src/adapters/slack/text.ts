/** Text that others wrote, made harmless and short enough. Pure. */
import { isBlank, oneLine } from "../shared/text.ts";
import type { PlainText } from "./kit.ts";

export { isBlank, safe } from "../shared/text.ts";

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u20e3/u;
/** About the length of `:short_code:`. */
const EMOJI_LENGTH = 20;

/** What Slack counts for one character: it escapes some, and writes emoji out. */
function countOf(character: string): number {
  if (character === "&") return 5;
  if (character === "<" || character === ">") return 4;
  return EMOJI.test(character) ? EMOJI_LENGTH : character.length;
}

export function countedLength(text: string): number {
  let length = 0;
  for (const character of text) length += countOf(character);
  return length;
}

/** At most so long as Slack counts it, cut with `…`, never inside a character. */
export function clipCounted(text: string, most: number): string {
  let length = 0;
  let end = 0;
  let index = 0;
  for (const character of text) {
    length += countOf(character);
    index += character.length;
    if (length > most) return `${text.slice(0, end).replace(/(?:\s|\u200d|\ufe0f)+$/u, "")}…`;
    if (length <= most - 1) end = index;
  }
  return text;
}

/** Inert text of at most `most` characters on one line; Slack refuses blank ones, so those are `…`. */
export function plain(text: string, most: number): PlainText {
  const line = oneLine(text);
  return { type: "plain_text", text: isBlank(line) ? "…" : clipCounted(line, most), emoji: false };
}

/** What Slack parses in a message's text, made inert. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
