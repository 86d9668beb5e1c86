/** Markdown inside a line, as Discord's. Pure. */
import { type Piece, readInline, type Style } from "../shared/inline.ts";
import { address, beside, escaped, inlineCode } from "./text.ts";

export const drawInline = (text: string, style: Style = {}): string => drawPieces(readInline(text, style));

export const drawPieces = (pieces: Piece[]): string => beside(merged(pieces).map(drawPiece));

/** Neighbours that look the same are one. */
function merged(pieces: Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last !== undefined && !last.link && !piece.link && looksOf(last) === looksOf(piece))
      all.splice(-1, 1, { ...last, text: last.text + piece.text });
    else all.push(piece);
  }
  return all;
}

const looksOf = ({ style }: Piece): string => `${marksOf(style)}${style.code ? "`" : ""}`;

const marksOf = ({ bold, italic, strike }: Style): string =>
  `${strike ? "~~" : ""}${bold ? "**" : ""}${italic ? "*" : ""}`;

/** Marks stand beside words only, and on each line anew. */
function drawPiece({ text, style, link }: Piece): string {
  if (link) return within(address(text), style);
  if (style.code) return within(inlineCode(text), style);
  return escaped(text)
    .split("\n")
    .map((line) => {
      const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/u.exec(line) ?? [];
      return words === "" ? line : `${before}${within(words, style)}${after}`;
    })
    .join("\n");
}

function within(words: string, style: Style): string {
  const marks = marksOf(style);
  return `${marks}${words}${[...marks].reverse().join("")}`;
}
