/** Forms as modals, and what was filled in. Pure. */
import type { Field, Form } from "../../core/effect.ts";
import { clip } from "../../core/fit.ts";
import type { Input, Select, TextInput, View } from "./kit.ts";
import { MOST } from "./limits.ts";
import { plain, safe } from "./text.ts";

/** `about` comes back with what was filled in: where the button was, at most 3,000 characters. */
export function renderForm(form: Form, about: string): View {
  return {
    type: "modal",
    callback_id: form.button,
    private_metadata: about,
    title: plain(form.title, MOST.viewWord),
    submit: plain(form.submit, MOST.viewWord),
    blocks: form.fields.flatMap((field, index) => drawField(field, `f${index}`)),
  };
}

function drawField(field: Field, id: string): Input[] {
  const label = plain(field.label, MOST.label);
  if (field.kind === "text")
    return [{ type: "input", block_id: id, label, element: textInput(field), optional: !field.required }];
  if (field.entries.length === 0) return [];
  return [{ type: "input", block_id: id, label, element: menu(field), optional: false }];
}

const textInput = ({ value }: Extract<Field, { kind: "text" }>): TextInput => ({
  type: "plain_text_input",
  action_id: "words",
  multiline: true,
  max_length: MOST.words,
  ...(value !== "" && { initial_value: clip(safe(value), MOST.words) }),
});

const menu = ({ entries }: Extract<Field, { kind: "select" }>): Select => ({
  type: "static_select",
  action_id: "entry",
  options: entries
    .slice(0, MOST.entries)
    .map(({ value, label }) => ({ text: plain(label, MOST.entry), value })),
});

/** What the fields of a sent form hold, as far as it is known to be there. */
export interface FormState {
  [block: string]: {
    [action: string]: {
      type?: string;
      value?: string | null | undefined;
      selected_option?: { value?: string | undefined } | null | undefined;
    };
  };
}

/** The words of its text field ("" where it was left blank, null where it has none) and the chosen entries. */
export function formWords(state: FormState): { words: string | null; values: string[] } {
  const inputs = Object.keys(state)
    .filter((block) => /^f\d+$/.test(block))
    .sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)))
    .flatMap((block) => Object.entries(state[block] ?? {}));
  const text = inputs.find(([action]) => action === "words");
  return {
    words: text === undefined ? null : (text[1].value ?? ""),
    values: inputs.flatMap(([, { selected_option }]) => selected_option?.value ?? []),
  };
}
