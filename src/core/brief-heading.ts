/**
 * Reads single lines of a brief: does one open a section, does another heading end it, does it open or close a code
 * fence. Each question is answered in one pass over the line.
 */
import type { BriefLanguage, SectionKey } from "./brief-labels.ts";
import { LABELS } from "./brief-names.ts";

/** A line that opens a section. `level` is that of the heading, 7 for a bare or bold label. */
export interface Heading {
  section: SectionKey;
  /** Of the label. */
  language: BriefLanguage;
  level: number;
  rest: string;
}

/** An opened code fence: its mark, and what stands before it on the line (a list's bullet). */
export interface Fence {
  mark: string;
  before: string;
}

/** Below every real heading. */
const BARE = 7;
const HASHES = /^#{1,6}(?!#)/;
const NUMBER = /^(?:\p{Nd}+|[〇零一二三四五六七八九十百]+)[.、)]/u;
const EMPHASIS = /^(?:\*\*|__)/;
const BLANKS = /^[ \t]+/;
/** French sets a no-break space before a colon. */
const BLANKS_BEFORE_COLON = /^[ \t\u00a0\u202f]+/;

/**
 * The section that a line opens: blanks, hashes, a number, emphasis, a number again, all optional, then a label that
 * ends with the line, with a colon or with its emphasis. A label followed by other words is text.
 */
export function headingOf(line: string): Heading | null {
  const [hashes, afterHashes] = take(HASHES, skip(BLANKS, hashesClosed(line)));
  const [, afterNumber] = take(NUMBER, afterHashes);
  const [mark, afterMark] = take(EMPHASIS, afterNumber);
  const [, text] = take(NUMBER, afterMark);
  for (const { name, section, language } of LABELS) {
    if (text.slice(0, name.length).toLowerCase() !== name) continue;
    const rest = restAfterLabel(text.slice(name.length), mark);
    if (rest !== null) return { section, language, level: hashes.length || BARE, rest };
  }
  return null;
}

/** The level of any ATX heading, or null. */
export const levelOf = (line: string): number | null =>
  /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line)?.[1]?.length ?? null;

/** `====` or `----` under a line makes it a heading: its level, or null. */
export function underlineLevel(line: string): number | null {
  if (/^ {0,3}=+[ \t]*$/.test(line)) return 1;
  return /^ {0,3}-{2,}[ \t]*$/.test(line) ? 2 : null;
}

/** The code fence that a line opens. */
export function fenceOf(line: string): Fence | null {
  const [bullet, text] = take(/^(?:[-*+]|\d{1,9}[.)])(?=[ \t])/, skip(BLANKS, line));
  const mark = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0];
  return mark === undefined ? null : { mark, before: bullet };
}

/** Whether a line closes the fence: the same mark, at least as long, and nothing after it. */
export function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === (mark[0] ?? "").repeat(text.length);
}

/** What stands after a label, or null if the label does not end there. */
function restAfterLabel(after: string, mark: string): string | null {
  const text = skip(BLANKS_BEFORE_COLON, after);
  if (text === "") return "";
  if (mark !== "" && text.startsWith(mark)) return withoutColon(text.slice(mark.length));
  if (!isColon(text)) return null;
  const rest = skip(BLANKS, text.slice(1));
  if (mark === "") return rest;
  return rest.startsWith(mark) ? rest.slice(mark.length) : withoutEnd(rest, mark);
}

const isColon = (text: string): boolean => text.startsWith(":") || text.startsWith("：");

function withoutColon(after: string): string {
  const text = skip(BLANKS_BEFORE_COLON, after);
  return isColon(text) ? text.slice(1) : text;
}

/** `**Goal: a wiki**` is emphasis around the whole line. */
const withoutEnd = (text: string, mark: string): string =>
  text.endsWith(mark) && text.indexOf(mark) === text.length - mark.length
    ? text.slice(0, -mark.length)
    : text;

/** A heading without the hashes that close it. */
function hashesClosed(line: string): string {
  const text = line.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  const closed = end < text.length && /[ \t]/.test(text[end - 1] ?? "") && HASHES.test(skip(BLANKS, text));
  return closed ? text.slice(0, end).trimEnd() : text;
}

const skip = (pattern: RegExp, text: string): string => text.slice(pattern.exec(text)?.[0].length ?? 0);

/** What a pattern takes from the start, and the text after it without blanks. */
function take(pattern: RegExp, text: string): [taken: string, rest: string] {
  const taken = pattern.exec(text)?.[0] ?? "";
  return [taken, skip(BLANKS, text.slice(taken.length))];
}
