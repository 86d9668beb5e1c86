/** Channels and reactions. */
import { addReaction, removeReaction } from "../deeds.ts";
import { messageOf, roomOf } from "../hub.ts";
import type { Message, Room } from "../model.ts";
import { may, need } from "../permissions.ts";
import { roomJson } from "../places.ts";
import { Refusal } from "../refusal.ts";
import { type Asked, idOf, type Routes } from "./route.ts";

export const channels: Routes = {
  "GET /channels/:channel": (asked) => {
    const room = roomOf(asked.hub, idOf(asked, "channel"));
    need(asked.hub.app.bot, room);
    return roomJson(room, asked.hub);
  },
  "POST /channels/:channel/typing": (asked) => {
    need(asked.hub.app.bot, roomOf(asked.hub, idOf(asked, "channel")));
    return null;
  },
  "PUT /channels/:channel/messages/:message/reactions/:emoji/@me": (asked) => {
    const { room, message } = target(asked);
    const emoji = emojiOf(asked);
    const fresh = !message.reactions.some((one) => one.emoji === emoji);
    need(asked.hub.app.bot, room, "READ_MESSAGE_HISTORY", ...(fresh ? (["ADD_REACTIONS"] as const) : []));
    addReaction(asked.hub, room, message, asked.hub.app.bot, emoji);
    return null;
  },
  "DELETE /channels/:channel/messages/:message/reactions/:emoji/@me": (asked) => {
    const { room, message } = target(asked);
    if (!removeReaction(asked.hub, room, message, asked.hub.app.bot, emojiOf(asked)))
      throw new Refusal(10014);
    return null;
  },
};

function target(asked: Asked): { room: Room; message: Message } {
  const room = roomOf(asked.hub, idOf(asked, "channel"));
  if (!may(asked.hub.app.bot, room, "VIEW_CHANNEL")) throw new Refusal(50001);
  if (room.archived) throw new Refusal(50083);
  return { room, message: messageOf(room, idOf(asked, "message")) };
}

function emojiOf(asked: Asked): string {
  const emoji = idOf(asked, "emoji");
  if (!/^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*0-9]\uFE0F?\u20E3)/u.test(emoji))
    throw new Refusal(10014);
  return emoji;
}
