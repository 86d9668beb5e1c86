/** A Markdown table laid out for a phone: in columns while they are narrow, else one entry per row. Pure. */
import type { Tokens } from "marked";
import { type Piece, readInline, textOf } from "./inline.ts";
import { trimmedCode, widthOf } from "./text.ts";

/** Columns of fixed-width characters that a phone shows beside each other. */
const NARROW = 36;

/** In fixed width, as columns or as it was written; or row by row, each cell under its column's name. */
export type Layout =
  | { kind: "fixed"; text: string }
  | { kind: "rows"; names: string[]; rows: { name: string; cell: Piece[] }[][] };

/** Nothing is dropped: a table that would lose a word or grow too much is given as it was written. */
export function layTable({ header, rows, align, raw }: Tokens.Table): Layout {
  const cells = [header, ...rows].map((row) => row.map(({ text }) => readInline(text)));
  const columns = inColumns(cells, align);
  const layout: Layout = columns === null ? rowByRow(cells) : { kind: "fixed", text: columns };
  const text = shownIn(layout);
  const complete = wordsOf(raw).every((word) => text.includes(word));
  return complete && text.length <= 2 * raw.length + 200 ? layout : { kind: "fixed", text: raw };
}

const wordsOf = (text: string): string[] => text.replaceAll(/&[#\w]+;/g, " ").match(/[\p{L}\p{N}]+/gu) ?? [];

function shownIn(layout: Layout): string {
  if (layout.kind === "fixed") return trimmedCode(layout.text);
  if (layout.rows.length === 0) return layout.names.join(" · ");
  const cells = layout.rows.flat();
  return cells.map(({ name, cell }) => `${labelOf(name)}${textOf(cell) || "–"}`).join("\n");
}

/** "Path: ", before what stands in a cell of that column. */
export const labelOf = (name: string): string => (name === "" ? "" : `${name}: `);

/** Aligned in fixed width, or null if that is too wide for a phone. */
function inColumns(cells: Piece[][][], align: Tokens.Table["align"]): string | null {
  const texts = cells.map((row) => row.map((cell) => textOf(cell).replaceAll("\n", " ").trim()));
  const widths = align.map((_, column) => Math.max(1, ...texts.map((row) => widthOf(row[column] ?? ""))));
  const total = widths.reduce((sum, one) => sum + one + 2, -2);
  if (total > NARROW) return null;
  const drawn = texts.map((row) =>
    widths
      .map((room, column) => padded(row[column] ?? "", room, align[column] ?? null))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((room) => "─".repeat(room)).join("  ");
  return [...drawn.slice(0, 1), rule, ...drawn.slice(1)].join("\n");
}

function padded(text: string, room: number, align: Tokens.Table["align"][number]): string {
  const blank = " ".repeat(Math.max(0, room - widthOf(text)));
  return align === "right" ? blank + text : text + blank;
}

function rowByRow([header = [], ...rows]: Piece[][][]): Layout {
  const names = header.map(textOf);
  return {
    kind: "rows",
    names,
    rows: rows.map((row) => names.map((name, column) => ({ name, cell: row[column] ?? [] }))),
  };
}
