/** A decision: its question and options as text, and what to press. Pure. */
import type { ChoicePart, Entry, Pointer } from "../../core/card.ts";
import { entryText } from "../../core/fit.ts";
import { asButtons, choiceControls as controlsOf } from "../shared/choice.ts";
import { safe } from "../shared/text.ts";
import { button, entryAction } from "./buttons.ts";
import type { Option, Pressable, Select } from "./kit.ts";
import { MOST } from "./limits.ts";
import { closed, escaped, isUnseen, italic, linked, plain, strong } from "./text.ts";

/** How much room there is. */
export interface Room {
  /** Characters of a menu's entry; for 0 it is the option's number. */
  entry: number;
  /** How many of a list of pointers may be links: each takes about 90 characters. */
  links: number;
}

/** Texts up to this length stay on one line with their option's label. */
const SHORT = 60;
/** A phone shows this much of a button. */
const SHORT_BUTTON = 34;
/** Longer questions are easier to read when they are not bold. */
const LONG_QUESTION = 300;

/** "1  Which auth methods for v1?" */
export function drawQuestion({ number, question }: ChoicePart): string {
  const text = question.trim();
  const all = number > 0 ? `${number}  ${text}` : text;
  return text.length <= LONG_QUESTION ? strong(all) : escaped(all);
}

/** The options and what was made of them, as text. */
export function drawOptions(part: ChoicePart, room: Room): string {
  const entries = listed(part);
  const short = entries.every((entry) => entry.label.length + detailsOf(entry).join(" ").length <= SHORT);
  return [
    ...entries.map((entry) => drawEntry(entry, short)),
    isUnseen(part.why) ? "" : `★ ${closed(italic(part.why), 0)}`,
    isUnseen(part.answer) ? "" : closed(strong(`✓ ${part.answer.trim()}`), 0),
    ...part.notes.map((note) => closed(italic(note), 0)),
    drawPointers(part.reveals, "↳ ", room),
  ]
    .filter((line) => !isUnseen(line))
    .join("\n");
}

/** Those that no button shows whole. */
export const listed = (part: ChoicePart): Entry[] =>
  asButtons(part, MOST.buttonsPerRow) && part.entries.every(isWholeOnButton) ? [] : part.entries;

const detailsOf = ({ description, reason }: Entry): string[] =>
  [description, reason].filter((text) => !isUnseen(text));

function drawEntry(entry: Entry, short: boolean): string {
  const { number, label, description, reason, recommended, chosen } = entry;
  const mark = `${number}. `;
  const name = `${chosen ? `✓ ${strong(label)}` : escaped(label)}${recommended ? " ★" : ""}`;
  const details = [escaped(description), italic(reason)].filter((text) => !isUnseen(text));
  const lines = short ? [[name, ...details].join(" — ")] : [name, details.join(" ")];
  return `${mark}${closed(lines.join("\n"), mark.length)}`;
}

/** "↳ follow-up: Password policy?", each on a line of its own; links where they have an address. */
export const drawPointers = (pointers: Pointer[], mark: string, { links }: Pick<Room, "links">): string =>
  pointers
    .map(({ label, url }, index) =>
      url === null || index >= links ? closed(escaped(mark + label), 0) : linked(mark + label, url),
    )
    .join("\n");

/** What can be pressed to answer it; nothing where it is only shown. */
export const choiceControls = (part: ChoicePart, room: Room): Pressable[] =>
  controlsOf(part, {
    row: MOST.buttonsPerRow,
    options: (pick) => optionButtons(part, pick),
    menu: (pick) => menu(part, pick, room),
    other: button,
  });

const isWholeOnButton = ({ label }: Entry): boolean =>
  !label.includes("\n") && safe(label).length <= SHORT_BUTTON;

/** Whole where it is short; else as a menu shows it, with the number that it has in the list. */
function optionButtons({ entries }: ChoicePart, pick: string): Pressable[] {
  const whole = entries.every(isWholeOnButton);
  return entries.map((entry) => ({
    ...button({
      id: entryAction(pick, entry.value),
      label: whole ? entry.label : plain(entryText(entry, MOST.entry), SHORT_BUTTON),
      style: "plain",
      confirm: null,
    }),
  }));
}

/** Without words of its own Discord asks the reader to choose, in the reader's language. */
function menu(part: ChoicePart, pick: string, { entry: most }: Room): Select {
  const { own, other, multi } = part;
  const options = part.entries.slice(0, MOST.entries).map((entry) => drawOption(entry, most));
  const room = Math.min(MOST.placeholder, Math.max(20, most * 2));
  return {
    type: 3,
    custom_id: other?.id === pick ? entryAction(pick, "") : pick,
    options,
    min_values: multi ? 0 : 1,
    max_values: multi ? options.length : 1,
    ...(!isUnseen(own) && { placeholder: plain(`✎ ${own}`, room) }),
  };
}

const drawOption = (entry: Entry, most: number): Option => ({
  label: most === 0 ? String(entry.number) : plain(entryText(entry, MOST.entry), most),
  value: entry.value,
  ...(entry.chosen && { default: true as const }),
});
