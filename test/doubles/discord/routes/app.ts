/** The bot itself: who it is, where the gateway is, and its commands. */
import * as spec from "discord-api-spec/zod";
import { directRoom } from "../deeds.ts";
import type { Hub } from "../hub.ts";
import { appJson, userJson } from "../payloads.ts";
import { roomJson } from "../places.ts";
import { type Complaint, invalid, Refusal, wrong } from "../refusal.ts";
import { check } from "../schema.ts";
import { type Json, records, str } from "../wire.ts";
import { type Asked, idOf, type Routes } from "./route.ts";

const MOST_COMMANDS = 100;
const NAME = /^[-_'\p{L}\p{N}]{1,32}$/u;

export const app: Routes = {
  "GET /gateway": ({ hub }) => ({ url: gatewayUrl(hub) }),
  "GET /gateway/bot": ({ hub }) => ({
    url: gatewayUrl(hub),
    shards: 1,
    session_start_limit: {
      total: hub.settings.sessionStarts,
      remaining: Math.max(0, hub.settings.sessionStarts - hub.gateway.started),
      reset_after: 86_400_000,
      max_concurrency: 1,
    },
  }),
  "GET /users/@me": ({ hub }) => ({ ...userJson(hub.app.bot), verified: true, mfa_enabled: false }),
  "GET /users/@me/guilds": ({ hub }) =>
    [...hub.guilds.values()]
      .filter(({ joined }) => joined)
      .map(({ id, name }) => ({ id, name, icon: null, owner: false, permissions: "0", features: [] })),
  "GET /users/:user": (asked) => {
    const user = asked.hub.users.get(idOf(asked, "user"));
    if (user === undefined) throw new Refusal(10013);
    return userJson(user);
  },
  "POST /users/@me/channels": openDirect,
  "GET /oauth2/applications/@me": ({ hub }) => appJson(hub.app),
  "GET /applications/@me": ({ hub }) => appJson(hub.app),
  "GET /applications/:app/commands": (asked) => commandsIn(asked, ""),
  "POST /applications/:app/commands": upsertCommand,
  "PUT /applications/:app/commands": (asked) => putCommands(asked, ""),
  "GET /applications/:app/guilds/:guild/commands": (asked) => commandsIn(asked, idOf(asked, "guild")),
  "PUT /applications/:app/guilds/:guild/commands": (asked) => putCommands(asked, idOf(asked, "guild")),
};

const gatewayUrl = (hub: Hub): string => `${hub.origin().replace("http", "ws")}/gateway`;

function openDirect({ hub, body }: Asked): Json {
  const complaints = check(spec.CreatePrivateChannelRequestSchema, body);
  if (complaints.length > 0) throw invalid(...complaints);
  const user = hub.users.get(str(body.recipient_id));
  if (user === undefined) throw new Refusal(10013);
  if (user.bot) throw new Refusal(50007);
  return roomJson(directRoom(hub, user), hub);
}

function mine({ hub, ids }: Asked): void {
  if (ids.app !== hub.app.id) throw new Refusal(ids.app === undefined ? 10002 : 50001);
}

function commandsIn(asked: Asked, guild: string): Json[] {
  mine(asked);
  return asked.hub.app.commands.get(guild) ?? [];
}

/** One of this name and kind is replaced, and keeps its id. */
function upsertCommand(asked: Asked): Json {
  mine(asked);
  const { hub, body } = asked;
  const all = hub.app.commands.get("") ?? [];
  const type = body.type ?? 1;
  const before = all.find((one) => one.name === body.name && one.type === type);
  if (before === undefined && all.length >= MOST_COMMANDS) throw new Refusal(30032);
  const complaints = [
    ...check(spec.ApplicationCommandUpdateRequestSchema, body),
    ...commandRules(body, [], 0).map((one) => ({ ...one, path: one.path.slice(1) })),
  ];
  if (complaints.length > 0) throw invalid(...complaints);
  const command = {
    type,
    ...body,
    id: before?.id ?? hub.id(),
    application_id: hub.app.id,
    version: hub.id(),
  };
  hub.app.commands.set("", [...all.filter((one) => one !== before), command]);
  hub.ledger.changed();
  return command;
}

/** Puts these in place of all there were. */
function putCommands(asked: Asked, guild: string): Json[] {
  mine(asked);
  const { hub, body } = asked;
  if (guild !== "" && !hub.guilds.has(guild)) throw new Refusal(50001);
  if (!Array.isArray(body.list)) throw invalid(wrong([], "LIST_TYPE_CONVERT", "Only iterables may be used."));
  const given = records(body.list);
  if (given.length > MOST_COMMANDS) throw new Refusal(30032);
  const complaints = given.flatMap((one, index) => [
    ...check(spec.ApplicationCommandUpdateRequestSchema, one, [index]),
    ...commandRules(one, given.slice(0, index), index),
  ]);
  if (complaints.length > 0) throw invalid(...complaints);
  const commands = given.map((one) => ({
    type: 1,
    ...one,
    id: hub.id(),
    application_id: hub.app.id,
    version: hub.id(),
    ...(guild === "" ? {} : { guild_id: guild }),
  }));
  hub.app.commands.set(guild, commands);
  hub.ledger.changed();
  return commands;
}

function commandRules(one: Json, before: readonly Json[], index: number): Complaint[] {
  const chat = one.type === undefined || one.type === 1;
  if (!chat) return [];
  const name = str(one.name);
  const complaints: Complaint[] = [];
  if (name.length <= 32 && (!NAME.test(name) || name !== name.toLowerCase()))
    complaints.push(wrong([index, "name"], "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"));
  if (before.some((other) => other.name === name))
    complaints.push(
      wrong([index], "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"),
    );
  if (str(one.description) === "")
    complaints.push(wrong([index, "description"], "BASE_TYPE_REQUIRED", "This field is required"));
  return complaints;
}
