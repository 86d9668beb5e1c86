/** Markdown in blocks, read for any screen: never throws, never hangs, and drops no word. Pure. */
import { getDefaults, Lexer, type MarkedToken, type Token, type Tokens } from "marked";

/** Beyond these the block lexer takes long or overflows the stack; nobody can read that anyway. */
const MAX_MARKS = 20;
const MAX_INDENT = 80;

/** Its tokens, or null where it cannot be read: then it is best given as code. */
export function readBlocks(raw: string): Token[] | null {
  const text = raw.replaceAll(/\r\n?/g, "\n");
  if (isHostile(text)) return null;
  try {
    return new Lexer({ ...getDefaults(), gfm: true }).blockTokens(text, []);
  } catch {
    return null;
  }
}

const isHostile = (text: string): boolean =>
  text.split("\n").some((line) => {
    const marks = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/.exec(line)?.[0] ?? "";
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    return marks.replaceAll(/\s|\d/g, "").length > MAX_MARKS || indent > MAX_INDENT;
  });

/** What has looks; anything else, such as HTML, is given as it was written. */
const DRAWN = ["space", "heading", "paragraph", "text", "code", "hr", "blockquote", "list", "table"] as const;
export type Drawn = Extract<MarkedToken, { type: (typeof DRAWN)[number] }>;

export const isDrawn = (token: Token): token is Drawn => DRAWN.some((type) => type === token.type);

/** The name of the language is no part of the code; anything more that stands there is kept in it. */
export function readCode({ text, lang = "" }: Tokens.Code): { language: string; code: string } {
  const isName = /^[\w+#.-]{0,20}$/.test(lang);
  return isName ? { language: lang, code: text } : { language: "", code: `${lang}\n${text}` };
}

export interface Item {
  /** "☑ ", "☐ ", or "". */
  box: string;
  /** The Markdown of the lines beside the item's mark … */
  words: string[];
  /** … and what stands below them. */
  rest: Token[];
}

export function readItem({ task, checked, tokens }: Tokens.ListItem): Item {
  const isText = ({ type }: Token): boolean => ["text", "paragraph", "space", "checkbox"].includes(type);
  const end = tokens.findIndex((token) => !isText(token));
  const texts = end === -1 ? tokens : tokens.slice(0, end);
  const words = texts.filter(({ type }) => type === "text" || type === "paragraph").map(wordsOf);
  if (task) words[0] = (words[0] ?? "").replace(/^\[[ xX]\]\s+/, "");
  const box = task ? (checked ? "☑ " : "☐ ") : "";
  return { box, words, rest: end === -1 ? [] : tokens.slice(end) };
}

const wordsOf = (token: Token): string => ("text" in token ? token.text : token.raw);

/** The number that a list begins with. */
export const firstNumber = ({ start }: Tokens.List): number => (typeof start === "number" ? start : 1);
