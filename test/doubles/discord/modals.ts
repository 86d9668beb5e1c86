/** Filling in and submitting the modal a person has open. */
import { type Control, defaultsOf, inputsOf, isInput, labelsOf, optionsOf, rangeOf } from "./controls.ts";
import { interact, type Who } from "./interactions.ts";
import { KINDS } from "./limits.ts";
import type { OpenModal } from "./model.ts";
import { compact, isJson, type Json, records, str } from "./wire.ts";

export type Submitted =
  | { kind: "closed" }
  /** By custom id; the client shows them and sends nothing. */
  | { kind: "errors"; errors: { [customId: string]: string } }
  | { kind: "failed"; reason: string };

export type Filled = { [labelOrCustomId: string]: string | string[] | boolean };

/** A modal as it stands on somebody's screen. */
export interface Modal {
  customId: string;
  title: string;
  /** The texts between the inputs. */
  texts: string[];
  inputs: ModalInput[];
  /** Under the inputs, by custom id. */
  errors: { [customId: string]: string };
}

export interface ModalInput {
  customId: string;
  label: string;
  /** Below the label. */
  description: string;
  placeholder: string;
  required: boolean;
  /** The labels there are to choose from. */
  options: string[];
  /** What is written in it, or the labels that are chosen. */
  value: string | string[] | boolean;
}

export const shownModal = (modal: OpenModal): Modal => ({
  customId: modal.customId,
  title: modal.title,
  texts: modal.components.filter(({ type }) => type === KINDS.text).map(({ content }) => str(content)),
  inputs: inputsOf(modal).map((control) => shownInput(modal, control)),
  errors: modal.errors,
});

function shownInput(modal: OpenModal, control: Control): ModalInput {
  const { customId, label, component } = control;
  const held = heldIn(modal, control);
  const around = modal.components.find((one) => one.component === component);
  return {
    customId,
    label,
    description: str(around?.description),
    placeholder: str(component.placeholder),
    required: component.required !== false && control.type !== KINDS.box,
    options: labelsOf(control),
    value: Array.isArray(held)
      ? optionsOf(control)
          .filter(({ value }) => held.includes(str(value)))
          .map((one) => str(one.label))
      : held,
  };
}

const LONGEST = 4_000;

export async function submit(who: Who, filled: Filled): Promise<Submitted> {
  const { hub, user } = who;
  const { modal } = user;
  if (modal === null) throw new Error(`${user.name} has no modal open`);
  fillIn(modal, filled);
  modal.errors = Object.fromEntries(
    inputsOf(modal).flatMap((control) => {
      const wrong = objection(control, heldIn(modal, control));
      return wrong === null ? [] : [[control.customId, wrong]];
    }),
  );
  hub.ledger.changed();
  if (Object.keys(modal.errors).length > 0) return { kind: "errors", errors: modal.errors };
  const { deed } = await interact(who, {
    kind: "modal",
    room: modal.room,
    message: modal.message,
    data: { custom_id: modal.customId, components: modal.components.map((one) => sent(modal, one)) },
    label: `submit of ${modal.title}`,
  });
  if (deed.kind !== "acked") return { kind: "failed", reason: deed.kind === "failed" ? deed.reason : "" };
  if (user.modal === modal) user.modal = null;
  hub.ledger.changed();
  return { kind: "closed" };
}

function fillIn(modal: OpenModal, filled: Filled): void {
  const controls = inputsOf(modal);
  for (const [name, given] of Object.entries(filled)) {
    const control = controls.find((one) => one.customId === name || one.label === name);
    if (control === undefined || !isInput(control))
      throw new Error(`no input ${name} there; there are: ${controls.map((one) => one.label).join(" | ")}`);
    modal.filled.set(control.customId, filling(control, given));
  }
}

function filling(control: Control, given: string | string[] | boolean): string | string[] | boolean {
  if (control.type === KINDS.textInput || control.type === KINDS.box) {
    const fits = typeof given === (control.type === KINDS.box ? "boolean" : "string");
    if (!fits) throw new Error(`${control.label} does not take that`);
    return given;
  }
  if (typeof given === "boolean") throw new Error(`${control.label} does not take that`);
  return (typeof given === "string" ? [given] : given).map((label) => {
    const option = optionsOf(control).find((one) => one.label === label);
    if (option === undefined)
      throw new Error(`${control.label} has no option ${label}; it has: ${labelsOf(control).join(" | ")}`);
    return str(option.value);
  });
}

/** What was filled in, or what the modal came with. */
function heldIn(modal: OpenModal, control: Control): string | string[] | boolean {
  const filled = modal.filled.get(control.customId);
  if (filled !== undefined) return filled;
  if (control.type === KINDS.textInput) return str(control.component.value);
  return control.type === KINDS.box ? control.component.default === true : defaultsOf(control);
}

/** What the client itself objects to, before anything is sent. */
function objection(control: Control, value: string | string[] | boolean): string | null {
  const required = control.component.required !== false;
  if (typeof value === "boolean") return null;
  if (value.length === 0) return required ? "This field is required." : null;
  if (typeof value !== "string") {
    const { least, most } = rangeOf(control);
    return value.length < least || value.length > most ? `Choose ${least} to ${most}.` : null;
  }
  const { min_length: min, max_length: max } = control.component;
  if (typeof min === "number" && value.length < min) return `Must be at least ${min} characters.`;
  const most = typeof max === "number" ? max : LONGEST;
  return value.length > most ? `Must be at most ${most} characters.` : null;
}

/** A component as a submit carries it. */
function sent(modal: OpenModal, one: Json): Json {
  const { type, id } = one;
  if (isJson(one.component)) return compact({ type, id, component: sentInput(modal, one.component) });
  if (Array.isArray(one.components))
    return compact({ type, id, components: records(one.components).map((input) => sentInput(modal, input)) });
  return compact({ type, id });
}

function sentInput(modal: OpenModal, input: Json): Json {
  const control = inputsOf(modal).find(({ customId }) => customId === input.custom_id);
  if (control === undefined || !isInput(control))
    throw new Error(`nobody can fill in ${str(input.custom_id)} here`);
  const { type, id, custom_id } = input;
  const value = heldIn(modal, control);
  const many = type === KINDS.select || type === KINDS.boxes;
  const part = many
    ? { values: value }
    : { value: type === KINDS.radio && Array.isArray(value) ? (value[0] ?? null) : value };
  return compact({ type, id, custom_id, ...part });
}
