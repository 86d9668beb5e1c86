/**
 * Makes cards fit what a surface can show, deterministically. Nothing is cut silently: what does not fit is shortened with
 * `…` and stands whole in a file on the same card.
 */
import type { Card, Entry, Limits, Part } from "./card.ts";
import { texts, withTexts } from "./texts.ts";

/** Left free on a card for what picks, progress and controls add to it: of its characters, and in units of text. */
const RESERVE = 0.2;
const RESERVE_UNITS = 5;

/** Would these parts fit one card, with room for what comes later? */
export const fitsBeside = (parts: Part[], limits: Limits): boolean =>
  weigh(parts) <= limits.card * (1 - RESERVE) &&
  units(parts, limits) + limits.unitsPer.controls + RESERVE_UNITS * limits.unitsPer.text <= limits.units;

/** The card within the limits. Long texts become several; then details go to a file, then texts are shortened. */
export function fit(card: Card, limits: Limits): Card {
  const parts = card.parts.flatMap((part) => splitText(part, limits.text));
  if (fits(parts, limits)) return { ...card, parts };
  const budgets = [limits.text, 1200, 600, 300, 150, 75, 40, 20, 8, 2].filter(
    (budget) => budget <= limits.text,
  );
  const shorter = [withoutDetails(card.parts), ...budgets.map((budget) => shortened(card.parts, budget))];
  const chosen = shorter.find((candidate) => fits(candidate, limits)) ?? shorter.at(-1) ?? [];
  return { ...card, parts: [...chosen, { kind: "file", ...wholeText(card, chosen) }] };
}

const fits = (parts: Part[], limits: Limits): boolean =>
  weigh(parts) <= limits.card &&
  units(parts, limits) <= limits.units &&
  parts.every((part) => longest(part) <= limits.text);

/** An entry as a select shows it: its number and label, cut with `…` where the platform demands it. */
export const entryText = ({ number, label }: Pick<Entry, "number" | "label">, most: number): string =>
  clip(`${number} ${label}`, most);

/** At most `most` UTF-16 units, never half a character. */
export function clip(value: string, most: number): string {
  if (value.length <= most) return value;
  return `${value.slice(0, boundary(value, Math.max(0, most - 1)))}…`;
}

/** The nearest place at or before `at` that does not split a surrogate pair. */
function boundary(value: string, at: number): number {
  const unit = value.charCodeAt(at - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
}

/** A long text as several, together exactly the text; split at a line, else a blank, else anywhere. */
function splitText(part: Part, most: number): Part[] {
  if (part.kind !== "text" || part.text.length <= most) return [part];
  const pieces: Part[] = [];
  let rest = part.text;
  while (rest.length > most) {
    const line = rest.lastIndexOf("\n", most - 1) + 1;
    const blank = rest.lastIndexOf(" ", most - 1) + 1;
    const at = [line, blank].find((candidate) => candidate > most / 2) ?? Math.max(1, boundary(rest, most));
    pieces.push({ ...part, text: rest.slice(0, at) });
    rest = rest.slice(at);
  }
  return [...pieces, { ...part, text: rest }];
}

const weigh = (parts: Part[]): number => parts.flatMap(texts).reduce((sum, text) => sum + text.length, 0);

const longest = (part: Part): number => Math.max(0, ...texts(part).map((text) => text.length));

function units(parts: Part[], { unitsPer, text }: Limits): number {
  return parts.reduce((sum, part) => {
    const long = Math.max(1, Math.ceil(weigh([part]) / text));
    if (part.kind === "choice") return sum + unitsPer.choice + (long - 1) * unitsPer.text;
    if (part.kind === "controls") return sum + unitsPer.controls;
    return part.kind === "file" ? sum : sum + long * unitsPer.text;
  }, 0);
}

/**
 * What the agent wrote, whole, and of what people did only what is cut: the rest stands on the card and would change the
 * file with every pick. A single fence is a file of its own kind.
 */
function wholeText({ key, parts }: Card, shown: Part[]): { name: string; text: string } {
  const [only, ...others] = parts.filter(({ kind }) => kind === "block");
  const fence = only?.kind === "block" && others.length === 0 ? fenced(only) : null;
  if (fence !== null) return fence;
  const onCard = new Set(shown.flatMap(texts));
  const mine = parts.flatMap(written);
  const own = new Set(mine);
  const cut = parts.flatMap(texts).filter((text) => !own.has(text) && !onCard.has(text));
  const [, part] = key.split("/");
  return {
    name: part === undefined ? "full-text.txt" : `full-text-${part}.txt`,
    text: [...mine, ...cut].filter(Boolean).join("\n\n"),
  };
}

/** A block that is one fence, as a file in its language: `block-7.ts`. */
function fenced({ raw, number }: Extract<Part, { kind: "block" }>): { name: string; text: string } | null {
  const [, language = "", code] =
    /^ {0,3}`{3,}[^\S\n]*([\w+#-]{0,20})[^\n]*\n([\s\S]*?)\n? {0,3}`{3,}\s*$/.exec(raw) ?? [];
  return code === undefined ? null : { name: `block-${number}.${language || "txt"}`, text: code };
}

function written(part: Part): string[] {
  if (part.kind === "choice") return texts({ ...part, answer: "", own: "", notes: [], reveals: [] });
  if (part.kind === "block") return [part.raw];
  return part.kind === "title" || part.kind === "text" ? texts(part) : [];
}

/** Descriptions and reasons are the first to move to the file. */
const withoutDetails = (parts: Part[]): Part[] =>
  parts.map((part) =>
    part.kind === "choice"
      ? { ...part, entries: part.entries.map((entry) => ({ ...entry, description: "", reason: "" })) }
      : part,
  );

const shortened = (parts: Part[], budget: number): Part[] =>
  withoutDetails(parts).map((part) =>
    isFixed(part) ? part : withTexts(part, (value) => clip(value, budget)),
  );

/** Short by nature, and of no use in part. */
const isFixed = ({ kind }: Part): boolean => kind === "progress" || kind === "people" || kind === "controls";
