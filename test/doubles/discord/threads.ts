/** Threads: how they begin, change and are told of. */
import { emitMessage, newRoom, post } from "./deeds.ts";
import { type Hub, isThread } from "./hub.ts";
import { INTENTS } from "./intents.ts";
import { TYPES } from "./limits.ts";
import { fullMember } from "./members.ts";
import type { Message, Room, User } from "./model.ts";
import { may } from "./permissions.ts";
import { roomJson, threadMemberJson } from "./places.ts";
import { Refusal } from "./refusal.ts";
import type { Json } from "./wire.ts";

export interface NewThread {
  owner: User;
  name: string;
  /** The message it hangs on. */
  message: Message | null;
  autoArchive?: number;
  hidden?: boolean;
}

/** From a message it has the message's id, and there is but one. */
export function openThread(hub: Hub, parent: Room, given: NewThread): Room {
  const { owner, name, message, autoArchive = 1440, hidden = false } = given;
  if (parent.kind !== "text") throw new Refusal(50024);
  if (message !== null && hub.rooms.has(message.id)) throw new Refusal(160004);
  const room = newRoom(message?.id ?? hub.id(), name, hidden ? "private_thread" : "thread");
  room.guild = parent.guild;
  room.parent = parent;
  room.ownerId = owner.id;
  room.autoArchive = autoArchive;
  room.archivedAt = hub.now();
  room.members.set(owner.id, owner);
  hub.rooms.set(room.id, room);
  emitThread(hub, "THREAD_CREATE", room, { newly_created: true });
  if (message !== null) {
    message.thread = room;
    emitMessage(hub, "MESSAGE_UPDATE", parent, message);
    post(hub, room, {
      author: owner,
      type: TYPES.starter,
      reference: { channel: parent.id, id: message.id },
    });
  } else if (!hidden) {
    post(hub, parent, { author: owner, type: TYPES.announced, content: name });
  }
  hub.ledger.changed();
  return room;
}

export interface ThreadChange {
  name?: string;
  archived?: boolean;
  locked?: boolean;
  autoArchive?: number;
}

export function setThread(hub: Hub, room: Room, changed: ThreadChange): void {
  if (!isThread(room)) throw new Error(`${room.name} is no thread`);
  if (changed.archived !== undefined && changed.archived !== room.archived) room.archivedAt = hub.now();
  Object.assign(room, changed);
  emitThread(hub, "THREAD_UPDATE", room);
  hub.ledger.changed();
}

/** Adds somebody, which stands in the thread and calls them; a mention adds without a word. */
export function addToThread(hub: Hub, room: Room, by: User, user: User): void {
  if (room.members.has(user.id)) return;
  joinThread(hub, room, user);
  const message = post(hub, room, { author: by, type: TYPES.added, added: user });
  user.notifications.push({
    channel: room.id,
    id: message.id,
    text: `added to ${room.name}`,
    why: "mention",
  });
}

export function joinThread(hub: Hub, room: Room, user: User): void {
  if (room.members.has(user.id)) return;
  room.members.set(user.id, user);
  const { guild } = room;
  const added = { ...threadMemberJson(room, user), presence: null };
  const whole = guild === null ? added : { ...added, member: fullMember(guild, user) };
  // Without the members' intent a bot hears only of itself.
  hub.gateway.emit({
    t: "THREAD_MEMBERS_UPDATE",
    intents: user === hub.app.bot ? INTENTS.guilds : INTENTS.members,
    d: () => ({
      id: room.id,
      guild_id: guild?.id,
      member_count: room.members.size,
      added_members: [whole],
      removed_member_ids: [],
    }),
  });
}

function emitThread(hub: Hub, t: string, room: Room, more: Json = {}): void {
  emitPlace(hub, t, room, () => ({ ...roomJson(room, hub), ...more }));
}

/** Tells of a channel, or of a thread that the bot can see: bots hear of channels that are hidden from them too. */
export function emitPlace(hub: Hub, t: string, room: Room, d: () => Json): void {
  if (!isThread(room) || may(hub.app.bot, room, "VIEW_CHANNEL"))
    hub.gateway.emit({ t, intents: INTENTS.guilds, d });
}
