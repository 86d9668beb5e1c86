/**
 * Makes cards fit what a surface can show, deterministically. Nothing is cut silently: what does not fit is shortened with
 * `…` and stands whole in a file on the same card.
 */
import type { Card, Comment, Entry, Limits, Part } from "./card.ts";

/** Left free on a card for what picks, progress and controls add to it. */
const RESERVE = 0.2;

/** Would these parts fit one card, with room for what comes later? */
export const fitsBeside = (parts: Part[], limits: Limits): boolean =>
  weigh(parts) <= limits.card * (1 - RESERVE) &&
  units(parts, limits) + limits.unitsPer.controls <= limits.units;

/** The card within the limits. Long texts become several; then details go to a file, then texts are shortened. */
export function fit(card: Card, limits: Limits): Card {
  const parts = card.parts.flatMap((part) => splitText(part, limits.text));
  if (fits(parts, limits)) return { ...card, parts };
  const file: Part = { kind: "file", name: "full-text.txt", text: fullText(card.parts) };
  const budgets = [limits.text, 1200, 600, 300, 150, 75, 40, 20, 8, 2].filter(
    (budget) => budget <= limits.text,
  );
  const shorter = [withoutDetails(card.parts), ...budgets.map((budget) => shortened(card.parts, budget))];
  const first = shorter.find((candidate) => fits([...candidate, file], limits));
  return { ...card, parts: [...(first ?? shorter.at(-1) ?? []), file] };
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

/** All texts that a part shows. */
function texts(part: Part): string[] {
  switch (part.kind) {
    case "title":
      return [part.text, part.subtitle, part.origin];
    case "text":
    case "progress":
      return [part.text];
    case "choice": {
      const entries = part.entries.flatMap(({ label, description, reason }) => [label, description, reason]);
      return [part.question, part.why, ...entries, part.answer, part.own, ...part.notes];
    }
    case "block":
      return [part.raw, ...part.comments.map(({ text, by }) => `${by}: ${text}`)];
    case "comments":
      return [part.label, ...part.comments.map(({ text, by }) => `${by}: ${text}`)];
    case "people":
      return part.people.map(({ name, state }) => `${name}: ${state}`);
    case "controls":
      return part.controls.map(({ label }) => label);
    case "file":
      return [];
  }
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

const fullText = (parts: Part[]): string => parts.flatMap(texts).filter(Boolean).join("\n\n");

/** Descriptions and reasons are the first to move to the file. */
const withoutDetails = (parts: Part[]): Part[] =>
  parts.map((part) =>
    part.kind === "choice"
      ? { ...part, entries: part.entries.map((entry) => ({ ...entry, description: "", reason: "" })) }
      : part,
  );

const shortened = (parts: Part[], budget: number): Part[] =>
  withoutDetails(parts).map((part) => shortenedPart(part, (value) => clip(value, budget)));

function shortenedPart(part: Part, cut: (value: string) => string): Part {
  switch (part.kind) {
    case "title":
      return { ...part, text: cut(part.text), subtitle: cut(part.subtitle), origin: cut(part.origin) };
    case "text":
      return { ...part, text: cut(part.text) };
    case "choice": {
      const entries = part.entries.map((entry) => ({ ...entry, label: cut(entry.label) }));
      const { question, why, answer, own, notes } = part;
      const head = { question: cut(question), why: cut(why), answer: cut(answer), own: cut(own) };
      return { ...part, ...head, entries, notes: notes.map(cut) };
    }
    case "block":
      return { ...part, raw: cut(part.raw), comments: cutComments(part.comments, cut) };
    case "comments":
      return { ...part, comments: cutComments(part.comments, cut) };
    case "progress":
    case "people":
    case "controls":
    case "file":
      return part;
  }
}

const cutComments = (comments: Comment[], cut: (value: string) => string): Comment[] =>
  comments.map((comment) => ({ ...comment, text: cut(comment.text) }));
