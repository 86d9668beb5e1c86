/**
 * Cuts a plan's Markdown into the blocks that people comment on. Only marked's block lexer is used: inline lexing of a
 * hostile plan takes seconds. Never throws and never hangs: a plan that would do either is one block.
 */
import { getDefaults, Lexer } from "marked";

/** A top-level piece of a plan. `quote` is its Markdown with single spaces, cut to 100 UTF-16 units. */
export interface PlanBlock {
  index: number;
  quote: string;
  raw: string;
}

const QUOTE_LENGTH = 100;
/** Beyond these the lexer overflows the stack or takes seconds; no plan that a person can read comes near. */
const MAX_MARKS = 200;
const MAX_INDENT = 400;
const MAX_LAZY_LINES = 1000;

/** Blocks with text in them, counted from 0. Link definitions and blank pieces are none. */
export function planBlocks(markdown: string): PlanBlock[] {
  const text = markdown.replace(/\r\n?/g, "\n");
  return pieces(text)
    .map((raw) => ({ raw, quote: quoteOf(raw) }))
    .filter(({ quote }) => quote !== "")
    .map(({ raw, quote }, index) => ({ index, quote, raw }));
}

function pieces(text: string): string[] {
  if (isHostile(text.split("\n"))) return [text];
  try {
    const tokens = new Lexer(getDefaults()).blockTokens(text, []);
    return tokens.filter(({ type }) => type !== "space" && type !== "def").map(({ raw }) => raw);
  } catch {
    return [text];
  }
}

const quoteOf = (raw: string): string => raw.replace(/\s+/g, " ").trim().slice(0, QUOTE_LENGTH);

const isHostile = (lines: string[]): boolean =>
  lines.some((line) => indentOf(line) > MAX_INDENT || marksOf(line) > MAX_MARKS) ||
  lazyLines(lines) > MAX_LAZY_LINES;

/** Columns before the first character, a tab going on to the next multiple of four. Blank lines have none. */
function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === "\t") columns += 4 - (columns % 4);
    else if (character === " ") columns += 1;
    else return columns;
  }
  return 0;
}

/** Quote and list marks that a line opens with, counted no further than needed. */
function marksOf(line: string): number {
  const mark = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
  let marks = 0;
  while (marks <= MAX_MARKS && mark.test(line)) marks += 1;
  return marks;
}

/** Lines that go on with a quote or list item though they have neither mark nor indent: the lexer reads them over again. */
function lazyLines(lines: string[]): number {
  let lazy = 0;
  let inside = false;
  for (const line of lines) {
    const marked = marksOf(line) > 0;
    inside = marked || (inside && line.trim() !== "");
    if (inside && !marked && indentOf(line) < 2) lazy += 1;
  }
  return lazy;
}
