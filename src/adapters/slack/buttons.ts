/** Buttons, and the ids that they send back. Pure. */
import type { Control } from "../../core/card.ts";
import type { Actions, Button, Pressable } from "./kit.ts";
import { MOST } from "./limits.ts";
import { plain } from "./text.ts";

/** The id of a button for one option: that of the pick and the option's value, as one message has no id twice. */
export const entryAction = (pick: string, value: string): string => `${pick}#${value}`;

/** The pick of an action's id, and the option's value where it was that option's button. Other ids come back whole. */
export function splitEntryAction(actionId: string): { button: string; value: string | null } {
  const [button = "", value = ""] = actionId.split("#", 2);
  return { button, value: value === "" ? null : value };
}

export function button({ id, label, style, confirm }: Control): Button {
  return {
    type: "button",
    action_id: id,
    text: plain(label, MOST.button),
    ...(style !== "plain" && { style }),
    ...(confirm !== null && {
      confirm: {
        title: plain(label, MOST.confirmTitle),
        text: plain(confirm.text, MOST.confirmText),
        confirm: plain(label, MOST.confirmButton),
        deny: plain(confirm.decline, MOST.confirmButton),
        ...(style === "danger" && { style }),
      },
    }),
  };
}

/** Rows of a few: all in one if they fit, else what belongs together stays together. */
export function rows(groups: Pressable[][], blockId?: string): Actions[] {
  const all = groups.flat();
  const kept = all.length <= MOST.buttonsPerRow ? [all] : groups;
  return kept.flatMap(chunks).map((elements, index) => ({
    type: "actions",
    ...(blockId !== undefined && { block_id: index === 0 ? blockId : `${blockId}.${index}` }),
    elements,
  }));
}

function chunks(elements: Pressable[]): Pressable[][] {
  if (elements.length === 0) return [];
  return [elements.slice(0, MOST.buttonsPerRow), ...chunks(elements.slice(MOST.buttonsPerRow))];
}
