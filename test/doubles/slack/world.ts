/** Building and changing what Slack keeps, apart from any wire. */
import type { App, Message, Room, StoredFile, Team, User } from "./model.ts";
import type { Json } from "./wire.ts";

/** What the bot's manifest asks for; a test may give a workspace fewer, or others. */
const SCOPES = [
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "groups:read",
  "im:history",
  "im:read",
  "im:write",
  "mpim:history",
  "mpim:read",
  "reactions:write",
  "users:read",
  "users:read.email",
];

/** What the manifest subscribes to. */
const EVENTS = [
  "app_uninstalled",
  "channel_archive",
  "group_archive",
  "member_joined_channel",
  "member_left_channel",
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "tokens_revoked",
];

export interface NewUser {
  id: string;
  name: string;
  email?: string;
  guest?: boolean;
  external?: boolean;
  bot?: boolean;
  /** As Slack says it: `fr-FR`. */
  locale?: string;
}

export function newUser(team: { id: string }, given: NewUser): User {
  return {
    id: given.id,
    name: given.name,
    email: given.email ?? null,
    teamId: given.external === true ? "T0FOREIGN" : team.id,
    guest: given.guest === true,
    external: given.external === true,
    bot: given.bot === true,
    locale: given.locale ?? "en-US",
    deleted: false,
    notifications: [],
    failedPresses: [],
    ephemerals: [],
    views: [],
    picks: new Map(),
  };
}

export interface NewTeam {
  id: string;
  name: string;
  domain: string;
  scopes?: readonly string[];
  moreScopes?: readonly string[];
  /** The events the app is told of, as a manifest names them. */
  events?: readonly string[];
}

export function newTeam(
  { id, name, domain, scopes = SCOPES, moreScopes = [], events = EVENTS }: NewTeam,
  app: App,
): Team {
  const bot = newUser({ id }, { id: `U0BOT${id}`, name: "askgate", bot: true });
  return {
    id,
    name,
    domain,
    app,
    botToken: `xoxb-${id}-0123456789-abcdefghijkl`,
    botId: `B0BOT${id}`,
    bot,
    scopes: new Set([...scopes, ...moreScopes]),
    events: new Set(events),
    refusal: null,
    users: new Map([[bot.id, bot]]),
    byEmail: new Map(),
    rooms: new Map(),
    directs: new Map(),
    files: new Map(),
    views: new Map(),
  };
}

export function addUser(team: Team, given: NewUser): User {
  const user = newUser(team, given);
  team.users.set(user.id, user);
  if (user.email !== null) team.byEmail.set(user.email.toLowerCase(), user);
  return user;
}

export interface NewRoom {
  id: string;
  name: string;
  kind: Room["kind"];
  members: User[];
  archived?: boolean;
}

export function addRoom(team: Team, { id, name, kind, members, archived = false }: NewRoom): Room {
  const room: Room = {
    id,
    name,
    kind,
    members: new Map(members.map((member) => [member.id, member])),
    archived,
    log: [],
    byTs: new Map(),
    threads: new Map(),
    lastTs: 0,
  };
  team.rooms.set(id, room);
  return room;
}

/** The direct channel of a person with the bot, there from the first time somebody asks. */
export function directRoom(team: Team, person: User): Room {
  const there = team.directs.get(person.id);
  if (there !== undefined) return there;
  const id = `D${person.id.slice(1)}`;
  const room = addRoom(team, { id, name: "directmessage", kind: "im", members: [person, team.bot] });
  team.directs.set(person.id, room);
  return room;
}

/** A `ts` later than all before it in this channel. */
export function nextTs(room: Room, now: number): string {
  room.lastTs = Math.max(now * 1000, room.lastTs + 1);
  const seconds = Math.floor(room.lastTs / 1_000_000);
  return `${seconds}.${String(room.lastTs % 1_000_000).padStart(6, "0")}`;
}

export interface NewMessage {
  user: User;
  botId?: string | null;
  text: string;
  blocks?: Json[];
  metadata?: Json | null;
  threadTs?: string | null;
  files?: StoredFile[];
}

export function newMessage(room: Room, ts: string, given: NewMessage): Message {
  return {
    channel: room.id,
    ts,
    user: given.user.id,
    botId: given.botId ?? null,
    text: given.text,
    blocks: given.blocks ?? [],
    metadata: given.metadata ?? null,
    threadTs: given.threadTs ?? null,
    reactions: [],
    files: given.files ?? [],
    edited: null,
    ephemeral: false,
    gone: false,
  };
}

export function addMessage(room: Room, message: Message): void {
  room.log.push(message);
  room.byTs.set(message.ts, message);
  if (message.threadTs === null) return;
  const thread = room.threads.get(message.threadTs) ?? [];
  thread.push(message);
  room.threads.set(message.threadTs, thread);
}

/** Takes a message away; a root whose replies still stand leaves a tombstone. */
export function removeMessage(room: Room, message: Message): void {
  const replies = room.threads.get(message.ts) ?? [];
  if (replies.length > 0) {
    message.gone = "tombstone";
    return;
  }
  message.gone = "deleted";
  room.byTs.delete(message.ts);
  if (message.threadTs === null) return;
  const left = (room.threads.get(message.threadTs) ?? []).filter((one) => one !== message);
  if (left.length > 0) room.threads.set(message.threadTs, left);
  else room.threads.delete(message.threadTs);
  const root = room.byTs.get(message.threadTs);
  if (left.length === 0 && root?.gone === "tombstone") removeMessage(room, root);
}

/** The message that stands there now, tombstones left out. */
export function standing(room: Room, ts: string): Message | undefined {
  const message = room.byTs.get(ts);
  return message?.gone === false ? message : undefined;
}
