/** Messages of the bot: posted, read, edited and deleted. */
import { type Content, contentOf } from "../content.ts";
import { change, post, remove } from "../deeds.ts";
import { type Hub, isThread, messageOf, roomOf } from "../hub.ts";
import { LIMITS, TYPES } from "../limits.ts";
import { allowedBy } from "../mentions.ts";
import type { Message, Room } from "../model.ts";
import { messageJson, type Reader } from "../payloads.ts";
import { may, need } from "../permissions.ts";
import { invalid, Refusal, wrong } from "../refusal.ts";
import { isJson, type Json, str } from "../wire.ts";
import { type Asked, idOf, type Routes } from "./route.ts";

/** Nobody replies to them. */
const SYSTEM = new Set<number>([TYPES.added, TYPES.announced, TYPES.starter]);

export const messages: Routes = {
  "POST /channels/:channel/messages": create,
  "GET /channels/:channel/messages": (asked) => {
    const room = seen(asked);
    if (!may(asked.hub.app.bot, room, "READ_MESSAGE_HISTORY")) return [];
    return page(asked, room).map((message) => messageJson(message, asked.hub, reader(asked.hub)));
  },
  "GET /channels/:channel/messages/:message": (asked) => {
    const room = seen(asked);
    need(asked.hub.app.bot, room, "READ_MESSAGE_HISTORY");
    return messageJson(messageOf(room, idOf(asked, "message")), asked.hub, reader(asked.hub));
  },
  "PATCH /channels/:channel/messages/:message": (asked) => {
    const { hub } = asked;
    const room = seen(asked);
    const message = messageOf(room, idOf(asked, "message"));
    if (message.author !== hub.app.bot) throw new Refusal(50005);
    if (room.archived) throw new Refusal(50083);
    const content = contentOf(asked, "edit", message, hub.id);
    needFor(hub, room, content, message);
    countOld(hub, room, message);
    change(hub, message, content);
    return messageJson(message, hub, reader(hub));
  },
  "DELETE /channels/:channel/messages/:message": (asked) => {
    const room = seen(asked);
    const message = messageOf(room, idOf(asked, "message"));
    if (message.author !== asked.hub.app.bot) {
      if (room.kind === "dm") throw new Refusal(50003);
      need(asked.hub.app.bot, room, "MANAGE_MESSAGES");
    }
    remove(asked.hub, message);
    return null;
  },
};

/** REST shows content only where the portal grants it. */
export const reader = ({ app }: Hub): Reader => ({ bot: app.bot, content: app.granted.messageContent });

function seen(asked: Asked): Room {
  const room = roomOf(asked.hub, idOf(asked, "channel"));
  need(asked.hub.app.bot, room);
  return room;
}

function create(asked: Asked): Json {
  const { hub, body } = asked;
  const { bot } = hub.app;
  const room = seen(asked);
  needOpen(hub, room);
  need(bot, room, isThread(room) ? "SEND_MESSAGES_IN_THREADS" : "SEND_MESSAGES");
  if (room.locked && !may(bot, room, "MANAGE_THREADS")) throw new Refusal(160005);
  const content = contentOf(asked, "create", null, hub.id);
  needFor(hub, room, content, null);
  const reference = referenceOf(hub, room, body.message_reference);
  const nonce = typeof body.nonce === "string" || typeof body.nonce === "number" ? body.nonce : null;
  const there = body.enforce_nonce === true && nonce !== null ? sentBefore(hub, nonce) : undefined;
  const allowed = allowedBy(body.allowed_mentions);
  const message = there ?? post(hub, room, { author: bot, ...content, nonce, reference, allowed });
  return messageJson(message, hub, reader(hub));
}

/** A person can close herself to direct messages, or share no server with the bot any more. */
function needOpen(hub: Hub, room: Room): void {
  if (room.kind !== "dm") return;
  const other = [...room.members.values()].find((user) => user !== hub.app.bot);
  if (other === undefined) throw new Refusal(10003);
  if (other.closed) throw new Refusal(50007);
  const mutual = [...hub.guilds.values()].some(({ joined, members }) => joined && members.has(other.id));
  if (!mutual) throw new Refusal(50278);
}

/** What is new in a message needs permissions of its own. */
export function needFor(hub: Hub, room: Room, content: Content, before: Message | null): void {
  const { bot } = hub.app;
  if (content.embeds.length > 0 && content.embeds !== before?.embeds) need(bot, room, "EMBED_LINKS");
  const held = before?.attachments.length ?? 0;
  if (content.attachments.length > held) need(bot, room, "ATTACH_FILES");
}

function referenceOf(hub: Hub, room: Room, given: unknown): Message["reference"] {
  if (!isJson(given)) return null;
  const id = str(given.message_id);
  if (given.channel_id !== undefined && given.channel_id !== room.id)
    throw invalid(
      wrong(["message_reference"], "REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL", "Another channel's message"),
    );
  if (!may(hub.app.bot, room, "READ_MESSAGE_HISTORY")) throw new Refusal(160002);
  const found = room.log.find((one) => one.id === id && !one.gone);
  if (found !== undefined && SYSTEM.has(found.type))
    throw invalid(
      wrong(["message_reference"], "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", "Cannot reply to that"),
    );
  if (found !== undefined) return { channel: room.id, id };
  if (given.fail_if_not_exists === false) return null;
  throw invalid(wrong(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message"));
}

/** The message that was sent with this nonce a few minutes ago, wherever. */
function sentBefore(hub: Hub, nonce: string | number): Message | undefined {
  const since = hub.now() - LIMITS.nonceMs;
  for (const room of hub.rooms.values()) {
    const found = room.log.find(
      (one) =>
        one.author === hub.app.bot &&
        !one.gone &&
        one.at >= since &&
        one.nonce !== null &&
        String(one.nonce) === String(nonce),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function countOld(hub: Hub, room: Room, message: Message): void {
  const now = hub.now();
  if (now - message.at <= LIMITS.oldMs) return;
  room.oldEdits = room.oldEdits.filter((at) => now - at < LIMITS.oldMs);
  const [first] = room.oldEdits;
  if (first !== undefined && room.oldEdits.length >= hub.settings.oldEdits) {
    const refusal = new Refusal(30046);
    refusal.seconds = (first + LIMITS.oldMs - now) / 1000;
    throw refusal;
  }
  room.oldEdits.push(now);
}

/** Newest first, as Discord lists them. */
function page({ search }: Asked, room: Room): Message[] {
  const limit = Number(search.get("limit") ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw invalid(wrong(["limit"], "NUMBER_TYPE_MAX", "int value should be between 1 and 100."));
  const standing = room.log.filter((one) => !one.gone);
  const [after, before, around] = ["after", "before", "around"].map((key) => search.get(key));
  for (const id of [after, before, around])
    if (id && !/^\d+$/.test(id)) throw invalid(wrong([], "NUMBER_TYPE_COERCE", `${id} is not snowflake.`));
  if (after)
    return standing
      .filter(({ id }) => BigInt(id) > BigInt(after))
      .slice(0, limit)
      .reverse();
  if (around) return aroundOf(standing, BigInt(around), limit);
  const until = before ? standing.filter(({ id }) => BigInt(id) < BigInt(before)) : standing;
  return until.slice(-limit).reverse();
}

function aroundOf(standing: Message[], id: bigint, limit: number): Message[] {
  const half = Math.floor(limit / 2);
  const older = standing.filter((one) => BigInt(one.id) < id).slice(-half);
  const newer = standing.filter((one) => BigInt(one.id) >= id).slice(0, limit - half);
  return [...older, ...newer].reverse();
}
