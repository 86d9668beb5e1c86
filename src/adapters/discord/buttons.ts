/** Buttons, and the ids that they send back. Pure. */
import type { Control } from "../../core/card.ts";
import type { Button, Pressable, Row } from "./kit.ts";
import { MOST } from "./limits.ts";
import { plain } from "./text.ts";

/** The id of a button for one option: that of the pick and the option's value, as one message has no id twice. */
export const entryAction = (pick: string, value: string): string => `${pick}#${value}`;

/** The pick of an action's id, and the option's value where it was that option's button. Other ids come back whole. */
export function splitEntryAction(customId: string): { button: string; value: string | null } {
  const [button = "", value = ""] = customId.split("#", 2);
  return { button, value: value === "" ? null : value };
}

/** The id of a button that asks before it acts; and the button that then acts, null for one that does not ask. */
const asking = (id: string): string => `${id}?`;
export const askedOf = (customId: string): string | null =>
  customId.endsWith("?") ? customId.slice(0, -1) : null;

const STYLES = { primary: 1, plain: 2, danger: 4 } as const;

export const button = ({ id, label, style, confirm }: Omit<Control, "verb" | "form">): Button => ({
  type: 2,
  style: STYLES[style],
  label: plain(label, MOST.button),
  custom_id: confirm === null ? id : asking(id),
});

/** A menu has a row of its own; buttons stand in one row if they fit, else what belongs together stays together. */
export function rows(groups: Pressable[][]): Row[] {
  const menus = groups.flat().filter(({ type }) => type === 3);
  const buttons = groups.map((group) => group.filter(({ type }) => type === 2));
  const kept = buttons.flat().length <= MOST.buttonsPerRow ? [buttons.flat()] : buttons;
  return [...menus.map((menu) => [menu]), ...kept.flatMap(chunks)].map((components) => ({
    type: 1,
    components,
  }));
}

function chunks(buttons: Pressable[]): Pressable[][] {
  if (buttons.length === 0) return [];
  return [buttons.slice(0, MOST.buttonsPerRow), ...chunks(buttons.slice(MOST.buttonsPerRow))];
}
