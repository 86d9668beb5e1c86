/** A channel, thread or direct channel as a test sees it. */
import { drawMessage, drawRoom } from "./draw.ts";
import type { Hub } from "./hub.ts";
import { TYPES } from "./limits.ts";
import type { Message, Room, User } from "./model.ts";
import type { Permission } from "./permissions.ts";
import { roomJson } from "./places.ts";
import { emitPlace, setThread } from "./threads.ts";

export interface Channel {
  readonly id: string;
  readonly room: Room;
  readonly name: string;
  /** The messages that stand, in order. They live: a later change shows in them. */
  messages(): Message[];
  /** The thread on a message, or null. */
  thread(messageId: string): Channel | null;
  /** All threads of this channel, oldest first. */
  threads(): Channel[];
  /** Of a thread. */
  archive(): void;
  unarchive(): void;
  lock(): void;
  unlock(): void;
  readonly archived: boolean;
  readonly locked: boolean;
  /** Who is in a thread or direct channel. */
  members(): string[];
  /** Takes permissions from the bot in this channel, or from somebody. */
  denies(permissions: Permission[], who?: { id: string }): void;
  /** Gives permissions to the bot in this channel, or to somebody. */
  allows(permissions: Permission[], who?: { id: string }): void;
  /** Lets somebody see it, or no more. */
  invites(who: { id: string }): void;
  kicks(who: { id: string }): void;
  delete(): void;
  /** One message as the phone shows it. */
  picture(message: Message, as?: { id: string }): string;
  /** What the phone shows, of everybody or of one person with her own picks and private messages. */
  transcript(as?: { id: string }): string;
}

export function channelOf(hub: Hub, room: Room): Channel {
  const set = (which: "allow" | "deny", permissions: Permission[], id: string) =>
    overwrite(hub, room, id, which, permissions);
  return {
    id: room.id,
    name: room.name,
    room,
    messages: () => room.log.filter((one) => !one.gone && one.type !== TYPES.starter),
    thread: (messageId) => {
      const thread = hub.rooms.get(messageId);
      return thread?.parent === room ? channelOf(hub, thread) : null;
    },
    threads: () =>
      [...hub.rooms.values()]
        .filter((one) => one.parent === room && !one.deleted)
        .map((one) => channelOf(hub, one)),
    archive: () => setThread(hub, room, { archived: true }),
    unarchive: () => setThread(hub, room, { archived: false }),
    lock: () => setThread(hub, room, { locked: true }),
    unlock: () => setThread(hub, room, { locked: false }),
    get archived() {
      return room.archived;
    },
    get locked() {
      return room.locked;
    },
    members: () => [...room.members.keys()],
    denies: (permissions, who = hub.app.bot) => set("deny", permissions, who.id),
    allows: (permissions, who = hub.app.bot) => set("allow", permissions, who.id),
    invites: ({ id }) => set("allow", ["VIEW_CHANNEL"], id),
    kicks: ({ id }) => set("deny", ["VIEW_CHANNEL"], id),
    delete: () => removeRoom(hub, room),
    picture: (message, as) => drawMessage(hub, message, as === undefined ? null : userOf(hub, as.id)),
    transcript: (as) => drawRoom(hub, room, as === undefined ? null : userOf(hub, as.id)),
  };
}

export function userOf(hub: Hub, id: string): User {
  const user = hub.users.get(id);
  if (user === undefined) throw new Error(`nobody ${id}`);
  return user;
}

function overwrite(hub: Hub, room: Room, id: string, which: "allow" | "deny", names: Permission[]): void {
  const place = room.parent ?? room;
  const there = place.overwrites.get(id) ?? { allow: new Set(), deny: new Set() };
  const other = which === "allow" ? "deny" : "allow";
  for (const name of names) {
    there[which].add(name);
    there[other].delete(name);
  }
  place.overwrites.set(id, there);
  emitPlace(hub, "CHANNEL_UPDATE", place, () => roomJson(place, hub));
  hub.ledger.changed();
}

function removeRoom(hub: Hub, room: Room): void {
  const { id, guild_id, parent_id, type, ...rest } = roomJson(room, hub);
  const gone = { id, guild_id, parent_id, type };
  if (room.parent === null) emitPlace(hub, "CHANNEL_DELETE", room, () => ({ ...gone, ...rest }));
  else emitPlace(hub, "THREAD_DELETE", room, () => gone);
  for (const one of hub.rooms.values()) if (one === room || one.parent === room) one.deleted = true;
  hub.ledger.changed();
}
