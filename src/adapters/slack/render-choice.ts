/** A decision: its question and options as text, and what to press. Pure. */
import type { ChoicePart, Entry, Pointer } from "../../core/card.ts";
import { entryText } from "../../core/fit.ts";
import { asButtons, choiceControls as controlsOf } from "../shared/choice.ts";
import { button, entryAction } from "./buttons.ts";
import type { Inline, MultiSelect, Option, Pressable, RichPart, Section, Select } from "./kit.ts";
import { MOST } from "./limits.ts";
import { items, joined, lines, linked, say, section } from "./rich-text.ts";
import { clipCounted, countedLength, plain, safe } from "./text.ts";

/** How much room there is. */
export interface Room {
  /** Characters of a menu's entry. */
  entry: number;
}

/** Texts up to this length stay on one line with their option's label. */
const SHORT = 60;
/** A phone shows this much of a button. */
const SHORT_BUTTON = 30;

/** "1  Which auth methods for v1?" */
export function drawQuestion({ number, question }: ChoicePart): RichPart[] {
  const text = question.trim();
  const all = number > 0 ? `${number}  ${text}` : text;
  return [section(say(all, text.length <= 300 ? { bold: true } : {}))];
}

/** The options and what was made of them, as text. */
export function drawOptions(part: ChoicePart): RichPart[] {
  const entries =
    asButtons(part, MOST.buttonsPerRow) && part.entries.every(isWholeOnButton) ? [] : part.entries;
  const beside = entries.every((entry) => entry.label.length + detailsOf(entry).join(" ").length <= SHORT);
  return [
    ...(entries.length > 0
      ? [
          items(
            entries.map((entry) => drawEntry(entry, beside)),
            numbered(entries),
          ),
        ]
      : []),
    section(
      lines([drawWhy(part), drawAnswer(part), ...part.notes.map((note) => say(note, { italic: true }))]),
    ),
    ...drawPointers(part.reveals, "↳ "),
  ];
}

const numbered = (entries: Entry[]): { style: "ordered"; offset?: number } => {
  const first = entries[0]?.number ?? 1;
  return { style: "ordered", ...(first > 1 && { offset: first - 1 }) };
};

const detailsOf = ({ description, reason }: Entry): string[] =>
  [description, reason].filter((text) => text.trim() !== "");

function drawEntry(entry: Entry, beside: boolean): Section {
  const { label, description, reason, recommended, chosen } = entry;
  const name = [
    ...say(chosen ? "✓ " : ""),
    ...say(label, chosen ? { bold: true } : {}),
    ...say(recommended ? " ★" : ""),
  ];
  const details = [say(description.trim()), say(reason.trim(), { italic: true })];
  return section(beside ? joined([name, ...details], " — ") : lines([name, joined(details, " ")]));
}

const drawWhy = ({ why }: ChoicePart): Inline[] =>
  why.trim() === "" ? [] : [...say("★ "), ...say(why.trim(), { italic: true })];

const drawAnswer = ({ answer }: ChoicePart): Inline[] =>
  answer === "" ? [] : say(`✓ ${answer}`, { bold: true });

/** "↳ follow-up: Password policy?", each on a line of its own; links where they have an address. */
export function drawPointers(pointers: Pointer[], mark: string): RichPart[] {
  const drawn = pointers.map(({ label, url }): Inline[] => {
    const text = safe(label).replaceAll(/\s+/g, " ");
    return [...say(mark), ...(url === null ? say(text) : [linked(text, url)])];
  });
  return drawn.length > 0 ? [section(lines(drawn))] : [];
}

/** What can be pressed to answer it; nothing where it is only shown. */
export const choiceControls = (part: ChoicePart, room: Room): Pressable[] =>
  controlsOf(part, {
    row: MOST.buttonsPerRow,
    options: (pick) => optionButtons(part, pick),
    menu: (pick) => menu(part, pick, room),
    other: button,
  });

const isWholeOnButton = ({ label }: Entry): boolean =>
  !label.includes("\n") && countedLength(safe(label)) <= SHORT_BUTTON;

/** Whole where it is short; else as a menu shows it, with the number that it has in the list. */
const optionButtons = ({ entries }: ChoicePart, pick: string): Pressable[] => {
  const whole = entries.every(isWholeOnButton);
  return entries.map((entry) => ({
    type: "button",
    action_id: entryAction(pick, entry.value),
    value: entry.value,
    text: plain(whole ? entry.label : entryText(entry, MOST.button), whole ? MOST.button : SHORT_BUTTON),
  }));
};

/** Without words of its own Slack asks the reader to choose, in the reader's language. */
function menu(part: ChoicePart, pick: string, { entry: most }: Room): Select | MultiSelect {
  const { entries, own, other, multi } = part;
  const options = entries.map((entry): Option => ({ text: entryLabel(entry, most), value: entry.value }));
  const chosen = options.filter((_, index) => entries[index]?.chosen);
  const action_id = other?.id === pick ? entryAction(pick, "") : pick;
  const placeholder =
    own.trim() === "" ? {} : { placeholder: plain(`✎ ${own}`, Math.min(MOST.placeholder, most * 2)) };
  if (multi) {
    const initial = chosen.length > 0 ? { initial_options: chosen } : {};
    return { type: "multi_static_select", action_id, options, ...initial, ...placeholder };
  }
  const [first] = chosen;
  return {
    type: "static_select",
    action_id,
    options,
    ...(first && { initial_option: first }),
    ...placeholder,
  };
}

const entryLabel = (entry: Entry, most: number) =>
  plain(clipCounted(entryText(entry, MOST.entry), most), most);

/** Changes whenever what is stored does: Slack keeps showing an old pick in a menu whose block has the same id. */
export function choiceBlockId({ pick, target, entries, own }: ChoicePart): string {
  const chosen = entries.filter((entry) => entry.chosen).map(({ value }) => value);
  return `${pick ?? target}~${hash(JSON.stringify([chosen, own]))}`;
}

/** FNV-1a. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(36);
}
