/**
 * A block of a plan as rich text. Never throws, never hangs, and drops no word: what cannot be drawn is given as it was
 * written, in fixed width. Pure.
 */
import type { Token, Tokens } from "marked";
import { firstNumber, isDrawn, readBlocks, readCode, readItem } from "../shared/markdown.ts";
import { inlines } from "./inline.ts";
import type { Inline, RichPart, Section } from "./kit.ts";
import { MOST } from "./limits.ts";
import { code, items, lines, quote, say, section } from "./rich-text.ts";
import { drawTable } from "./table.ts";

/** Where in the Markdown something stands. */
interface Spot {
  /** How deep in lists. */
  indent: number;
  border: 0 | 1;
}

export function drawMarkdown(raw: string): RichPart[] {
  const tokens = readBlocks(raw);
  if (tokens === null) return code(raw);
  const parts = tokens.flatMap((token) => draw(token, { indent: 0, border: 0 }));
  return parts.some((part) => part.elements.length > 0) ? parts : code(raw);
}

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

/** A paragraph; in a quote it has the quote's bar. */
const line = (elements: Inline[], { border }: Spot): RichPart =>
  border === 1 ? quote(elements) : section(elements);

function drawCode(token: Tokens.Code, { border }: Spot): RichPart[] {
  const drawn = code(readCode(token).code, border === 1 ? { border } : {});
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
  const first = firstNumber(list);
  const parts: RichPart[] = [];
  list.items.forEach((item, index) => {
    const { box, words, rest } = readItem(item);
    const head = besideMark([...say(box), ...lines(words.map((text) => inlines(text)))]);
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

const besideMark = (elements: Inline[]): Section => section(elements.length > 0 ? elements : say(" "));
