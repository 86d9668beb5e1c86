/**
 * Reads the four-section brief out of Markdown: what an agent replied, or a frozen file. It knows the labels of all
 * languages at once. It never throws: what is not a section is dropped, what is not there is missing.
 */
import { closes, type Fence, fenceOf, headingOf, levelOf, underlineLevel } from "./brief-heading.ts";
import { BRIEF_WORDS, type BriefLanguage, LANGUAGES, SECTIONS, type SectionKey } from "./brief-labels.ts";

export type Sections = Record<SectionKey, string>;

/** The text of each section ("" where there is none), and the sections without text, in their order. */
export interface Brief {
  sections: Sections;
  missing: SectionKey[];
}

/** One occurrence of a section. */
interface Piece {
  section: SectionKey;
  level: number;
  lines: string[];
}

/**
 * The sections of an agent's reply. Of a repeated section the first with text wins; a heading of something else on the
 * same or a higher level ends a section; fenced code and rules are dropped, and all that follows an unclosed fence.
 */
export const parseBrief = (markdown: string): Brief =>
  briefOf(piecesOf(linesOf(markdown).map(asWritten)), (text) => text);

/** The sections of a frozen file: as `parseBrief`, but a placeholder is no text, and escaped lines are text. */
export const parseFrozen = (markdown: string): Brief =>
  briefOf(piecesOf(linesOf(markdown).map(unescaped)), (text) => (PLACEHOLDER.test(text) ? "" : text));

/** The language that most headings are in; null where no section has one. */
export function languageOf(markdown: string): BriefLanguage | null {
  const found = linesOf(markdown).flatMap((line) => headingOf(line)?.language ?? []);
  const count = (language: BriefLanguage): number => found.filter((one) => one === language).length;
  const [first] = LANGUAGES.toSorted((a, b) => count(b) - count(a));
  return first === undefined || count(first) === 0 ? null : first;
}

/** A line of text so that `parseFrozen` takes it for nothing else. */
export function escapeLine(line: string): string {
  const { blanks, slashes, rest } = split(line);
  return isMarkup(blanks + rest) ? `${blanks}\\${slashes}${rest}` : line;
}

interface Line {
  text: string;
  /** Text, whatever it looks like. */
  plain: boolean;
}

const asWritten = (text: string): Line => ({ text, plain: false });

function unescaped(line: string): Line {
  const { blanks, slashes, rest } = split(line);
  if (slashes === "" || !isMarkup(blanks + rest)) return asWritten(line);
  return { text: blanks + slashes.slice(1) + rest, plain: true };
}

function split(line: string): { blanks: string; slashes: string; rest: string } {
  const { 1: blanks = "", 2: slashes = "" } = /^([ \t]*)(\\*)/.exec(line) ?? [];
  return { blanks, slashes, rest: line.slice(blanks.length + slashes.length) };
}

/** The level of a section in a frozen file. */
const FROZEN_LEVEL = 2;

const isMarkup = (line: string): boolean =>
  headingOf(line) !== null || fenceOf(line) !== null || (levelOf(line) ?? Infinity) <= FROZEN_LEVEL;

/** The lines outside of code fences; a fence leaves a blank line. */
function linesOf(markdown: string): string[] {
  const lines: string[] = [];
  let mark: string | null = null;
  for (const line of markdown.replace(/^\uFEFF/, "").split(/\r\n?|\n/)) {
    const fence: Fence | null = mark === null ? fenceOf(line) : null;
    if (fence !== null) {
      lines.push(fence.before, "");
      mark = fence.mark;
    } else if (mark === null) lines.push(line);
    else if (closes(line, mark)) mark = null;
  }
  return lines;
}

function piecesOf(lines: Line[]): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece | null = null;
  let underlined = false;
  for (const { text, plain } of lines) {
    const underline = underlined ? underlineLevel(text) : null;
    const heading = plain ? null : headingOf(text);
    underlined = heading !== null && !text.trimStart().startsWith("#");
    if (heading !== null) {
      piece = { section: heading.section, level: heading.level, lines: [heading.rest, ""] };
      pieces.push(piece);
    } else if (piece !== null && underline !== null) piece.level = underline;
    else if (piece !== null && !plain && (levelOf(text) ?? Infinity) <= piece.level) piece = null;
    else piece?.lines.push(text);
  }
  return pieces;
}

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})$/;

/** Without rules, outer blanks, blanks at line ends, and more than one blank line in a row. */
const clean = (lines: string[]): string =>
  lines
    .map((line) => line.trimEnd())
    .filter((line) => !RULE.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

function briefOf(pieces: Piece[], read: (text: string) => string): Brief {
  const textOf = (key: SectionKey): string =>
    pieces
      .filter(({ section }) => section === key)
      .map(({ lines }) => read(clean(lines)))
      .find((text) => text !== "") ?? "";
  const sections = {
    goal: textOf("goal"),
    accept: textOf("accept"),
    bounds: textOf("bounds"),
    unknowns: textOf("unknowns"),
  };
  return { sections, missing: SECTIONS.filter((key) => sections[key] === "") };
}

const EMPTY = Object.values(BRIEF_WORDS).map(({ empty }) => empty);

/** An empty section as a file says it, in round brackets of either width, in any language. */
const PLACEHOLDER = new RegExp(`^[(（]\\s*(?:${EMPTY.join("|")})\\s*[)）]$`, "iu");
