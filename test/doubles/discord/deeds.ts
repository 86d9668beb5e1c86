/** What changes in channels, whoever does it: messages, reactions; and what sessions hear of it. */
import type { Content } from "./content.ts";
import { type Hub, isThread } from "./hub.ts";
import { INTENTS } from "./intents.ts";
import { TYPES } from "./limits.ts";
import { fullMember } from "./members.ts";
import { ALL, type Allowed, calledBy, notify, textOf } from "./mentions.ts";
import type { Message, Room, User } from "./model.ts";
import { memberJson, messageJson, type Reader } from "./payloads.ts";
import { may } from "./permissions.ts";
import { CHANNEL_TYPES } from "./places.ts";
import { joinThread, setThread } from "./threads.ts";
import { compact, type Json } from "./wire.ts";

export interface NewMessage extends Partial<Content> {
  author: User;
  type?: number;
  nonce?: string | number | null;
  reference?: Message["reference"];
  interaction?: Message["interaction"];
  /** Whom a system message tells of. */
  added?: User;
  /** Who alone sees it. */
  only?: User | null;
  allowed?: Allowed;
}

export function post(hub: Hub, room: Room, given: NewMessage): Message {
  const { author, allowed = ALL, only = null, reference = null } = given;
  const replied = reference === null ? null : authorOf(hub, reference);
  const calls = calledBy(hub, textOf(given.content ?? "", given.components ?? []), author, room, allowed);
  const answered = allowed.repliedUser ? replied : null;
  const message: Message = {
    id: hub.id(),
    channel: room.id,
    author,
    type: given.type ?? (reference === null ? TYPES.plain : TYPES.reply),
    content: given.content ?? "",
    embeds: given.embeds ?? [],
    components: given.components ?? [],
    attachments: given.attachments ?? [],
    flags: given.flags ?? 0,
    mentions: [...new Set([...calls.users, answered, given.added])].filter(
      (one) => one !== null && one !== undefined,
    ),
    mentionsEveryone: calls.everyone,
    nonce: given.nonce ?? null,
    at: hub.now(),
    editedAt: null,
    reference,
    thread: null,
    reactions: [],
    interaction: given.interaction ?? null,
    only,
    gone: false,
  };
  if (only !== null) only.ephemerals.push(message);
  else put(hub, room, message);
  if (isThread(room) && only === null)
    for (const user of calls.users)
      if (may(user, room.parent ?? room, "VIEW_CHANNEL")) joinThread(hub, room, user);
  notify(hub, room, message, calls, answered);
  hub.ledger.changed();
  return message;
}

/** Writing in an archived thread takes it out of the archive. */
function put(hub: Hub, room: Room, message: Message): void {
  if (room.archived) setThread(hub, room, { archived: false });
  room.log.push(message);
  if (isThread(room)) room.members.set(message.author.id, message.author);
  emitMessage(hub, "MESSAGE_CREATE", room, message);
}

const authorOf = (hub: Hub, { channel, id }: { channel: string; id: string }): User | null =>
  hub.rooms.get(channel)?.log.find((one) => one.id === id && !one.gone)?.author ?? null;

export function change(hub: Hub, message: Message, content: Partial<Content>): void {
  Object.assign(message, content);
  message.editedAt = hub.now();
  for (const user of hub.users.values())
    for (const key of user.picks.keys()) if (key.startsWith(`${message.id} `)) user.picks.delete(key);
  const room = hub.rooms.get(message.channel);
  if (message.only === null && room !== undefined) emitMessage(hub, "MESSAGE_UPDATE", room, message);
  hub.ledger.changed();
}

export function remove(hub: Hub, message: Message): void {
  message.gone = true;
  const room = hub.rooms.get(message.channel);
  if (message.only === null && room !== undefined)
    emitIn(hub, "MESSAGE_DELETE", room, { id: message.id, channel_id: room.id });
  hub.ledger.changed();
}

/** Several at once, as those who manage messages do. */
export function removeAll(hub: Hub, room: Room, messages: readonly Message[]): void {
  for (const message of messages) message.gone = true;
  const ids = messages.map(({ id }) => id);
  emitIn(hub, "MESSAGE_DELETE_BULK", room, { ids, channel_id: room.id });
  hub.ledger.changed();
}

export function emitMessage(
  hub: Hub,
  t: "MESSAGE_CREATE" | "MESSAGE_UPDATE",
  room: Room,
  message: Message,
): void {
  const { guild } = room;
  const { author } = message;
  const member = guild?.members.has(author.id) ? memberJson(guild, author) : undefined;
  emitIn(hub, t, room, (reader) =>
    compact({ ...messageJson(message, hub, reader), channel_type: CHANNEL_TYPES[room.kind], member }),
  );
}

/** Tells of something in a channel that the bot can see. */
export function emitIn(hub: Hub, t: string, room: Room, d: Json | ((reader: Reader) => Json)): void {
  if (!may(hub.app.bot, room, "VIEW_CHANNEL")) return;
  const direct = room.kind === "dm";
  const reaction = t.startsWith("MESSAGE_REACTION");
  const inGuild = reaction ? INTENTS.reactions : INTENTS.messages;
  const inDirect = reaction ? INTENTS.directReactions : INTENTS.directMessages;
  hub.gateway.emit({
    t,
    intents: direct ? inDirect : inGuild,
    d: (reader) =>
      compact({ ...(typeof d === "function" ? d(reader) : structuredClone(d)), guild_id: room.guild?.id }),
  });
}

export function addReaction(hub: Hub, room: Room, message: Message, user: User, emoji: string): void {
  const there = message.reactions.find((one) => one.emoji === emoji);
  if (there?.users.includes(user.id)) return;
  if (there === undefined) message.reactions.push({ emoji, users: [user.id] });
  else there.users.push(user.id);
  const member = room.guild?.members.has(user.id) ? fullMember(room.guild, user) : undefined;
  emitIn(hub, "MESSAGE_REACTION_ADD", room, reactionJson(room, message, user, { emoji, member }));
  hub.ledger.changed();
}

export function removeReaction(hub: Hub, room: Room, message: Message, user: User, emoji: string): boolean {
  const there = message.reactions.find((one) => one.emoji === emoji);
  if (!there?.users.includes(user.id)) return false;
  there.users = there.users.filter((id) => id !== user.id);
  if (there.users.length === 0) message.reactions = message.reactions.filter((one) => one !== there);
  emitIn(hub, "MESSAGE_REACTION_REMOVE", room, reactionJson(room, message, user, { emoji }));
  hub.ledger.changed();
  return true;
}

const reactionJson = (
  room: Room,
  message: Message,
  user: User,
  { emoji, member }: { emoji: string; member?: Json | undefined },
): Json =>
  compact({
    user_id: user.id,
    channel_id: room.id,
    message_id: message.id,
    message_author_id: message.author.id,
    member,
    emoji: { id: null, name: emoji },
    burst: false,
    type: 0,
  });

/** The direct channel of the bot with somebody. */
export function directRoom(hub: Hub, user: User): Room {
  if (user.dm !== null) return user.dm;
  const room = newRoom(hub.id(), user.name, "dm");
  for (const one of [user, hub.app.bot]) room.members.set(one.id, one);
  hub.rooms.set(room.id, room);
  user.dm = room;
  return room;
}

export const newRoom = (id: string, name: string, kind: Room["kind"]): Room => ({
  id,
  name,
  kind,
  guild: null,
  parent: null,
  members: new Map(),
  overwrites: new Map(),
  ownerId: "",
  archived: false,
  locked: false,
  autoArchive: 1440,
  archivedAt: Date.UTC(2026, 0, 1),
  deleted: false,
  log: [],
  oldEdits: [],
});
