/** Whom a message calls. Messages of components have no words beside them, so that is all of a notification. Pure. */
import type { Card } from "../../core/card.ts";
import { MOST } from "./limits.ts";

/** The ids that a post calls, for `allowed_mentions`; those of other surfaces are none of ours. */
export function mentioned({ mention }: Pick<Card, "mention">): string[] {
  const ids = mention.flatMap((id) => /^discord:([1-9]\d{0,19})$/.exec(id)?.[1] ?? []);
  return [...new Set(ids)].slice(0, Math.floor(MOST.mentions / MENTION));
}

/** The length of `<@id> ` at most. */
const MENTION = 24;

/** "<@1> <@2>", or "". */
export const mentionLine = (card: Pick<Card, "mention">): string =>
  mentioned(card)
    .map((id) => `<@${id}>`)
    .join(" ");
