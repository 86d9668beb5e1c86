/** Text that others wrote, so that Discord shows it and parses nothing in it. Pure. */
import { clip } from "../../core/fit.ts";
import { isBlank, oneLine, safe, trimmedCode } from "../shared/text.ts";

/** Comes between what must not touch. */
const NOTHING = "\u200b";

const ADDRESS =
  /(?<![\p{L}\p{N}])https?:\/\/(?:[^\s<>()，。、；：！？）」』】]|\([^\s<>()]*\))*(?:\([^\s<>()]*\)|[^\s<>.,:;!?"'()[\]{}，。、；：！？）」』】…*_~|`\\])/u;
const LINE_START = /^[^\S\n]*(?:#{1,3}|-#|[-+]|>{1,3}|\d+[.)])(?=\s|$)/u;
const MARK = /[\\*_`[]|<(?=\S)|~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\||@(?=everyone|here|[!&]?\d)/u;
const PARSED = new RegExp([ADDRESS, LINE_START, MARK].map(({ source }) => source).join("|"), "gimu");

/** Nothing to be seen of it. */
export const isUnseen = (text: string): boolean => isBlank(safe(text));

/** Words as they are: nothing in them calls, links under another name, hides or has looks. At most twice as long, and a bit. */
export const escaped = (text: string): string => safe(text).replaceAll(PARSED, harmless);

function harmless(found: string): string {
  if (/^https?:/i.test(found)) return address(found);
  if (found === "@") return `@${NOTHING}`;
  return found.replace(/^\s*\d/.test(found) ? /[.)]$/ : /\S/, "\\$&");
}

/** A web address as a link of which all is seen. */
export const address = (url: string): string =>
  `<${url.replaceAll(/[<>`|*\\[\]"{}^]|@(?=everyone|here)/gi, inHex)}>`;

const inHex = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, "0")}`;

export const strong = (text: string): string => inMarks(text, "**");
export const italic = (text: string): string => inMarks(text, "*");

/** Each line on its own, and no mark beside a blank. */
const inMarks = (text: string, marks: string): string =>
  escaped(text)
    .split("\n")
    .map((line) => (isBlank(line) ? "" : line.replace(/^(\s*)(.*?)(\s*)$/u, `$1${marks}$2${marks}$3`)))
    .join("\n");

/** Drawn lines, small and grey. */
export const quiet = (drawn: string): string =>
  drawn
    .split("\n")
    .filter((line) => !isBlank(line))
    .map((line) => `-# ${line.trim()}`)
    .join("\n");

/** Drawn lines with a bar beside them. */
export const quote = (drawn: string): string => drawn.replaceAll(/^/gm, "> ");

/** Drawn lines below each other, without the blank ones between paragraphs: goes on beside a mark or in a row. */
export const closed = (drawn: string, indent: number): string =>
  drawn.trim().replaceAll(/\s*\n\s*/g, `\n${" ".repeat(indent)}`);

/** In fixed width, where nothing is parsed; "" for nothing. */
export function fenced(text: string, language = ""): string {
  const code = trimmedCode(text);
  return code === "" ? "" : `\`\`\`${language}\n${code.replaceAll(/``(?=`)/g, `\`\`${NOTHING}`)}\n\`\`\``;
}

/** The same with a mark that only looks like the third backtick: not a character longer than the text and its fence. */
export const tightlyFenced = (text: string): string => fenced(safe(text).replaceAll("```", "``\u02cb"));

/** Code within a line. */
export function inlineCode(text: string): string {
  const code = safe(text)
    .replaceAll("\n", " ")
    .replaceAll(/`(?=`)/g, `\`${NOTHING}`);
  if (!code.includes("`")) return `\`${code}\``;
  return `\`\`${code.startsWith("`") ? " " : ""}${code}${code.endsWith("`") ? " " : ""}\`\``;
}

/** Joined without a chance that marks of the one are read as marks of the other. */
export const beside = (all: string[]): string =>
  all.reduce((one, other) => one + (/[*~`]$/.test(one) && /^[*~`]/.test(other) ? NOTHING : "") + other, "");

/** A label on one line, which Discord does not parse; it refuses blank ones, so those are `…`. */
export function plain(text: string, most: number): string {
  const line = oneLine(text);
  if (isBlank(line)) return "…";
  const cut = clip(line, most);
  return cut === line ? cut : `${cut.slice(0, -1).replace(/(?:\s|\u200d|\ufe0f)+$/u, "")}…`;
}

/** An own link under words that others wrote. Discord draws none whose words look like an address or hold brackets. */
export function linked(text: string, url: string): string {
  const words = oneLine(text);
  if (!/^https?:\/\/[\w./:@-]+$/.test(url)) return escaped(words);
  const fits = !isUnseen(words) && !/[[\]]|:\/\/|www\.|discord\.\w/i.test(words);
  return fits ? `[${escaped(words)}](${url})` : `${escaped(words)} ${address(url)}`;
}
