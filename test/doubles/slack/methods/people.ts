/** users.*, bots.info, team.info, auth.test: who is who. */
import { userJson } from "../payloads.ts";
import { Refusal } from "../refusal.ts";
import { listRooms } from "./conversations.ts";
import { arg, knownUser, type Method, method, page } from "./method.ts";

const info = method(["users:read"], { user: arg.must, include_locale: arg.flag }, ({ team }, args) => ({
  user: userJson(knownUser(team, args.user), args.include_locale === true),
}));

const list = method(
  ["users:read"],
  { cursor: arg.text, limit: arg.count, include_locale: arg.flag, team_id: arg.text },
  ({ team }, args) => {
    const { items, next } = page([...team.users.values()], args.cursor, args.limit ?? 1000);
    return {
      members: items.map((user) => userJson(user, args.include_locale === true)),
      cache_ts: 0,
      response_metadata: { next_cursor: next },
    };
  },
);

const lookupByEmail = method(["users:read.email"], { email: arg.must }, ({ team }, args) => {
  const user = team.byEmail.get(args.email.toLowerCase());
  if (user === undefined || user.deleted) throw new Refusal("users_not_found");
  return { user: userJson(user) };
});

const conversations = method(
  [],
  {
    user: arg.text,
    types: arg.text,
    exclude_archived: arg.flag,
    cursor: arg.text,
    limit: arg.count,
    team_id: arg.text,
  },
  ({ team }, args) => {
    const user = args.user === undefined ? team.bot : knownUser(team, args.user);
    return listRooms(
      team,
      args,
      (room) => room.members.has(user.id) && (room.kind === "channel" || room.members.has(team.bot.id)),
    );
  },
);

const botInfo = method(["users:read"], { bot: arg.text, team_id: arg.text }, ({ team }, args) => {
  if (args.bot !== team.botId) throw new Refusal("bot_not_found");
  return {
    bot: {
      id: team.botId,
      deleted: false,
      name: team.bot.name,
      updated: 0,
      app_id: team.app.id,
      user_id: team.bot.id,
      icons: {},
    },
  };
});

const teamInfo = method(["team:read"], { team: arg.text, domain: arg.text }, ({ team }) => ({
  team: {
    id: team.id,
    name: team.name,
    domain: team.domain,
    url: `https://${team.domain}.slack.com/`,
    email_domain: "",
    icon: { image_default: true },
  },
}));

const authTest = method([], {}, ({ team }) => ({
  url: `https://${team.domain}.slack.com/`,
  team: team.name,
  user: team.bot.name,
  team_id: team.id,
  user_id: team.bot.id,
  bot_id: team.botId,
  is_enterprise_install: false,
}));

export const people: { [name: string]: Method } = {
  "users.info": info,
  "users.list": list,
  "users.lookupByEmail": lookupByEmail,
  "users.conversations": conversations,
  "bots.info": botInfo,
  "team.info": teamInfo,
  "auth.test": authTest,
};
