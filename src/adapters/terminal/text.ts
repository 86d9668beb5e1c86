/** Lines of text for a terminal: made harmless, wrapped, painted. Pure. */

export interface Look {
  columns: number;
  colour: boolean;
  locale: string;
}

/** Text in which nothing steers the terminal: control characters and reversals of direction are shown, not obeyed. */
export function safe(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", "    ")
    .replaceAll(/[\u2028\u2029]/g, "\n")
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu, picturesque);
}

function picturesque(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n") return character;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Harmless text, wrapped, every line indented; "" stays "". */
export function block(text: string, look: Look, indent: number): string {
  if (text === "") return "";
  const room = Math.max(16, look.columns - indent - 1);
  const wrapped = safe(text)
    .split("\n")
    .flatMap((line) => wrap(line, room));
  return wrapped.map((line) => `${" ".repeat(indent)}${line}`.trimEnd()).join("\n");
}

/** A label and a text that hangs beside it. */
export const item = (label: string, text: string, look: Look): string =>
  `${label}${block(text, look, width(label)).slice(width(label))}`;

/** Lines of at most `room` columns; the blanks at the start of a line are kept on each of its parts. */
export function wrap(line: string, room: number): string[] {
  if (width(line) <= room) return [line];
  const lead = (/^ */.exec(line)?.[0] ?? "").slice(0, room >> 1);
  const out: string[] = [];
  let current = "";
  for (const word of line.slice(lead.length).split(/(?<= )(?=[^ ])/u)) {
    for (const piece of pieces(word, room - lead.length)) {
      if (current !== "" && width(current) + width(piece.trimEnd()) > room - lead.length) {
        out.push(current);
        current = "";
      }
      current += piece;
    }
  }
  return [...out, current].map((part) => `${lead}${part.trimEnd()}`);
}

/** A word that is longer than a line, in parts that are not; others whole. */
function pieces(word: string, room: number): string[] {
  if (width(word.trimEnd()) <= room) return [word];
  const out: string[] = [];
  let current = "";
  for (const character of word) {
    if (width(current) + width(character) > room) {
      out.push(current);
      current = "";
    }
    current += character;
  }
  return [...out, current];
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /\p{Mn}|\p{Me}|\u200d|\ufe0f/u;

/** Columns that a text takes, near enough. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

export const lines = (drawn: string[]): string[] =>
  drawn.flatMap((part, at) => (part === "" && at > 0 ? [] : part.split("\n")));

export const spaced = (parts: string[]): string[] => parts.flatMap((part) => [" ", part]);

export function painter({ colour }: Look) {
  const paint = (code: number) => (text: string) =>
    colour && text !== ""
      ? text.replaceAll(/^ *(?=\S)(.*)$/gm, (line) => `\x1b[${code}m${line}\x1b[0m`)
      : text;
  return { bold: paint(1), dim: paint(2), green: paint(32), yellow: paint(33) };
}
