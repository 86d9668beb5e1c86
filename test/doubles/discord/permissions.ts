/** Who may do what where. */
import type { Guild, Overwrite, Room, User } from "./model.ts";
import { Refusal } from "./refusal.ts";

export const PERMISSIONS = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  CREATE_PRIVATE_THREADS: 1n << 36n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const bitsOf = (names: Iterable<Permission>): bigint => {
  let bits = 0n;
  for (const name of names) bits |= PERMISSIONS[name];
  return bits;
};

/** What everybody has in a new server. */
export const EVERYONE: Permission[] = [
  "ADD_REACTIONS",
  "VIEW_CHANNEL",
  "SEND_MESSAGES",
  "EMBED_LINKS",
  "ATTACH_FILES",
  "READ_MESSAGE_HISTORY",
  "MENTION_EVERYONE",
  "USE_APPLICATION_COMMANDS",
  "CREATE_PUBLIC_THREADS",
  "SEND_MESSAGES_IN_THREADS",
];

/** The bits that hold for somebody in a channel; in a thread those of its parent. */
export function permissionsOf(user: User, room: Room): bigint {
  const { guild } = room;
  if (guild === null) return room.members.has(user.id) ? ~0n : 0n;
  if (!guild.members.has(user.id)) return 0n;
  const place = room.parent ?? room;
  const base = baseOf(guild, user);
  if ((base & PERMISSIONS.ADMINISTRATOR) !== 0n) return ~0n;
  const everyone = applied(base, place.overwrites.get(guild.id));
  const own = applied(everyone, place.overwrites.get(user.id));
  if ((own & PERMISSIONS.VIEW_CHANNEL) === 0n) return 0n;
  const hidden = room.kind === "private_thread" && !room.members.has(user.id);
  return hidden && (own & PERMISSIONS.MANAGE_THREADS) === 0n ? 0n : own;
}

const baseOf = (guild: Guild, user: User): bigint =>
  bitsOf(guild.everyone) | (user.bot ? bitsOf(guild.botRole) : 0n);

const applied = (bits: bigint, overwrite: Overwrite | undefined): bigint =>
  overwrite === undefined ? bits : (bits & ~bitsOf(overwrite.deny)) | bitsOf(overwrite.allow);

export const may = (user: User, room: Room, permission: Permission): boolean =>
  (permissionsOf(user, room) & PERMISSIONS[permission]) !== 0n;

/** Refuses with 50001 where the channel is not seen, and 50013 where a permission is missing. */
export function need(user: User, room: Room, ...permissions: Permission[]): void {
  if (!may(user, room, "VIEW_CHANNEL")) throw new Refusal(50001);
  if (permissions.some((one) => !may(user, room, one))) throw new Refusal(50013);
}
