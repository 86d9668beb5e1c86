/** Markdown inside a line, as rich text. Pure. */
import { type Piece, readInline } from "../shared/inline.ts";
import type { Inline, Style } from "./kit.ts";

export const inlines = (text: string, style: Style = {}): Inline[] => drawPieces(readInline(text, style));

/** A web address is a link that shows where it leads. */
export const drawPieces = (pieces: Piece[]): Inline[] =>
  pieces.map(({ text, style, link }) => {
    const look = Object.keys(style).length > 0 && { style };
    return link ? { type: "link", url: text, ...look } : { type: "text", text, ...look };
  });
