/** How a decision is answered in a chat: by buttons, or by a menu. Pure. */
import type { ChoicePart, Control } from "../../core/card.ts";

/** How a platform draws what can be pressed. */
export interface Drawn<T> {
  /** Buttons that stand in one row. */
  row: number;
  options(pick: string): T[];
  menu(pick: string): T;
  other(control: Control): T;
}

/** What can be pressed to answer it; nothing where it is only shown. */
export function choiceControls<T>(part: ChoicePart, { row, options, menu, other }: Drawn<T>): T[] {
  const { pick, entries } = part;
  const answers =
    pick === null || entries.length === 0 ? [] : asButtons(part, row) ? options(pick) : [menu(pick)];
  return [...answers, ...(part.other === null ? [] : [other(part.other)])];
}

/** A question of its own with few options is answered by one press. */
export const asButtons = ({ number, multi, pick, entries }: ChoicePart, row: number): boolean =>
  number === 0 && !multi && pick !== null && entries.length <= row;
