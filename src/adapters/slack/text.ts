/** Text that others wrote, made harmless and short enough. Pure. */
import type { PlainText } from "./kit.ts";

/** Of the same length or shorter: half characters, controls and reversals of direction are shown, not obeyed. */
export const safe = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(/[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD")
    .replaceAll(/\p{Cc}/gu, picture);

function picture(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (control === "\n" || control === "\t") return control;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}

export const isBlank = (text: string): boolean => /^[\s\p{Cf}\p{Mn}]*$/u.test(text);

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
  const line = safe(text).replaceAll(/\s+/g, " ").trim();
  return { type: "plain_text", text: isBlank(line) ? "…" : clipCounted(line, most), emoji: false };
}

/** What Slack parses in a message's text, made inert. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
