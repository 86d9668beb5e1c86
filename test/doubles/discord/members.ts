/** The members of a server that a bot asks for. */
import type { Hub } from "./hub.ts";
import { INTENTS } from "./intents.ts";
import type { Guild, User } from "./model.ts";
import { memberJson, userJson } from "./payloads.ts";
import { compact, type Json, num, str, strings } from "./wire.ts";

export const fullMember = (guild: Guild, user: User): Json => ({
  ...memberJson(guild, user),
  user: userJson(user),
});

/** Those whose names start so. */
export function found(guild: Guild, query: string, limit: number): User[] {
  const start = query.toLowerCase();
  const matching = [...guild.members.values()].filter(
    (user) => user.name.toLowerCase().startsWith(start) || str(userJson(user).username).startsWith(start),
  );
  return limit === 0 ? matching : matching.slice(0, limit);
}

/** The answer to a request on the gateway, or null where it may not ask. */
export function guildMembers(
  hub: Hub,
  intents: number,
  { guild_id, query, limit, user_ids, nonce }: Json,
): Json | null {
  const guild = hub.guilds.get(str(guild_id));
  const ids = typeof user_ids === "string" ? [user_ids] : strings(user_ids);
  const all = ids.length === 0 && str(query) === "";
  if (guild === undefined || (all && (intents & INTENTS.members) === 0)) return null;
  const members =
    ids.length > 0
      ? ids.map((id) => guild.members.get(id)).filter((user) => user !== undefined)
      : found(guild, str(query), num(limit));
  return compact({
    guild_id: guild.id,
    members: members.map((user) => fullMember(guild, user)),
    chunk_index: 0,
    chunk_count: 1,
    not_found: ids.filter((id) => !guild.members.has(id)),
    nonce,
  });
}
