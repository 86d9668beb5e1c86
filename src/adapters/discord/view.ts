/** Forms as modals, and what was filled in. Pure. */
import type { Field, Form } from "../../core/effect.ts";
import { clip } from "../../core/fit.ts";
import { oneLine, safe } from "../shared/text.ts";
import type { Label, Modal, Select, TextDisplay, TextInput } from "./kit.ts";
import { MOST } from "./limits.ts";
import { escaped, plain, tightlyFenced } from "./text.ts";

/** The button that opened it comes back with what was filled in. Discord names the button that sends it, in the reader's language. */
export function renderForm(form: Form): Modal {
  const fields = form.fields
    .filter((field) => field.kind === "text" || field.entries.length > 0)
    .slice(0, MOST.fields);
  const room = fields.length * 2 <= MOST.fields ? Math.floor(MOST.characters / fields.length) : 0;
  return {
    custom_id: form.button,
    title: plain(form.title, MOST.title),
    components: fields.flatMap((field, index) => drawField(field, `f${index}`, room)),
  };
}

/** A label that is too long stands whole above its field, or as far as it goes below its name. */
function drawField(field: Field, id: string, room: number): (TextDisplay | Label)[] {
  const isLong = oneLine(field.label).length > MOST.label;
  const label: Label = {
    type: 18,
    label: plain(field.label, MOST.label),
    ...(isLong && room === 0 && { description: plain(field.label, MOST.description) }),
    component: field.kind === "text" ? textInput(field, id) : menu(field, id),
  };
  return isLong && room > 0 ? [{ type: 10, content: whole(field.label, room) }, label] : [label];
}

const whole = (label: string, most: number): string =>
  [escaped(label), tightlyFenced(label)].find((drawn) => drawn.length <= most) ??
  tightlyFenced(clip(label, most - FENCE));

/** What stands around fenced words. */
const FENCE = 8;

const textInput = ({ value, required }: Extract<Field, { kind: "text" }>, id: string): TextInput => ({
  type: 4,
  custom_id: id,
  style: 2,
  max_length: MOST.words,
  required,
  ...(value !== "" && { value: clip(safe(value), MOST.words) }),
});

const menu = ({ entries }: Extract<Field, { kind: "select" }>, id: string): Select => ({
  type: 3,
  custom_id: id,
  options: entries
    .slice(0, MOST.entries)
    .map(({ value, label }) => ({ label: plain(label, MOST.entry), value })),
  required: true,
});

/** What a sent form holds, as far as it is known to be there; texts among the fields hold nothing. */
export interface Submitted {
  type: number;
  component?:
    | {
        custom_id?: string | undefined;
        value?: string | null | undefined;
        values?: readonly string[] | null | undefined;
        type: number;
      }
    | undefined;
}

/** The words of its text field ("" where it was left blank, null where it has none) and the chosen entries. */
export function formWords(components: readonly Submitted[]): { words: string | null; values: string[] } {
  const fields = components.flatMap(({ component }) => component ?? []);
  const text = fields.find(({ type }) => type === 4);
  return {
    words: text === undefined ? null : (text.value ?? ""),
    values: fields.flatMap(({ type, values }) => (type === 3 ? (values ?? []) : [])),
  };
}
