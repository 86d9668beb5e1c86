/** A Markdown table for a phone. Pure. */
import type { Tokens } from "marked";
import { labelOf, layTable } from "../shared/table.ts";
import { drawPieces } from "./inline.ts";
import type { Inline, RichPart } from "./kit.ts";
import { code, items, joined, lines, say, section } from "./rich-text.ts";

/** In columns of fixed width, or a list of the rows, each cell on a line of its own under its heading. */
export function drawTable(token: Tokens.Table, border: 0 | 1): RichPart[] {
  const layout = layTable(token);
  if (layout.kind === "fixed") return code(layout.text, bordered(border));
  if (layout.rows.length === 0) return [section(joined(layout.names.map(boldly), " · "))];
  const entries = layout.rows.map((row) =>
    section(lines(row.map(({ name, cell }) => [...boldly(labelOf(name)), ...filled(drawPieces(cell))]))),
  );
  return [items(entries, bordered(border))];
}

const bordered = (border: 0 | 1): { border?: 1 } => (border === 1 ? { border } : {});

const boldly = (text: string): Inline[] => say(text, { bold: true });

const filled = (cell: Inline[]): Inline[] => (cell.length > 0 ? cell : say("–"));
