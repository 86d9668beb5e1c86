/** A block of a plan in Discord's Markdown, written anew so that nothing in it does what it should not. Pure. */
import type { Token, Tokens } from "marked";
import { firstNumber, isDrawn, readBlocks, readCode, readItem } from "../shared/markdown.ts";
import { isBlank } from "../shared/text.ts";
import { drawInline } from "./inline.ts";
import { drawTable } from "./table.ts";
import { escaped, fenced, quote } from "./text.ts";

/** Discord has no deeper headings and lists. */
const MAX_HEADING = 3;
const MAX_DEPTH = 10;

/** Where in the Markdown something stands. */
interface Spot {
  /** How deep in lists, and in quotes. */
  depth: number;
  quotes: number;
}

/** The label stands before the first words, or on a line of its own where that reads badly. */
export function drawMarkdown(raw: string, label = ""): string {
  const tokens = readBlocks(raw)?.filter(({ type }) => type !== "space") ?? [];
  const [first = "", ...rest] = tokens.map((token) => draw(token, { depth: 0, quotes: 0 }));
  const drawn = [labelled(first, label, tokens[0]), ...rest].filter((part) => !isBlank(part)).join("\n");
  return isBlank([first, ...rest].join("")) ? labelled(fenced(raw), label) : drawn;
}

function labelled(drawn: string, label: string, token?: Token): string {
  if (label === "") return drawn;
  if (/^#{1,3} /.test(drawn) && token?.type === "heading") return drawn.replace(" ", ` ${label}  `);
  const goesOn = token?.type === "paragraph" || token?.type === "heading";
  return `**${label}**${goesOn ? "  " : "\n"}${drawn}`;
}

function draw(token: Token, at: Spot): string {
  if (!isDrawn(token)) return inList(escaped(token.raw.trim()), at);
  switch (token.type) {
    case "space":
      return "";
    case "heading":
      return drawHeading(token);
    case "paragraph":
    case "text":
      return inList(drawInline(token.text), at);
    case "code":
      return drawCode(token);
    case "hr":
      return "──────────";
    case "blockquote":
      return drawQuote(token, at);
    case "list":
      return drawList(token, at);
    case "table":
      return drawTable(token);
  }
}

/** Goes on below an item's words. */
const inList = (text: string, { depth }: Spot): string =>
  indented(text, "  ".repeat(Math.min(depth, MAX_DEPTH)));

const indented = (text: string, by: string): string =>
  text
    .split("\n")
    .map((line) => (isBlank(line) ? line : by + line))
    .join("\n");

function drawHeading({ depth, text }: Tokens.Heading): string {
  const one = (drawn: string): string => drawn.replaceAll(/\s*\n\s*/g, " ").trim();
  if (depth > MAX_HEADING) return one(drawInline(text, { bold: true }));
  const words = one(drawInline(text));
  return words === "" ? "" : `${"#".repeat(depth)} ${words}`;
}

function drawCode(token: Tokens.Code): string {
  const { language, code } = readCode(token);
  return fenced(code, language) || "(…)";
}

/** Discord draws one bar; deeper ones are marks. */
function drawQuote({ tokens }: Tokens.Blockquote, { quotes }: Spot): string {
  const inside = tokens
    .map((token) => draw(token, { depth: 0, quotes: quotes + 1 }))
    .filter((part) => !isBlank(part))
    .join("\n");
  if (isBlank(inside)) return "";
  return quotes === 0 ? quote(inside) : inside.replaceAll(/^/gm, "› ");
}

const drawList = (list: Tokens.List, at: Spot): string =>
  list.items
    .map((item, index) => drawItem(item, list.ordered ? `${firstNumber(list) + index}. ` : "- ", at))
    .join("\n");

function drawItem(item: Tokens.ListItem, mark: string, at: Spot): string {
  const { box, words, rest } = readItem(item);
  const head = box + words.map((text) => drawInline(text)).join("\n");
  const [first = "", ...more] = (isBlank(head) ? `${head}\u200b` : head).split("\n");
  const below = more.filter((line) => !isBlank(line)).map((line) => " ".repeat(mark.length) + line);
  const inside = rest.map((token) => draw(token, { ...at, depth: at.depth + 1 }));
  return [inList([mark + first, ...below].join("\n"), at), ...inside.filter((part) => !isBlank(part))].join(
    "\n",
  );
}
