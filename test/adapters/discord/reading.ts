/** What Discord makes of a text: the words that are seen, and everything in it that is more than words. */

export interface Seen {
  words: string;
  /** "link https://…", "bold", "mention <@1>", in the order in which they begin. */
  marks: string[];
}

interface Rule {
  name: string;
  pattern: RegExp;
  lineStart?: true;
  /** What is seen of it; inner Markdown is read again. */
  inner?: (match: RegExpExecArray) => string;
  words?: (match: RegExpExecArray) => string;
}

const first = (match: RegExpExecArray): string => match[1] ?? "";
const second = (match: RegExpExecArray): string => match[2] ?? "";

/** A blank beside a backtick is none of the code's. */
const unpadded = (match: RegExpExecArray): string => second(match).replaceAll(/^ (?= *`)|(?<=` *) $/g, "");

/** In Discord's order: the first that matches where the reader is. */
const RULES: Rule[] = [
  { name: "heading", pattern: / *#{1,3}\s+(?=\S)/y, lineStart: true, words: () => "" },
  { name: "small", pattern: / *-# +(?=\S)/y, lineStart: true, words: () => "" },
  { name: "quote", pattern: / *>(?:>>)? /y, lineStart: true, words: () => "" },
  { name: "item", pattern: / *(?:[*-]|\d+\.) (?=\S)/y, lineStart: true, words: (match) => match[0] },
  { name: "", pattern: /\\([^0-9A-Za-z\s])/y, words: first },
  { name: "code", pattern: /```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n][\s\S]*?)\n*```/iy, words: second },
  { name: "code", pattern: /(`+)([\s\S]*?[^`])\1(?!`)/y, words: unpadded },
  { name: "link", pattern: /<([^: >]+:\/[^ >]+)>/y, words: first },
  { name: "time", pattern: /<t:(\d+):t>/y, words: (match) => `{${first(match)}}` },
  {
    name: "mention",
    pattern: /<(?:@[!&]?\d+|#\d+|t:-?\d[^>\n]*|\/[^:>]+:\d+|a?:\w+:\d+|id:[^>\n]*)>|@(?:everyone|here)/y,
    words: (match) => match[0],
  },
  {
    name: "masked",
    pattern: /\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?\s*\)/y,
    inner: first,
  },
  { name: "link", pattern: /((?:https?|steam):\/\/[^\s<]+[^<.,:;"'\])\s])/y, words: first },
  { name: "bold", pattern: /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, inner: first },
  { name: "underline", pattern: /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, inner: first },
  {
    name: "italic",
    pattern: /\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/y,
    inner: first,
  },
  { name: "italic", pattern: /_((?:__|\\[\s\S]|[^\\_])+?)_(?!\w)/y, inner: first },
  { name: "strike", pattern: /~~([\s\S]+?)~~(?!_)/y, inner: first },
  { name: "spoiler", pattern: /\|\|([\s\S]+?)\|\|/y, inner: first },
];

export function seenIn(content: string): Seen {
  let words = "";
  const marks: string[] = [];
  let at = 0;
  while (at < content.length) {
    const found = ruleAt(content, at);
    if (found === null) {
      words += content[at];
      at += 1;
      continue;
    }
    const { rule, match } = found;
    if (rule.name !== "") marks.push(nameOf(rule, match));
    const inner = rule.inner === undefined ? null : seenIn(rule.inner(match));
    marks.push(...(inner?.marks ?? []));
    words += inner?.words ?? rule.words?.(match) ?? "";
    at += match[0].length;
  }
  return { words: words.replaceAll("\u200b", ""), marks };
}

function nameOf({ name }: Rule, match: RegExpExecArray): string {
  if (name === "link") return `link ${match[1]}`;
  if (name === "masked") return `masked ${match[2]}`;
  return name === "mention" ? `mention ${match[0]}` : name;
}

function ruleAt(content: string, at: number): { rule: Rule; match: RegExpExecArray } | null {
  const isStart = at === 0 || content[at - 1] === "\n";
  if (!isStart && /[^\\`<@[hs*_~|]/.test(content[at] ?? "")) return null;
  for (const rule of RULES) {
    if (rule.lineStart && !isStart) continue;
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(content);
    if (match !== null && match[0] !== "") return { rule, match };
  }
  return null;
}
