/**
 * The frozen brief: the file that it stands in, the block that goes into a prompt, and the gate between an agent's reply
 * and the file. Text in, text out: reading and writing the file is the shell's.
 */
import { type Brief, escapeLine, parseFrozen, type Sections } from "./brief.ts";
import { headingOf } from "./brief-heading.ts";
import { BRIEF_WORDS, type BriefWords, ENGLISH, SECTIONS, type SectionKey } from "./brief-labels.ts";

/** A brief file as found: absent, not UTF-8, or its sections. */
export type LoadedBrief = { state: "absent" } | { state: "unreadable" } | ({ state: "loaded" } & Brief);

/** What a reply came to: the file to write and the block to hand down, or what it lacks. */
export type FrozenBrief =
  | { ok: true; sections: Sections; file: string; prompt: string }
  | { ok: false; missing: SectionKey[] };

/** The words of a language tag such as `fr-CA`; English for what is not known. */
export function briefWords(locale: string): BriefWords {
  const language = locale.toLowerCase().split(/[-_]/)[0] ?? "";
  const known = Object.entries(BRIEF_WORDS).find(([key]) => key === language)?.[1];
  return known ?? ENGLISH;
}

/** Reads the content of a brief file, as text or as it stands on the disk; null if there is none. Never throws. */
export function loadBrief(content: string | Uint8Array | null): LoadedBrief {
  if (content === null) return { state: "absent" };
  try {
    const text =
      typeof content === "string" ? content : new TextDecoder("utf-8", { fatal: true }).decode(content);
    return { state: "loaded", ...parseFrozen(text) };
  } catch {
    return { state: "unreadable" };
  }
}

/** The frozen file: title, note, and every section, empty ones with a placeholder. Loading it gives the same sections. */
export function renderBrief(sections: Sections, locale: string): string {
  const words = briefWords(locale);
  const parts = SECTIONS.flatMap((key) => [`## ${words[key]}`, escaped(sections[key]) || `(${words.empty})`]);
  return `${[`# ${words.title}`, `> ${words.note}`, ...parts].join("\n\n")}\n`;
}

/** The sections with text, as they go into a prompt; "" if there is none. */
export function briefPrompt(sections: Sections, locale: string): string {
  const words = briefWords(locale);
  const parts = SECTIONS.map((key) => ({ name: words[key], text: sections[key].trim() }));
  return parts.flatMap(({ name, text }) => (text === "" ? [] : [`## ${name}\n${text}`])).join("\n\n");
}

/**
 * What people wrote after a brief was frozen, under a heading of its own and quoted, so that nothing in it can be taken for
 * a section; "" if they wrote nothing.
 */
export function amendmentsPrompt(amendments: string, locale: string): string {
  const lines = amendments.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  const [first = "", ...rest] = lines;
  const isTitled = first.startsWith("# ") && headingOf(first) === null;
  const text = (isTitled ? rest : lines).map(amendmentLine).join("\n").trim();
  return text === "" ? "" : `## ${briefWords(locale).amendments}\n${text}`;
}

/** Freezes a reply if all four sections have text; a placeholder is none. An incomplete reply changes nothing. */
export function freezeBrief(reply: string, locale: string): FrozenBrief {
  const { sections, missing } = parseFrozen(reply);
  if (missing.length > 0) return { ok: false, missing };
  return { ok: true, sections, file: renderBrief(sections, locale), prompt: briefPrompt(sections, locale) };
}

/** The block of a brief file that is complete, so that nobody is asked again; null if people have to be asked. */
export function frozenPrompt(content: string | Uint8Array | null, locale: string): string | null {
  const brief = loadBrief(content);
  return brief.state === "loaded" && brief.missing.length === 0 ? briefPrompt(brief.sections, locale) : null;
}

/** A heading says when and who; whatever else is no quote becomes one. */
function amendmentLine(line: string): string {
  const text = line.trimEnd();
  const heading = /^#{1,6}[ \t]+(.*)$/.exec(text)?.[1];
  if (heading !== undefined && headingOf(text) === null) return `### ${heading}`;
  return text === "" || text.startsWith(">") ? text : `> ${text}`;
}

const escaped = (text: string): string => text.trim().split("\n").map(escapeLine).join("\n");
