/** Markdown inside a line, as rich text. Bounded: hostile marks make it plain text, never a long wait. Pure. */
import { getDefaults, Lexer, type Token } from "marked";
import type { Inline, Style } from "./kit.ts";
import { address, isWeb, say, shown } from "./rich-text.ts";

/** marked's inline lexer is worse than quadratic in the marks of one text: 1,500 of `*a_` take 150 ms. */
const RUN = 1_500;
const MARKS = 200;

/** Nothing is dropped: what is not understood stands there as it was written. */
export const inlines = (text: string, style: Style = {}): Inline[] =>
  runsOf(text).flatMap((run) => drawRun(run, style));

/** Pieces short enough for the lexer, split at a line, else a blank, else anywhere. */
function runsOf(text: string): string[] {
  if (text.length <= RUN) return [text];
  const line = text.lastIndexOf("\n", RUN - 1) + 1;
  const blank = text.lastIndexOf(" ", RUN - 1) + 1;
  const at = [line, blank].find((candidate) => candidate > RUN / 2) ?? RUN;
  return [text.slice(0, at), ...runsOf(text.slice(at))];
}

function drawRun(run: string, style: Style): Inline[] {
  if ((run.match(/[*_~`[\]<]/g)?.length ?? 0) > MARKS) return say(run, style);
  try {
    return new Lexer({ ...getDefaults(), gfm: true })
      .inlineTokens(run)
      .flatMap((token) => draw(token, style));
  } catch {
    return say(run, style);
  }
}

function draw(token: Token, style: Style): Inline[] {
  switch (token.type) {
    case "strong":
      return within(token, { ...style, bold: true });
    case "em":
      return within(token, { ...style, italic: true });
    case "del":
      return within(token, { ...style, strike: true });
    case "codespan":
      return say(String(token.text), { ...style, code: true });
    case "br":
      return say("\n", style);
    case "escape":
      return say(String(token.text), style);
    case "text":
      return say(unfolded(decoded(String(token.text))), style);
    case "link":
    case "image":
      return drawLink(token, style);
    default:
      return say(token.raw, style);
  }
}

const within = (token: Token, style: Style): Inline[] =>
  children(token).flatMap((child) => draw(child, style));

const children = (token: Token): Token[] => ("tokens" in token ? (token.tokens ?? []) : []);

/** `text (url "title")`: where a link leads is always seen. */
function drawLink(token: Token, style: Style): Inline[] {
  if (!("href" in token)) return say(token.raw, style);
  const url = String(token.href);
  const text = within(token, style);
  const words = text.map(shown).join("");
  if (words === url && isWeb(url)) return address(url, style);
  if (words === url || url === `mailto:${words}`) return text;
  const title = token.title ? say(` “${decoded(String(token.title))}”`, style) : [];
  if (words === "") return [...address(url, style), ...title];
  return [...text, ...say(" (", style), ...address(url, style), ...title, ...say(")", style)];
}

/** A line that merely goes on is one line; no blank comes between Chinese or Japanese characters. */
const unfolded = (text: string): string =>
  text
    .replaceAll(
      /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、；：！？）」』】])[ \t]*\n[ \t]*(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}（「『【])/gu,
      "",
    )
    .replaceAll(/[ \t]*\n[ \t]*/g, " ");

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  rarr: "→",
  larr: "←",
  times: "×",
};

/** The usual character references as what they stand for; others stay as they are written. */
const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
