/** Servers, channels and threads as they go over the wire. */
import type { Hub } from "./hub.ts";
import type { App, Guild, Room, User } from "./model.ts";
import { iso, memberJson, userJson } from "./payloads.ts";
import { bitsOf, may, permissionsOf } from "./permissions.ts";
import { compact, type Json } from "./wire.ts";

export const CHANNEL_TYPES = { text: 0, dm: 1, thread: 11, private_thread: 12 } as const;

/** The role that came with the bot. */
export const roleIdOf = (guild: Guild): string => String(BigInt(guild.id) + 1n);

function roleJson(id: string, name: string, permissions: bigint, managed: boolean): Json {
  return {
    id,
    name,
    permissions: String(permissions),
    managed,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: managed ? 1 : 0,
    mentionable: false,
    flags: 0,
  };
}

export const rolesJson = (guild: Guild, app: App): Json[] => [
  roleJson(guild.id, "@everyone", bitsOf(guild.everyone), false),
  roleJson(roleIdOf(guild), app.name, bitsOf(guild.botRole), true),
];

export const guildJson = (guild: Guild, app: App): Json => ({
  id: guild.id,
  name: guild.name,
  icon: null,
  splash: null,
  discovery_splash: null,
  owner_id: [...guild.members.keys()].find((id) => id !== app.bot.id) ?? app.bot.id,
  afk_channel_id: null,
  afk_timeout: 300,
  verification_level: 0,
  default_message_notifications: 1,
  explicit_content_filter: 0,
  roles: rolesJson(guild, app),
  emojis: [],
  stickers: [],
  features: [],
  mfa_level: 0,
  application_id: null,
  system_channel_id: null,
  system_channel_flags: 0,
  rules_channel_id: null,
  vanity_url_code: null,
  description: null,
  banner: null,
  premium_tier: 0,
  preferred_locale: "en-US",
  public_updates_channel_id: null,
  nsfw_level: 0,
  nsfw: false,
  premium_progress_bar_enabled: false,
});

export function roomJson(room: Room, hub: Hub): Json {
  const last = room.log.findLast((one) => !one.gone);
  const shared = { id: room.id, type: CHANNEL_TYPES[room.kind], last_message_id: last?.id ?? null, flags: 0 };
  if (room.kind === "dm") {
    const others = [...room.members.values()].filter((one) => one !== hub.app.bot);
    return { ...shared, recipients: others.map(userJson) };
  }
  const placed = { ...shared, guild_id: room.guild?.id, name: room.name, rate_limit_per_user: 0 };
  if (room.parent === null)
    return {
      ...placed,
      position: 0,
      parent_id: null,
      topic: null,
      nsfw: false,
      permission_overwrites: overwritesOf(room),
    };
  return { ...placed, ...threadPart(room, hub) };
}

function threadPart(room: Room, { app }: Hub): Json {
  return compact({
    parent_id: room.parent?.id,
    owner_id: room.ownerId,
    message_count: room.log.filter((one) => !one.gone && one.type !== 21).length,
    total_message_sent: room.log.length,
    member_count: room.members.size,
    thread_metadata: {
      archived: room.archived,
      auto_archive_duration: room.autoArchive,
      archive_timestamp: iso(room.archivedAt),
      locked: room.locked,
      create_timestamp: iso(room.archivedAt),
    },
    member: room.members.has(app.bot.id) ? threadMemberJson(room, app.bot) : undefined,
  });
}

export const threadMemberJson = (room: Room, user: User): Json => ({
  id: room.id,
  user_id: user.id,
  join_timestamp: iso(room.archivedAt),
  flags: 1,
});

const overwritesOf = (room: Room): Json[] =>
  [...room.overwrites].map(([id, { allow, deny }]) => ({
    id,
    type: id === room.guild?.id ? 0 : 1,
    allow: String(bitsOf(allow)),
    deny: String(bitsOf(deny)),
  }));

/** Everything of a server that is told when a session starts. */
export function guildCreateJson(guild: Guild, hub: Hub, withMembers: boolean): Json {
  const { bot } = hub.app;
  const seen = [...hub.rooms.values()].filter((room) => room.guild === guild && !room.deleted);
  const members = withMembers ? [...guild.members.values()] : [bot];
  return {
    ...guildJson(guild, hub.app),
    joined_at: iso(Date.UTC(2026, 0, 1)),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [],
    members: members.map((user) => ({ ...memberJson(guild, user), user: userJson(user) })),
    channels: seen.filter((room) => room.parent === null).map((room) => roomJson(room, hub)),
    threads: seen
      .filter((room) => room.parent !== null && !room.archived && may(bot, room, "VIEW_CHANNEL"))
      .map((room) => roomJson(room, hub)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export const permissionsJson = (user: User, room: Room): string =>
  String(BigInt.asUintN(53, permissionsOf(user, room)));
