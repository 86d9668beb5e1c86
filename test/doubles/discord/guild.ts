/** A server with the bot in it. */
import { type Channel, channelOf, userOf } from "./channel.ts";
import { newRoom } from "./deeds.ts";
import { type Hub, isSnowflake } from "./hub.ts";
import { INTENTS } from "./intents.ts";
import { fullMember } from "./members.ts";
import type { Guild as GuildState, Room, User } from "./model.ts";
import { userJson } from "./payloads.ts";
import type { Permission } from "./permissions.ts";
import { type Person, personOf } from "./person.ts";
import { guildCreateJson, rolesJson, roomJson } from "./places.ts";
import { emitPlace } from "./threads.ts";

export interface NewPerson {
  id: string;
  name: string;
  bot?: boolean;
  /** Came by an invitation for guests. */
  guest?: boolean;
  /** Has not agreed to the rules of the server yet. */
  pending?: boolean;
  /** `en-US` unless given. */
  locale?: string;
}

export interface NewChannel {
  id: string;
  name: string;
  /** Those who see it; everybody unless given. The bot sees it only if it is among them. */
  members?: { id: string }[];
}

export interface Guild {
  readonly id: string;
  readonly name: string;
  /** To be a member of channels. */
  readonly bot: { id: string };
  /** Somebody new, or somebody of another server who joins this one too. */
  person(given: NewPerson): Person;
  channel(given: NewChannel): Channel;
  /** A channel, thread or direct channel that is there. */
  room(id: string): Channel;
  /** Takes somebody out of the server. */
  kicks(who: { id: string }): void;
  /** Takes the bot out of the server, or lets it in again. */
  kicksBot(): void;
  invitesBot(): void;
  /** What the bot's role gives in all channels, beside what everybody may. */
  botRole(permissions: Permission[]): void;
  /** What everybody may. */
  everyone(permissions: Permission[]): void;
}

export function guildOf(hub: Hub, guild: GuildState): Guild {
  const { bot } = hub.app;
  return {
    id: guild.id,
    name: guild.name,
    bot: { id: bot.id },
    person: (given) => personOf({ hub, user: join(hub, guild, given) }),
    channel: (given) => channelOf(hub, addRoom(hub, guild, given)),
    room: (id) => {
      const room = hub.rooms.get(id);
      if (room === undefined) throw new Error(`no channel ${id}`);
      return channelOf(hub, room);
    },
    kicks: ({ id }) => {
      const user = userOf(hub, id);
      guild.members.delete(id);
      const d = () => ({ guild_id: guild.id, user: userJson(user) });
      hub.gateway.emit({ t: "GUILD_MEMBER_REMOVE", intents: INTENTS.members, d });
    },
    kicksBot: () => {
      guild.joined = false;
      guild.members.delete(bot.id);
      hub.gateway.emit({ t: "GUILD_DELETE", intents: INTENTS.guilds, d: () => ({ id: guild.id }) });
    },
    invitesBot: () => {
      guild.joined = true;
      guild.members.set(bot.id, bot);
      emitGuild(hub, guild);
    },
    botRole: (permissions) => {
      guild.botRole = new Set(permissions);
      emitRoles(hub, guild);
    },
    everyone: (permissions) => {
      guild.everyone = new Set(permissions);
      emitRoles(hub, guild);
    },
  };
}

function emitRoles(hub: Hub, guild: GuildState): void {
  for (const role of rolesJson(guild, hub.app))
    hub.gateway.emit({
      t: "GUILD_ROLE_UPDATE",
      intents: INTENTS.guilds,
      d: () => ({ guild_id: guild.id, role }),
    });
}

export const emitGuild = (hub: Hub, guild: GuildState): void =>
  hub.gateway.emit({
    t: "GUILD_CREATE",
    intents: INTENTS.guilds,
    d: () => guildCreateJson(guild, hub, false),
  });

function join(hub: Hub, guild: GuildState, given: NewPerson): User {
  const user = hub.users.get(given.id) ?? newUser(given);
  hub.users.set(user.id, user);
  guild.members.set(user.id, user);
  const d = () => ({ ...fullMember(guild, user), guild_id: guild.id });
  hub.gateway.emit({ t: "GUILD_MEMBER_ADD", intents: INTENTS.members, d });
  return user;
}

export function newUser(given: NewPerson): User {
  const { id, name, bot = false, guest = false, pending = false, locale = "en-US" } = given;
  needSnowflake(id);
  return {
    id,
    name,
    bot,
    guest,
    pending,
    locale,
    closed: false,
    dm: null,
    notifications: [],
    failedPresses: [],
    ephemerals: [],
    modal: null,
    picks: new Map(),
  };
}

export function needSnowflake(id: string): void {
  if (!isSnowflake(id)) throw new Error(`ids are numbers in Discord, not ${id}`);
}

function addRoom(hub: Hub, guild: GuildState, { id, name, members }: NewChannel): Room {
  needSnowflake(id);
  if (hub.rooms.has(id)) throw new Error(`the channel ${id} is there already`);
  const room = newRoom(id, name, "text");
  room.guild = guild;
  if (members !== undefined) {
    room.overwrites.set(guild.id, { allow: new Set(), deny: new Set(["VIEW_CHANNEL"]) });
    for (const one of members)
      room.overwrites.set(one.id, { allow: new Set(["VIEW_CHANNEL"]), deny: new Set() });
  }
  hub.rooms.set(id, room);
  emitPlace(hub, "CHANNEL_CREATE", room, () => roomJson(room, hub));
  return room;
}
