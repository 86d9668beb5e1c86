/** Finding what a person means on a message, and using it: buttons and selects. */
import { isDeepStrictEqual } from "node:util";
import {
  buttonsOf,
  type Control,
  labelsOf,
  optionsOf,
  pickKey,
  rangeOf,
  selectsOf,
  shownOf,
} from "./controls.ts";
import { type Deed, interact, type Who } from "./interactions.ts";
import { KINDS } from "./limits.ts";
import type { Message, Room } from "./model.ts";
import { may } from "./permissions.ts";
import { type Json, str } from "./wire.ts";

/** One control, where its words are not enough. */
export interface Target {
  customId?: string;
  /** For selects: exactly these, by value; none takes the choice back. */
  values?: string[];
}

/** What stands there now for her, or an exception: nobody presses what is gone. */
function held({ hub, user }: Who, message: Message): { room: Room; now: Message } {
  const room = hub.rooms.get(message.channel);
  const all = message.only === null ? room?.log : user.ephemerals;
  const now = all?.find((one) => one.id === message.id && !one.gone);
  if (room === undefined || room.deleted || now === undefined)
    throw new Error(`the message ${message.id} is not there any more`);
  if (!may(user, room, "VIEW_CHANNEL")) throw new Error(`${user.name} does not see ${room.name}`);
  return { room, now };
}

export async function press(who: Who, message: Message, what: string | Target): Promise<Deed> {
  const { room, now } = held(who, message);
  const buttons = buttonsOf(now).filter((one) => one.customId !== "");
  const meant = (one: Control) =>
    typeof what === "string" ? one.label === what : one.customId === what.customId;
  const control = only(buttons.filter(meant), `button ${JSON.stringify(what)}`, () =>
    buttons.map(({ label }) => label),
  );
  return use(who, { room, message: now, control }, {});
}

export async function choose(who: Who, message: Message, what: (string | Target)[]): Promise<Deed> {
  const { room, now } = held(who, message);
  const labels = what.filter((one) => typeof one === "string");
  const target = what.find((one) => typeof one !== "string") ?? {};
  const meant = (one: Control) =>
    (target.customId === undefined || one.customId === target.customId) &&
    labels.every((label) => optionOf(one, label));
  const selects = selectsOf(now);
  const control = only(selects.filter(meant), `choice ${JSON.stringify(what)}`, () =>
    selects.flatMap(labelsOf),
  );
  const values =
    target.values?.map((value) => existing(control, value)) ??
    labels.map((label) => str(optionOf(control, label)?.value));
  return pick(who, { room, message: now, control }, values);
}

const optionOf = (control: Control, label: string): Json | undefined =>
  optionsOf(control).find((one) => one.label === label) ??
  optionsOf(control).find((one) => str(one.label).startsWith(label));

function existing(control: Control, value: string): string {
  if (!optionsOf(control).some((one) => one.value === value))
    throw new Error(`no option with the value ${value} there`);
  return value;
}

export function only(found: Control[], what: string, there: () => string[]): Control {
  const [control] = found;
  if (control === undefined) throw new Error(`no ${what} there; there are: ${there().join(" | ") || "none"}`);
  if (found.length > 1)
    throw new Error(`more than one ${what}: ${found.map(({ customId }) => customId).join(", ")}`);
  return control;
}

/** Sends a press with any id and values, whatever stands on the message, and whether or not she sees it. */
export async function forge(
  who: Who,
  message: Message,
  { customId, values }: { customId: string; values?: string[] },
): Promise<Deed> {
  const room = who.hub.rooms.get(message.channel);
  if (room === undefined) throw new Error(`there is no channel ${message.channel}`);
  const type = values === undefined ? KINDS.button : KINDS.select;
  const chosen = values === undefined ? {} : { values };
  const { deed } = await interact(who, {
    kind: "component",
    room,
    message,
    data: { component_type: type, custom_id: customId, id: 1, ...chosen },
    label: `forged ${customId}`,
  });
  return deed;
}

interface Used {
  room: Room;
  message: Message;
  control: Control;
}

/** Sends nothing where the choice is what the client shows already. */
async function pick(who: Who, used: Used, values: string[]): Promise<Deed> {
  const { message, control } = used;
  const { least, most } = rangeOf(control);
  if (values.length < least || values.length > most)
    throw new Error(`${control.customId} takes ${least} to ${most} options, not ${values.length}`);
  const ordered = optionsOf(control)
    .map(({ value }) => str(value))
    .filter((value) => values.includes(value));
  if (isDeepStrictEqual(ordered, shownOf(who.user, message, control))) return { kind: "unsent" };
  if (!control.disabled) who.user.picks.set(pickKey(message, control), ordered);
  return use(who, used, { values: ordered });
}

async function use(who: Who, { room, message, control }: Used, more: Json): Promise<Deed> {
  if (control.disabled) throw new Error(`${control.label || control.customId} is disabled`);
  const word = control.type === KINDS.button ? "button" : "select";
  const { deed } = await interact(who, {
    kind: "component",
    room,
    message,
    data: {
      component_type: control.type,
      custom_id: control.customId,
      id: control.component.id,
      ...more,
    },
    label: `${word} ${control.label || control.customId}`,
  });
  return deed;
}

/** What one control shows to somebody. */
export interface Seen {
  customId: string;
  type: number;
  label: string;
  disabled: boolean;
  options: string[];
  chosen: string[];
}

export const seen = (who: Who, message: Message): Seen[] => {
  const { now } = held(who, message);
  return [...buttonsOf(now), ...selectsOf(now)].map((control) => {
    const shown = shownOf(who.user, now, control);
    const { customId, type, label, disabled } = control;
    const chosen = optionsOf(control).filter(({ value }) => shown.includes(str(value)));
    return {
      customId,
      type,
      label,
      disabled,
      options: labelsOf(control),
      chosen: chosen.map((one) => str(one.label)),
    };
  });
};
