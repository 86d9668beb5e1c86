/** Markdown inside a line, read for any screen. Bounded: hostile marks make it plain text, never a long wait. Pure. */
import { getDefaults, Lexer, type Token } from "marked";
import { isWeb, safe } from "./text.ts";

/** How a text looks. Absent: not so. */
export interface Style {
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
}

/** Words in one style; as a link they are the web address that it leads to. */
export interface Piece {
  text: string;
  style: Style;
  link: boolean;
}

/** marked's inline lexer is worse than quadratic in the marks of one text: 1,500 of `*a_` take 150 ms. */
const RUN = 1_500;
const MARKS = 200;

/** Nothing is dropped: what is not understood stands there as it was written. */
export const readInline = (text: string, style: Style = {}): Piece[] =>
  runsOf(text).flatMap((run) => readRun(run, style));

export const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join("");

/** Pieces short enough for the lexer, split at a line, else a blank, else anywhere. */
function runsOf(text: string): string[] {
  if (text.length <= RUN) return [text];
  const line = text.lastIndexOf("\n", RUN - 1) + 1;
  const blank = text.lastIndexOf(" ", RUN - 1) + 1;
  const at = [line, blank].find((candidate) => candidate > RUN / 2) ?? RUN;
  return [text.slice(0, at), ...runsOf(text.slice(at))];
}

function readRun(run: string, style: Style): Piece[] {
  if ((run.match(/[*_~`[\]<]/g)?.length ?? 0) > MARKS) return say(run, style);
  try {
    return new Lexer({ ...getDefaults(), gfm: true })
      .inlineTokens(run)
      .flatMap((token) => read(token, style));
  } catch {
    return say(run, style);
  }
}

function read(token: Token, style: Style): Piece[] {
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
      return readLink(token, style);
    default:
      return say(token.raw, style);
  }
}

function say(text: string, style: Style): Piece[] {
  const harmless = safe(text);
  return harmless === "" ? [] : [{ text: harmless, style, link: false }];
}

const address = (url: string, style: Style): Piece[] =>
  isWeb(url) ? [{ text: url, style, link: true }] : say(url, style);

const within = (token: Token, style: Style): Piece[] =>
  children(token).flatMap((child) => read(child, style));

const children = (token: Token): Token[] => ("tokens" in token ? (token.tokens ?? []) : []);

/** `text (url "title")`: where a link leads is always seen. */
function readLink(token: Token, style: Style): Piece[] {
  if (!("href" in token)) return say(token.raw, style);
  const url = String(token.href);
  const text = within(token, style);
  const words = textOf(text);
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
