/** What can be used in blocks: buttons, selects and inputs, and what each of them shows to somebody. */
import type { Pick } from "./model.ts";
import { optionsOf } from "./text-objects.ts";
import { isJson, type Json, record, records, str } from "./wire.ts";

export interface Control {
  blockId: string;
  actionId: string;
  type: string;
  element: Json;
  /** The label of the input block it stands in. */
  label: string | null;
  optional: boolean;
  /** Whether using it tells the app at once. */
  dispatches: boolean;
}

const STATEFUL = new Set([
  "static_select",
  "multi_static_select",
  "radio_buttons",
  "checkboxes",
  "plain_text_input",
]);

export const MANY = new Set(["multi_static_select", "checkboxes"]);

export function controlsOf(blocks: readonly Json[]): Control[] {
  return blocks.flatMap((block) => {
    const elements = [
      ...(block.type === "actions" ? records(block.elements) : []),
      ...[block.accessory, block.element].filter(isJson),
    ];
    return elements.filter((element) => element.type !== "image").map((element) => controlOf(block, element));
  });
}

const controlOf = (block: Json, element: Json): Control => ({
  blockId: str(block.block_id),
  actionId: str(element.action_id),
  type: str(element.type),
  element,
  label: block.type === "input" ? str(record(block.label).text) : null,
  optional: block.optional === true,
  dispatches: block.type !== "input" || block.dispatch_action === true,
});

export const keyOf = (holder: string, control: Control): string =>
  JSON.stringify([holder, control.blockId, control.actionId]);

/** What it shows: what was picked here, else what it started with. */
export function shownOf(control: Control, picks: Map<string, Pick>, holder = ""): Pick {
  const picked = picks.get(keyOf(holder, control));
  if (picked !== undefined) return picked;
  const { element } = control;
  if (control.type === "plain_text_input") return { value: str(element.initial_value) };
  return {
    options: isJson(element.initial_option) ? [element.initial_option] : records(element.initial_options),
  };
}

/** `state.values` as payloads carry it, of all selects and inputs. */
export function stateOf(blocks: readonly Json[], picks: Map<string, Pick>, holder = ""): Json {
  const values: { [blockId: string]: Json } = {};
  for (const control of controlsOf(blocks)) {
    if (!STATEFUL.has(control.type)) continue;
    const block = values[control.blockId] ?? {};
    block[control.actionId] = { type: control.type, ...selected(control, shownOf(control, picks, holder)) };
    values[control.blockId] = block;
  }
  return values;
}

/** The part of an action or a state that says what is chosen. */
export function selected(control: Control, shown: Pick): Json {
  if ("value" in shown) return { value: shown.value === "" ? null : shown.value };
  if (MANY.has(control.type)) return { selected_options: shown.options };
  return { selected_option: shown.options[0] ?? null };
}

export const labelOf = (option: Json): string => str(record(option.text).text);

export const optionLabels = (control: Control): string[] => optionsOf(control.element).map(labelOf);
