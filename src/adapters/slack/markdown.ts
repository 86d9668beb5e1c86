/**
 * A block of a plan as rich text. Never throws, never hangs, and drops no word: what cannot be drawn is given as it was
 * written, in fixed width. Pure.
 */
import { getDefaults, Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { inlines } from "./inline.ts";
import type { Inline, RichPart, Section } from "./kit.ts";
import { MOST } from "./limits.ts";
import { code, items, lines, quote, say, section } from "./rich-text.ts";
import { drawTable } from "./table.ts";

/** Beyond these the block lexer takes long or overflows the stack; nobody can read that anyway. */
const MAX_MARKS = 20;
const MAX_INDENT = 80;

/** Where in the Markdown something stands. */
interface Spot {
  /** How deep in lists. */
  indent: number;
  border: 0 | 1;
}

export function drawMarkdown(raw: string): RichPart[] {
  const text = raw.replaceAll(/\r\n?/g, "\n");
  if (isHostile(text)) return code(text);
  try {
    const tokens = new Lexer({ ...getDefaults(), gfm: true }).blockTokens(text, []);
    const parts = tokens.flatMap((token) => draw(token, { indent: 0, border: 0 }));
    return parts.some((part) => part.elements.length > 0) ? parts : code(text);
  } catch {
    return code(text);
  }
}

const isHostile = (text: string): boolean =>
  text.split("\n").some((line) => {
    const marks = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/.exec(line)?.[0] ?? "";
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    return marks.replaceAll(/\s|\d/g, "").length > MAX_MARKS || indent > MAX_INDENT;
  });

function draw(token: Token, at: Spot): RichPart[] {
  if (!isDrawn(token)) return [line(say(token.raw.trim()), at)];
  switch (token.type) {
    case "space":
      return [];
    case "heading":
      return [line(inlines(token.text, { bold: true }), at)];
    case "paragraph":
    case "text":
      return [line(inlines(token.text), at)];
    case "code":
      return drawCode(token, at);
    case "hr":
      return [line(say("──────────"), at)];
    case "blockquote":
      return drawQuote(token, at);
    case "list":
      return drawList(token, at);
    case "table":
      return drawTable(token, at.border);
  }
}

/** What has looks; anything else, such as HTML, is given as it was written. */
const DRAWN = ["space", "heading", "paragraph", "text", "code", "hr", "blockquote", "list", "table"] as const;
type Drawn = Extract<MarkedToken, { type: (typeof DRAWN)[number] }>;

const isDrawn = (token: Token): token is Drawn => DRAWN.some((type) => type === token.type);

/** A paragraph; in a quote it has the quote's bar. */
const line = (elements: Inline[], { border }: Spot): RichPart =>
  border === 1 ? quote(elements) : section(elements);

/** The name of the language is no part of the code; anything more that stands there is kept. */
function drawCode({ text, lang = "" }: Tokens.Code, { border }: Spot): RichPart[] {
  const info = /^[\w+#.-]{0,20}$/.test(lang) ? "" : `${lang}\n`;
  const drawn = code(info + text, border === 1 ? { border } : {});
  return drawn.length > 0 ? drawn : [line(say("(…)"), { indent: 0, border })];
}

/** Paragraphs in a quote share one bar. */
function drawQuote({ tokens }: Tokens.Blockquote, at: Spot): RichPart[] {
  const parts: RichPart[] = [];
  for (const part of tokens.flatMap((token) => draw(token, { ...at, border: 1 }))) {
    const last = parts.at(-1);
    if (part.type === "rich_text_quote" && last?.type === "rich_text_quote")
      last.elements = lines([last.elements, part.elements]);
    else parts.push(part);
  }
  return parts;
}

/** Slack nests lists as neighbours: what comes after a nested one goes on in a list of its own. */
function drawList(list: Tokens.List, at: Spot): RichPart[] {
  const indent = Math.min(at.indent, MOST.indent);
  const style = list.ordered ? "ordered" : "bullet";
  const first = typeof list.start === "number" ? list.start : 1;
  const parts: RichPart[] = [];
  list.items.forEach((item, index) => {
    const { head, rest } = itemParts(item);
    const last = parts.at(-1);
    const goesOn = last?.type === "rich_text_list" && last.indent === indent && last.style === style;
    if (goesOn) last.elements.push(head);
    else parts.push(items([head], { style, indent, ...numbering(list, first + index), ...bordered(at) }));
    parts.push(...rest.flatMap((token) => draw(token, { ...at, indent: at.indent + 1 })));
  });
  return parts;
}

const numbering = ({ ordered }: Tokens.List, number: number): { offset?: number } =>
  ordered && number > 1 ? { offset: number - 1 } : {};

const bordered = ({ border }: Spot): { border?: 1 } => (border === 1 ? { border } : {});

/** What stands beside the item's mark, and what stands below it. */
function itemParts({ task, checked, tokens }: Tokens.ListItem): { head: Section; rest: Token[] } {
  const isText = ({ type }: Token): boolean => ["text", "paragraph", "space", "checkbox"].includes(type);
  const end = tokens.findIndex((token) => !isText(token));
  const texts = end === -1 ? tokens : tokens.slice(0, end);
  const rest = end === -1 ? [] : tokens.slice(end);
  const words = texts.filter(({ type }) => type === "text" || type === "paragraph").map(textOf);
  if (task) words[0] = (words[0] ?? "").replace(/^\[[ xX]\]\s+/, "");
  const box = task ? say(checked ? "☑ " : "☐ ") : [];
  const head = [...box, ...lines(words.map((text) => inlines(text)))];
  return { head: section(head.length > 0 ? head : say(" ")), rest };
}

const textOf = (token: Token): string => ("text" in token ? token.text : token.raw);
