/** A workspace with one app installed. */
import { WebSocket } from "ws";
import { type Channel, channelOf, userOf } from "./channel.ts";
import { emit } from "./deeds.ts";
import type { Hub } from "./hub.ts";
import type { Room, Team } from "./model.ts";
import { type Person, personOf } from "./person.ts";
import { connectUrl } from "./web-api.ts";
import { isJson, type Json, parse } from "./wire.ts";
import { addRoom, addUser, type NewUser } from "./world.ts";

export interface NewChannel {
  id: string;
  name: string;
  members: { id: string }[];
  private?: boolean;
  archived?: boolean;
}

export interface Workspace {
  readonly id: string;
  /** All that is in it. */
  readonly team: Team;
  readonly name: string;
  readonly domain: string;
  /** `https://DOMAIN.slack.com/` */
  readonly url: string;
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly appId: string;
  readonly botUserId: string;
  readonly botId: string;
  /** To be a member of channels. */
  readonly bot: { id: string };
  person(given: NewUser): Person;
  channel(given: NewChannel): Channel;
  /** A channel or direct channel that is there. */
  room(id: string): Channel;
  /** Takes the bot's token away: the app is told, then every call is refused. */
  revoke(how?: "token_revoked" | "account_inactive"): void;
  /** Takes the app's own token away. */
  revokeApp(how?: string): void;
  /** Installs the app again after that: the old token stays worthless, and this is the new one. */
  reinstall(): string;
  /** Another process with the same app token: what comes to it is lost to the bot. */
  foreignSocket(): Promise<ForeignSocket>;
}

export interface ForeignSocket {
  /** The envelopes that came here; they are acknowledged unless `acks` is false. */
  readonly stolen: Json[];
  acks: boolean;
  /** Sends any text. */
  send(text: string): void;
  close(): Promise<void>;
}

export function workspaceOf(hub: Hub, team: Team): Workspace {
  return {
    id: team.id,
    team,
    name: team.name,
    domain: team.domain,
    url: `https://${team.domain}.slack.com/`,
    get apiUrl() {
      return `${hub.origin()}/api/`;
    },
    botToken: team.botToken,
    appToken: team.app.token,
    appId: team.app.id,
    botUserId: team.bot.id,
    botId: team.botId,
    bot: { id: team.bot.id },
    person: (given) => {
      const user = addUser(team, given);
      return personOf({ hub, team, user });
    },
    channel: (given) => newChannel(hub, team, given),
    room: (id) => channelOf(hub, team, roomIn(team, id)),
    revoke: (how = "token_revoked") => {
      if (how === "token_revoked")
        emit(hub, team, { type: "tokens_revoked", tokens: { bot: [team.bot.id] } });
      else emit(hub, team, { type: "app_uninstalled" });
      team.refusal = how;
      hub.ledger.changed();
    },
    revokeApp: (how = "invalid_auth") => {
      team.app.refusal = how;
    },
    reinstall: () => {
      hub.tokens.delete(team.botToken);
      team.botToken = `${team.botToken}-again`;
      team.refusal = null;
      hub.tokens.set(team.botToken, { kind: "bot", team });
      return team.botToken;
    },
    foreignSocket: () => openForeign(hub, team),
  };
}

function roomIn(team: Team, id: string): Room {
  const room = team.rooms.get(id);
  if (room === undefined) throw new Error(`no channel ${id} in ${team.name}`);
  return room;
}

function newChannel(
  hub: Hub,
  team: Team,
  { id, name, members, private: hidden, archived }: NewChannel,
): Channel {
  const room = addRoom(team, {
    id,
    name,
    kind: hidden === true ? "group" : "channel",
    members: members.map((member) => userOf(team, member.id)),
    archived: archived === true,
  });
  return channelOf(hub, team, room);
}

async function openForeign(hub: Hub, team: Team): Promise<ForeignSocket> {
  const socket = new WebSocket(connectUrl(hub, team.app));
  const stolen: Json[] = [];
  const foreign: ForeignSocket = {
    stolen,
    acks: true,
    send: (text) => socket.send(text),
    close: () =>
      new Promise((resolve) => {
        socket.once("close", () => resolve());
        socket.close();
      }),
  };
  const ready = new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.on("message", (data) => {
      const frame = parse(data.toString());
      if (!isJson(frame)) return;
      if (frame.type === "hello") resolve();
      if (frame.envelope_id === undefined) return;
      stolen.push(frame);
      if (foreign.acks) socket.send(JSON.stringify({ envelope_id: frame.envelope_id }));
      hub.ledger.changed();
    });
  });
  await ready;
  return foreign;
}
