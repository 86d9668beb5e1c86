/** A Markdown table for a phone: in columns while they are narrow, else one entry per row. Pure. */
import type { Tokens } from "marked";
import { inlines } from "./inline.ts";
import type { Inline, RichPart, Section } from "./kit.ts";
import { code, items, joined, lines, say, section, shown, shownIn } from "./rich-text.ts";

/** Columns of fixed-width characters that a phone shows beside each other. */
const NARROW = 36;

/** Nothing is dropped: a table that would lose a word or grow too much is given as it was written. */
export function drawTable(token: Tokens.Table, border: 0 | 1): RichPart[] {
  const rows = [token.header, ...token.rows].map((row) => row.map(({ text }) => inlines(text)));
  const drawn = inColumns(rows, token.align, border) ?? oneByOne(rows, border);
  const text = drawn.map(shownIn).join("\n");
  const complete = wordsOf(token.raw).every((word) => text.includes(word));
  return complete && text.length <= 2 * token.raw.length + 200 ? drawn : code(token.raw, bordered(border));
}

const wordsOf = (text: string): string[] => text.replaceAll(/&[#\w]+;/g, " ").match(/[\p{L}\p{N}]+/gu) ?? [];

const bordered = (border: 0 | 1): { border?: 1 } => (border === 1 ? { border } : {});

/** Aligned in fixed width, or null if that is too wide for a phone. */
function inColumns(rows: Inline[][][], align: Tokens.Table["align"], border: 0 | 1): RichPart[] | null {
  const texts = rows.map((row) => row.map((cell) => cell.map(shown).join("").replaceAll("\n", " ").trim()));
  const widths = align.map((_, column) => Math.max(1, ...texts.map((row) => width(row[column] ?? ""))));
  const total = widths.reduce((sum, one) => sum + one + 2, -2);
  if (total > NARROW) return null;
  const drawn = texts.map((row) =>
    widths
      .map((room, column) => padded(row[column] ?? "", room, align[column] ?? null))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((room) => "─".repeat(room)).join("  ");
  return code([...drawn.slice(0, 1), rule, ...drawn.slice(1)].join("\n"), bordered(border));
}

function padded(text: string, room: number, align: Tokens.Table["align"][number]): string {
  const blank = " ".repeat(Math.max(0, room - width(text)));
  return align === "right" ? blank + text : text + blank;
}

/** A list of the rows, each cell on a line of its own under its heading. */
function oneByOne([header = [], ...rows]: Inline[][][], border: 0 | 1): RichPart[] {
  const names = header.map((cell) => cell.map(shown).join(""));
  if (rows.length === 0) return [section(joined(header.map(boldly), " · "))];
  const entry = (row: Inline[][]): Section =>
    section(lines(names.map((name, column) => labelled(name, row[column] ?? []))));
  return [items(rows.map(entry), bordered(border))];
}

const boldly = (cell: Inline[]): Inline[] => say(cell.map(shown).join(""), { bold: true });

const labelled = (name: string, cell: Inline[]): Inline[] => [
  ...say(name === "" ? "" : `${name}: `, { bold: true }),
  ...(cell.length > 0 ? cell : say("–")),
];

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /\p{Mn}|\p{Me}|\u200d|\ufe0f/u;

/** Columns that a text takes, near enough. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}
