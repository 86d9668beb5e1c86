/**
 * The notification. A push notification shows a message's `content` and none of its components, and a message of components
 * has no content: so a post that notifies goes out with words first, and becomes the card at once. Pure.
 */
import type { Card } from "../../core/card.ts";
import { clip } from "../../core/fit.ts";
import { oneLine } from "../shared/text.ts";
import type { Message, Row } from "./kit.ts";
import { mentionLine } from "./notification.ts";
import { escaped, isUnseen } from "./text.ts";

/** Whom it calls, what is wanted, and the first buttons of the card: what makes the post recognisable stands on those. */
export interface Announcement {
  content: string;
  components: [Row];
}

/** Escaped and with those whom it calls it stays below 2,000. */
const WORDS = 700;

/** Only what begins a round makes a sound, and what calls somebody. */
export const isSilent = ({ key, round, mention }: Card): boolean => key !== round && mention.length === 0;

/** Null for what notifies nobody, or has nothing to press. */
export function announcement(card: Card, { components }: Message): Announcement | null {
  const row = components.find((one): one is Row => one.type === 1);
  if (isSilent(card) || row === undefined || isUnseen(card.alert)) return null;
  const content = [mentionLine(card), escaped(clip(oneLine(card.alert), WORDS))].filter(Boolean).join(" ");
  return { content, components: [row] };
}
