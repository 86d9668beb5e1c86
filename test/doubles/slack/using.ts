/** Finding what a person means on the screen, and using it: buttons, selects, inputs. */
import { isDeepStrictEqual } from "node:util";
import {
  type Control,
  controlsOf,
  keyOf,
  labelOf,
  MANY,
  optionLabels,
  selected,
  shownOf,
} from "./controls.ts";
import { act, blocksOf, type Deed, type Holder, holderKey, picksOf, type Who } from "./interactions.ts";
import type { Pick } from "./model.ts";
import { optionsOf } from "./text-objects.ts";
import { type Json, record, str } from "./wire.ts";

/** One control, where its words are not enough. */
export interface Target {
  actionId?: string;
  blockId?: string;
  /** The value of a button. */
  value?: string;
  /** For choices: exactly these, by value; none takes the choice back. */
  values?: string[];
}

export async function press(
  who: Who,
  holder: Holder,
  what: string | Target,
  { declines = false }: { declines?: boolean } = {},
): Promise<Deed> {
  const words = ({ element }: Control) => str(record(element.text).text);
  const control = only(
    controlsOf(blocksOf(holder)).filter(
      (one) => one.type === "button" && (typeof what === "string" ? words(one) === what : meets(one, what)),
    ),
    `button ${JSON.stringify(what)}`,
    () =>
      controlsOf(blocksOf(holder))
        .filter((one) => one.type === "button")
        .map(words),
  );
  if (declines && control.element.confirm === undefined) throw new Error("no confirm dialog comes up");
  if (declines) return { kind: "declined" };
  const { value, style } = control.element;
  return act(who, holder, control, { value, style });
}

const meets = (control: Control, { actionId, blockId, value }: Target): boolean =>
  (actionId === undefined || control.actionId === actionId) &&
  (blockId === undefined || control.blockId === blockId) &&
  (value === undefined || control.element.value === value);

function only(found: Control[], what: string, there: () => string[]): Control {
  const [control] = found;
  if (control === undefined) throw new Error(`no ${what} there; there are: ${there().join(" | ") || "none"}`);
  if (found.length > 1)
    throw new Error(
      `more than one ${what}: ${found.map((one) => `${one.blockId}/${one.actionId}`).join(", ")}`,
    );
  return control;
}

/** Picks options by how their labels start, or exactly those a target names; many selects tell each pick. */
export async function choose(who: Who, holder: Holder, what: (string | Target)[]): Promise<Deed> {
  const labels = what.filter((one) => typeof one === "string");
  const target = what.find((one) => typeof one !== "string") ?? {};
  const control = only(
    controlsOf(blocksOf(holder)).filter(
      (one) =>
        optionsOf(one.element).length > 0 &&
        meets(one, target) &&
        labels.every((label) => option(one, label)),
    ),
    `choice ${JSON.stringify(what)}`,
    () => controlsOf(blocksOf(holder)).flatMap(optionLabels),
  );
  const picked = labels.map((label) => option(control, label)).filter((one) => one !== undefined);
  const named = target.values?.map((value) => byValue(control, value));
  if (!MANY.has(control.type)) return chooseOne(who, holder, control, named ?? picked);
  return chooseMany(who, holder, control, { add: picked, exactly: named ?? null });
}

function option(control: Control, label: string): Json | undefined {
  const options = optionsOf(control.element);
  return (
    options.find((one) => labelOf(one) === label) ?? options.find((one) => labelOf(one).startsWith(label))
  );
}

function byValue(control: Control, value: string): Json {
  const found = optionsOf(control.element).find((one) => one.value === value);
  if (found === undefined) throw new Error(`no option with the value ${value} there`);
  return found;
}

async function chooseOne(who: Who, holder: Holder, control: Control, options: Json[]): Promise<Deed> {
  if (options.length > 1) throw new Error(`${control.actionId} takes one option`);
  if (control.type === "overflow") return act(who, holder, control, { selected_option: options[0] });
  const before = shown(who, holder, control);
  if (control.type === "radio_buttons" && isDeepStrictEqual(before, { options })) return { kind: "unsent" };
  return pick(who, holder, control, { options });
}

async function chooseMany(
  who: Who,
  holder: Holder,
  control: Control,
  { add, exactly }: { add: Json[]; exactly: Json[] | null },
): Promise<Deed> {
  const before = shown(who, holder, control);
  const start = "options" in before ? before.options : [];
  let chosen = start;
  let deed: Deed = { kind: "unsent" };
  const dropped = exactly === null ? [] : start.filter((one) => !holds(exactly, one));
  const added = (exactly ?? add).filter((one) => !holds(start, one));
  for (const one of [...dropped, ...added]) {
    chosen = holds(chosen, one) ? chosen.filter((other) => !isDeepStrictEqual(other, one)) : [...chosen, one];
    const max = control.element.max_selected_items;
    if (typeof max === "number" && chosen.length > max) throw new Error(`${control.actionId} takes ${max}`);
    deed = await pick(who, holder, control, { options: chosen });
    if (deed.kind === "failed") return deed;
  }
  return deed;
}

const holds = (options: Json[], one: Json): boolean => options.some((other) => isDeepStrictEqual(other, one));

/** Writes into a text input; it tells the bot only where the block dispatches. */
export async function fill(who: Who, holder: Holder, what: string | Target, value: string): Promise<Deed> {
  const control = only(
    controlsOf(blocksOf(holder)).filter(
      (one) =>
        one.type === "plain_text_input" &&
        (typeof what === "string" ? one.label === what || one.blockId === what : meets(one, what)),
    ),
    `input ${JSON.stringify(what)}`,
    () => controlsOf(blocksOf(holder)).map((one) => one.label ?? one.actionId),
  );
  return pick(who, holder, control, { value });
}

const shown = (who: Who, holder: Holder, control: Control): Pick =>
  shownOf(control, picksOf(who, holder), holderKey(holder));

async function pick(who: Who, holder: Holder, control: Control, to: Pick): Promise<Deed> {
  picksOf(who, holder).set(keyOf(holderKey(holder), control), to);
  if (!control.dispatches) return { kind: "unsent" };
  return act(who, holder, control, selected(control, to));
}

/** What one control shows to somebody. */
export interface Seen {
  blockId: string;
  actionId: string;
  type: string;
  label: string;
  options: string[];
  chosen: string[];
}

export const seen = (who: Who, holder: Holder): Seen[] =>
  controlsOf(blocksOf(holder)).map((control) => {
    const now = shown(who, holder, control);
    return {
      blockId: control.blockId,
      actionId: control.actionId,
      type: control.type,
      label: str(record(control.element.text).text) || str(record(control.element.placeholder).text),
      options: optionLabels(control),
      chosen: "options" in now ? now.options.map(labelOf) : [now.value],
    };
  });
