/** Discord's error codes in words, and what to do about them. */
import type { Reply } from "./api.ts";

const SETUP = "run: askgate setup discord";

const REASONS: Readonly<Record<number, string>> = {
  10003: "there is no such channel, or the bot cannot see it",
  10004: "the bot is not in that server: invite it (askgate setup discord --invite)",
  10008: "the message was deleted",
  10013: "there is no such person",
  10007: "that person is not in the server",
  30046: "Discord lets nobody change a message of that age so often",
  40001: `the bot may not do that; ${SETUP}`,
  40005: "the file is too large for Discord",
  50001: "the bot cannot see it: give its role View Channel there",
  50007:
    "they take no direct messages from the bot: they share no server with it, or have switched direct messages off in its privacy settings",
  50278: "they share no server with the bot: invite it to one (askgate setup discord --invite)",
  50013: "the bot lacks a permission there: see askgate doctor",
  50024: "that kind of channel cannot be used",
  50035: "Discord does not accept how it is drawn",
  50083: "the thread is archived, and the bot may not open it again",
  160004: "it has a thread already",
  160005: "the thread is locked",
  160006: "the server has as many open threads as Discord allows: archive some",
};

/** "the message was deleted"; Discord's own words for what is rare. */
export function reason({ code, status, message }: { code: number; status: number; message: string }): string {
  if (status === 401) return `the bot token is not valid; ${SETUP}`;
  return REASONS[code] ?? `Discord says: ${message} (${code || status})`;
}

export function failureOf(reply: Exclude<Reply<unknown>, { kind: "ok" }>): string {
  if (reply.kind === "error") return reason(reply);
  return reply.kind === "limited" ? "Discord asks for patience; try again soon" : "Discord does not answer";
}

/** Why the gateway will not have the bot, by the code that it closes with. */
export const closed = (code: number): string =>
  ({
    4004: `the bot token is not valid; ${SETUP}`,
    4011: "the bot is in too many servers for one connection: use a bot of your own",
    4013: "Discord does not know what the bot asks to hear: install a newer askgate",
    4014: "Message Content Intent is switched off: switch it on in the Developer Portal, under Bot",
  })[code] ?? `Discord closed the connection (${code})`;
