/** What can be used on a message or in a modal, and what each of them shows to somebody. */

import { leastOf, mostOf } from "./component-rules.ts";
import { flat } from "./components.ts";
import { KINDS } from "./limits.ts";
import type { Message, OpenModal, User } from "./model.ts";
import { isJson, type Json, records, str } from "./wire.ts";

export interface Control {
  customId: string;
  type: number;
  component: Json;
  /** A button's words, or the label that stands around an input. */
  label: string;
  disabled: boolean;
}

const INPUTS = new Set<number>([KINDS.select, KINDS.textInput, KINDS.radio, KINDS.boxes, KINDS.box]);

export const buttonsOf = ({ components }: Message): Control[] =>
  flat(components)
    .filter(({ type }) => type === KINDS.button)
    .map((one) => controlOf(one, str(one.label)));

export const selectsOf = ({ components }: Message): Control[] =>
  flat(components)
    .filter(({ type }) => type === KINDS.select)
    .map((one) => controlOf(one, str(one.placeholder)));

export const inputsOf = ({ components }: OpenModal): Control[] =>
  components.flatMap((one) => {
    if (isJson(one.component)) return [controlOf(one.component, str(one.label))];
    return records(one.components).map((input) => controlOf(input, str(input.label)));
  });

const controlOf = (component: Json, label: string): Control => ({
  customId: str(component.custom_id),
  type: Number(component.type),
  component,
  label,
  disabled: component.disabled === true,
});

export const isInput = ({ type }: Control): boolean => INPUTS.has(type);

export const optionsOf = ({ component }: Control): Json[] => records(component.options);

export const labelsOf = (control: Control): string[] => optionsOf(control).map(({ label }) => str(label));

export const pickKey = (message: Message, { customId }: Control): string => `${message.id} ${customId}`;

/** The values that a select shows: what was picked here since it last changed, else what it was sent with. */
export const shownOf = (user: User | null, message: Message, control: Control): string[] =>
  user?.picks.get(pickKey(message, control)) ?? defaultsOf(control);

export const defaultsOf = (control: Control): string[] =>
  optionsOf(control)
    .filter((option) => option.default === true)
    .map(({ value }) => str(value));

/** How many options may be picked. */
export const rangeOf = (control: Control): { least: number; most: number } => ({
  least: leastOf(control.component),
  most: mostOf(control.component, optionsOf(control).length),
});
