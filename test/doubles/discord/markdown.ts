/** Discord's Markdown as a phone shows it: what one reads, where its links lead, and whom it calls. */

export interface Link {
  label: string;
  url: string;
}

export interface Reading {
  /** Without marks; code as it is, `@Ana` for people, `#plans` for channels, the time in UTC for timestamps. */
  text: string;
  links: Link[];
  /** Ids of the people called. */
  mentions: string[];
  /** `@everyone` or `@here`. */
  everyone: boolean;
}

/** The name of a person or channel by its id. */
export type NameOf = (id: string) => string;

/** What is read of one thing, and how many characters it takes. */
interface Taken extends Reading {
  length: number;
}

interface Source {
  text: string;
  at: number;
  nameOf: NameOf;
}

type Rule = (source: Source, ...found: string[]) => Omit<Taken, "length"> | null;

export function readMarkdown(text: string, nameOf: NameOf): Reading {
  const parts: Reading[] = [];
  let at = 0;
  while (at < text.length) {
    const taken = take({ text, at, nameOf });
    parts.push(taken);
    at += Math.max(1, taken.length);
  }
  return joined(parts);
}

const joined = (parts: readonly Reading[]): Reading => ({
  text: parts.map(({ text }) => text).join(""),
  links: parts.flatMap(({ links }) => links),
  mentions: parts.flatMap(({ mentions }) => mentions),
  everyone: parts.some(({ everyone }) => everyone),
});

/** Nobody sees a space without width. */
const plain = (text: string): Reading => ({
  text: text.replaceAll("\u200b", ""),
  links: [],
  mentions: [],
  everyone: false,
});
const linked = (label: string, url: string): Reading => ({ ...plain(label), links: [{ label, url }] });

/** What one thing is by its first characters: the first rule that fits. */
function take(source: Source): Taken {
  const { text, at } = source;
  const begins = /^(?: *(?:>>>|>) )?$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
  for (const [pattern, rule] of begins ? [...LINE_RULES, ...RULES] : RULES) {
    pattern.lastIndex = at;
    const [whole, ...found] = pattern.exec(text) ?? [];
    const read = whole === undefined ? null : rule(source, ...found.map((group) => group ?? ""));
    if (whole !== undefined && read !== null) return { ...read, length: whole.length };
  }
  return { ...plain(text.slice(at, at + 1)), length: 1 };
}

const inner: Rule = ({ nameOf }, ...found) => readMarkdown(found.find((one) => one !== "") ?? "", nameOf);
const verbatim: Rule = (_, ...found) => plain(found.at(-1) ?? "");
const nothing: Rule = () => plain("");

/** Marks at the beginning of a line; what follows them is read on. */
const LINE_RULES: [RegExp, Rule][] = [
  [/ *(?:>>>|>) /y, nothing],
  [/ *#{1,3} +(?=\S)/y, nothing],
  [/-# +(?=\S)/y, nothing],
  [/( *)[-*] +(?=\S)/y, (_, indent = "") => plain(`${indent}• `)],
];

const URL = String.raw`https?:\/\/`;

const RULES: [RegExp, Rule][] = [
  [/\\([^0-9A-Za-z\s])/y, verbatim],
  [/```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n][\s\S]*?)\n*```/iy, verbatim],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, verbatim],
  [new RegExp(`<(${URL}[^ >]+)>`, "iy"), (_, url = "") => linked(url, url)],
  [/<@!?(\d+)>/y, ({ nameOf }, id = "") => ({ ...plain(`@${nameOf(id)}`), mentions: [id] })],
  [/<#(\d+)>/y, ({ nameOf }, id = "") => plain(`#${nameOf(id)}`)],
  [/<t:(-?\d{1,13})(?::[tTdDfFR])?>/y, (_, seconds = "") => plain(timeOf(Number(seconds)))],
  [/<a?:(\w+):\d+>/y, (_, name = "") => plain(`:${name}:`)],
  [/@(everyone|here)\b/y, (_, who = "") => ({ ...plain(`@${who}`), everyone: true })],
  [
    new RegExp(
      String.raw`\[((?:\\[\s\S]|\[[^\]]*\]|[^[\]\\])+)\]` +
        String.raw`\(\s*(?:<(${URL}[^\s>]+)>|(${URL}(?:\\.|\([^\s()]*\)|[^\s()\\])+))(?:\s+"[^"]*")?\s*\)`,
      "iy",
    ),
    masked,
  ],
  [new RegExp(String.raw`(${URL}[^\s<]*[^<.,:;"'\]\s])`, "iy"), bare],
  [/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, inner],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, inner],
  [/\b_((?:__|\\[\s\S]|[^\\_])+?)_\b/y, inner],
  [/\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/y, inner],
  [/~~((?:\\[\s\S]|[^\\])+?)~~/y, inner],
  [/\|\|([\s\S]+?)\|\|/y, (source, hidden = "") => covered(inner(source, hidden))],
  [/([^\\`<[*_~|h@\n]+)/iy, verbatim],
];

/** A label that says an address is no label: the client shows all of it as it is. */
function masked({ nameOf }: Source, label = "", angled = "", open = ""): Reading | null {
  const read = readMarkdown(label, nameOf);
  const url = (angled || open).replaceAll(/\\(.)/g, "$1");
  return /https?:\/\//i.test(read.text) ? null : { ...read, links: [{ label: read.text, url }] };
}

/** A bracket that was not opened in it ends it. */
function bare({ text, at }: Source, found = ""): Reading | null {
  const url = found.replace(/\)+$/, (end) =>
    ")".repeat(Math.max(0, opened(found) - closed(found) + end.length)),
  );
  return text.startsWith(url, at) ? { ...linked(url, url), text: found } : null;
}

const opened = (url: string): number => url.split("(").length - 1;
const closed = (url: string): number => url.split(")").length - 1;

/** Hidden until one taps it. */
const covered = (read: ReturnType<Rule>): Reading | null => (read === null ? null : { ...read, text: "▮▮" });

const timeOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(11, 16)} UTC`;
