/** Text of others inside Markdown: whatever it says, it stays text, and ends where it was put. */

/** An ampersand only where it would name a character: addresses have bare ones. */
const SPECIAL = /[\\`*<>[\]|~$]|&(?=#?\w{1,40};)/g;
/** An underscore inside a word means nothing, and reads better bare. */
const UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** What begins a heading, a list, a rule or an underline at the start of a line. */
const AT_START = /^[#+=-]|(?<=^\d{1,9})[.)]/;
/** A name or number that a code host would turn into a call or a link; the blank has no width. */
const CALL = /(?<![\p{L}\p{N}_])(@(?=[\p{L}\p{N}_])|#(?=\d))/gu;
/** What steers a terminal, or turns the direction of what follows. */
const STEERING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** An address that can be linked as it is. Others are text: a link would take the marks that keep what follows text. */
const ADDRESS = /(https?:\/\/[\w./?=%#+,;:@~&-]{0,2000}[\w/=#])/;

/** Text on one line, for anywhere but the start of one. */
export const inline = (text: string): string =>
  oneLine(text)
    .split(ADDRESS)
    .map((piece, index) => (index % 2 === 1 ? `<${piece}>` : escaped(piece)))
    .join("");

const escaped = (text: string): string =>
  text
    .replace(SPECIAL, "\\$&")
    .replace(UNDERSCORE, "\\_")
    .replace(CALL, "$1\u200b")
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&");

const SHORT = 120;

/** The beginning of a text that is told in full elsewhere. */
export const short = (text: string): string => {
  const line = oneLine(text);
  return line.length > SHORT
    ? `${[...line]
        .slice(0, SHORT - 1)
        .join("")
        .trimEnd()}…`
    : line;
};

/** Code on one line. */
export function code(text: string): string {
  const line = oneLine(text) || " ";
  const mark = "`".repeat(longest(line) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${mark}${gap}${line}${gap}${mark}`;
}

/** Text on lines of its own, quoted; as code where its lines have a shape that a quote would lose. */
export function quote(text: string): string[] {
  const lines = linesOf(text);
  if (lines.some((line) => /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/.test(line)))
    return fence(text, "text").map((line) => `> ${line}`.trimEnd());
  return lines.map((line, index) => {
    const isEnd = line.trim() === "" || (lines[index + 1] ?? "").trim() === "";
    return `> ${atStart(inline(line))}${isEnd ? "" : "\\"}`.trimEnd();
  });
}

/** Text as code on lines of its own, in a fence that nothing in it can close. */
export function fence(text: string, language: string): string[] {
  const mark = "`".repeat(Math.max(3, longest(text) + 1));
  return [`${mark}${language}`, ...linesOf(text), mark];
}

/** Text on one line, at its start. */
export const atStart = (line: string): string => line.replace(AT_START, "\\$&");

const oneLine = (text: string): string => text.replace(/\s+/g, " ").replace(STEERING, "\ufffd").trim();

const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(/\t/g, "    ").replace(STEERING, "\ufffd"));

const longest = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
