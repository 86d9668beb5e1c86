/** What a session may hear: the intents it asks for, and those that the developer portal must grant. */
import type { App } from "./model.ts";

export const INTENTS = {
  guilds: 1 << 0,
  members: 1 << 1,
  presences: 1 << 8,
  messages: 1 << 9,
  reactions: 1 << 10,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  content: 1 << 15,
} as const;

/** 0 to 16, 20, 21, 24 and 25. */
const ALL = 0x1ffff | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

/** The code that closes a session which asks for these, or null. */
export function refusedIntents(intents: number, { granted }: App): 4013 | 4014 | null {
  if (!Number.isInteger(intents) || intents < 0 || (intents & ~ALL) !== 0) return 4013;
  const missing =
    (granted.members ? 0 : INTENTS.members) |
    (granted.presences ? 0 : INTENTS.presences) |
    (granted.messageContent ? 0 : INTENTS.content);
  return (intents & missing) === 0 ? null : 4014;
}
