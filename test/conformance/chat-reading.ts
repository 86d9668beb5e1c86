/** Finding one's way on the screen, as the cases do it. */
import type { ChatCard, ChatRoom } from "./chat-stage.ts";

export function last<T>(all: readonly T[]): T {
  const found = all.at(-1);
  if (found === undefined) throw new Error("nothing stands there");
  return found;
}

/** The lowest card with this button: where one's thumb is. */
export const withButton = (room: ChatRoom, label: string): ChatCard =>
  last(room.cards().filter(({ buttons }) => buttons.includes(label)));

/** The card that shows this block of a plan. */
export function blockCard(room: ChatRoom, number: number): ChatCard {
  const shows = new RegExp(`¶${number}(?!\\d)`);
  const found = room.cards().find(({ text }) => shows.test(text));
  if (found === undefined) throw new Error(`¶${number} is nowhere`);
  return found;
}
