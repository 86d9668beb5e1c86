/** Servers: what is in them and who. */
import { guildOf } from "../hub.ts";
import { found, fullMember } from "../members.ts";
import { may } from "../permissions.ts";
import { guildJson, rolesJson, roomJson } from "../places.ts";
import { Refusal } from "../refusal.ts";
import type { Json } from "../wire.ts";
import { type Asked, idOf, type Routes } from "./route.ts";

export const guilds: Routes = {
  "GET /guilds/:guild": (asked) => guildJson(guildOf(asked.hub, idOf(asked, "guild")), asked.hub.app),
  "GET /guilds/:guild/channels": (asked) => roomsIn(asked).filter(({ parent_id }) => parent_id === null),
  "GET /guilds/:guild/threads/active": activeThreads,
  "GET /guilds/:guild/roles": (asked) => rolesJson(guildOf(asked.hub, idOf(asked, "guild")), asked.hub.app),
  "GET /guilds/:guild/members/search": (asked) => {
    const guild = guildOf(asked.hub, idOf(asked, "guild"));
    const limit = Number(asked.search.get("limit") ?? 1);
    return found(guild, asked.search.get("query") ?? "", limit).map((user) => fullMember(guild, user));
  },
  "GET /guilds/:guild/members/:user": (asked) => {
    const guild = guildOf(asked.hub, idOf(asked, "guild"));
    const id = idOf(asked, "user");
    const user = guild.members.get(id === "@me" ? asked.hub.app.bot.id : id);
    if (user === undefined) throw new Refusal(asked.hub.users.has(id) ? 10007 : 10013);
    return fullMember(guild, user);
  },
};

function roomsIn(asked: Asked): Json[] {
  const guild = guildOf(asked.hub, idOf(asked, "guild"));
  return [...asked.hub.rooms.values()]
    .filter((room) => room.guild === guild && !room.deleted && room.parent === null)
    .map((room) => roomJson(room, asked.hub));
}

function activeThreads(asked: Asked): Json {
  const { hub } = asked;
  const guild = guildOf(hub, idOf(asked, "guild"));
  const threads = [...hub.rooms.values()].filter(
    (room) =>
      room.guild === guild &&
      room.parent !== null &&
      !room.deleted &&
      !room.archived &&
      may(hub.app.bot, room, "VIEW_CHANNEL"),
  );
  return { threads: threads.map((room) => roomJson(room, hub)), members: [] };
}
