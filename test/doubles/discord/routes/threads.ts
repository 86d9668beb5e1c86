/** Threads: opened, joined, archived and locked by the bot. */
import * as spec from "discord-api-spec/zod";
import { isThread, messageOf, roomOf } from "../hub.ts";
import type { Room, User } from "../model.ts";
import { may, need } from "../permissions.ts";
import { roomJson, threadMemberJson } from "../places.ts";
import { invalid, Refusal } from "../refusal.ts";
import { check } from "../schema.ts";
import { addToThread, joinThread, openThread, setThread, type ThreadChange } from "../threads.ts";
import { type Json, num, str } from "../wire.ts";
import { type Asked, idOf, type Routes } from "./route.ts";

const PRIVATE = 12;

export const threads: Routes = {
  "POST /channels/:channel/messages/:message/threads": (asked) => {
    const room = parentOf(asked, false);
    const message = messageOf(room, idOf(asked, "message"));
    // discord.js sends a type here too; it says nothing, for the channel decides.
    const { type: _, ...body } = asked.body;
    const complaints = check(spec.CreateTextThreadWithMessageRequestSchema, body);
    if (complaints.length > 0) throw invalid(...complaints);
    const thread = openThread(asked.hub, room, { ...newThread(asked), message });
    return roomJson(thread, asked.hub);
  },
  "POST /channels/:channel/threads": (asked) => {
    const hidden = num(asked.body.type ?? PRIVATE) === PRIVATE;
    const room = parentOf(asked, hidden);
    const complaints = check(spec.CreateTextThreadWithoutMessageRequestSchema, asked.body);
    if (complaints.length > 0) throw invalid(...complaints);
    const thread = openThread(asked.hub, room, { ...newThread(asked), message: null, hidden });
    return roomJson(thread, asked.hub);
  },
  "GET /channels/:channel/thread-members": (asked) => {
    const room = threadOf(asked);
    return [...room.members.values()].map((user) => threadMemberJson(room, user));
  },
  "GET /channels/:channel/thread-members/:user": (asked) => {
    const room = threadOf(asked);
    const user = room.members.get(memberOf(asked, room).id);
    if (user === undefined) throw new Refusal(10007);
    return threadMemberJson(room, user);
  },
  "PUT /channels/:channel/thread-members/:user": (asked) => {
    const room = threadOf(asked);
    if (room.archived) throw new Refusal(50083);
    const user = memberOf(asked, room);
    if (user !== asked.hub.app.bot) need(asked.hub.app.bot, room, "SEND_MESSAGES_IN_THREADS");
    if (room.parent !== null && !may(user, room.parent, "VIEW_CHANNEL")) throw new Refusal(50001);
    if (user === asked.hub.app.bot) joinThread(asked.hub, room, user);
    else addToThread(asked.hub, room, asked.hub.app.bot, user);
    return null;
  },
  "PATCH /channels/:channel": changeThread,
  "GET /channels/:channel/threads/archived/public": (asked) => {
    const { hub } = asked;
    const room = roomOf(hub, idOf(asked, "channel"));
    need(hub.app.bot, room, "READ_MESSAGE_HISTORY");
    const archived = [...hub.rooms.values()].filter(
      (one) => one.parent === room && one.archived && one.kind === "thread" && !one.deleted,
    );
    return { threads: archived.map((one) => roomJson(one, hub)), members: [], has_more: false };
  },
};

function parentOf(asked: Asked, hidden: boolean): Room {
  const room = roomOf(asked.hub, idOf(asked, "channel"));
  const { bot } = asked.hub.app;
  need(bot, room);
  if (room.kind !== "text") throw new Refusal(50024);
  need(bot, room, hidden ? "CREATE_PRIVATE_THREADS" : "CREATE_PUBLIC_THREADS");
  return room;
}

const newThread = ({ hub, body }: Asked) => ({
  owner: hub.app.bot,
  name: str(body.name),
  autoArchive: num(body.auto_archive_duration) || 1440,
});

function threadOf(asked: Asked): Room {
  const room = roomOf(asked.hub, idOf(asked, "channel"));
  need(asked.hub.app.bot, room);
  if (!isThread(room)) throw new Refusal(50024);
  return room;
}

function memberOf(asked: Asked, room: Room): User {
  const id = idOf(asked, "user");
  const user = asked.hub.users.get(id === "@me" ? asked.hub.app.bot.id : id);
  if (user === undefined) throw new Refusal(10013);
  if (!room.guild?.members.has(user.id)) throw new Refusal(10007);
  return user;
}

/** Locking is for those who manage threads, archiving for its owner too; nothing else of an archived one changes. */
function changeThread(asked: Asked): Json {
  const { hub, body } = asked;
  const { bot } = hub.app;
  const room = roomOf(hub, idOf(asked, "channel"));
  need(bot, room);
  if (!isThread(room)) {
    need(bot, room, "MANAGE_CHANNELS");
    throw new Refusal(50024);
  }
  const complaints = check(spec.UpdateThreadRequestPartialSchema, body);
  if (complaints.length > 0) throw invalid(...complaints);
  const unarchives = body.archived === false && !room.locked;
  const others = Object.keys(body).some((key) => key !== "archived");
  if (others || !unarchives) {
    const own = room.ownerId === bot.id && body.locked === undefined && !room.locked;
    if (!own) need(bot, room, "MANAGE_THREADS");
  }
  if (room.archived && body.archived !== false) throw new Refusal(50083);
  setThread(hub, room, changeOf(body));
  return roomJson(room, hub);
}

function changeOf({ name, archived, locked, auto_archive_duration }: Json): ThreadChange {
  const changed: ThreadChange = {};
  if (typeof name === "string") changed.name = name;
  if (typeof archived === "boolean") changed.archived = archived;
  if (typeof locked === "boolean") changed.locked = locked;
  if (typeof auto_archive_duration === "number") changed.autoArchive = auto_archive_duration;
  return changed;
}
