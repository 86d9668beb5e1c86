/** A channel as a test sees it. */
import { archive, join, leave } from "./deeds.ts";
import { drawRoom } from "./draw.ts";
import type { Hub } from "./hub.ts";
import type { Message, Room, Team, User } from "./model.ts";

export interface Channel {
  readonly id: string;
  readonly room: Room;
  readonly name: string;
  /** The top-level messages that stand, in order. They live: a later change shows in them. */
  messages(): Message[];
  /** The replies that stand under a root, in order. */
  thread(ts: string): Message[];
  archive(): void;
  unarchive(): void;
  invites(who: { id: string }): void;
  kicks(who: { id: string }): void;
  /** What the phone shows, of everybody or of one person with her own picks and private messages. */
  transcript(as?: { id: string }): string;
}

export function channelOf(hub: Hub, team: Team, room: Room): Channel {
  const place = { team, room };
  const member = (id: string): User => userOf(team, id);
  return {
    id: room.id,
    name: room.name,
    room,
    messages: () => room.log.filter((one) => one.threadTs === null && one.gone === false),
    thread: (ts) => (room.threads.get(ts) ?? []).filter((one) => one.gone === false),
    archive: () => archive(hub, place, anybody(room)),
    unarchive: () => {
      room.archived = false;
      hub.ledger.changed();
    },
    invites: ({ id }) => join(hub, place, member(id), null),
    kicks: ({ id }) => leave(hub, place, member(id)),
    transcript: (as) => drawRoom(room, { team, user: as === undefined ? null : member(as.id) }),
  };
}

export function userOf(team: Team, id: string): User {
  const user = team.users.get(id);
  if (user === undefined) throw new Error(`nobody ${id} in ${team.name}`);
  return user;
}

function anybody(room: Room): User {
  const [first] = room.members.values();
  if (first === undefined) throw new Error(`nobody is in ${room.name}`);
  return first;
}
