/** What changes a channel, whoever does it, and what everybody hears of it. */
import { type Hub, linkOf } from "./hub.ts";
import { calledBy } from "./mentions.ts";
import type { Message, Room, Team, User } from "./model.ts";
import { messageJson } from "./payloads.ts";
import { copied, type Json, str } from "./wire.ts";
import { addMessage, type NewMessage, newMessage, nextTs, removeMessage } from "./world.ts";

export interface Place {
  team: Team;
  room: Room;
}

/** Tells the bot of an event that its app subscribes to. */
export function emit(hub: Hub, team: Team, event: Json, subscription = str(event.type)): void {
  if (!team.events.has(subscription)) return;
  const eventId = hub.id("Ev0");
  void linkOf(hub, team).deliver({
    type: "events_api",
    accepts: false,
    label: `event ${event.type}${event.subtype === undefined ? "" : `/${event.subtype}`} ${eventId}`,
    payload: {
      token: "verification-token",
      team_id: team.id,
      context_team_id: team.id,
      api_app_id: team.app.id,
      event: copied(event),
      type: "event_callback",
      event_id: eventId,
      event_time: Math.floor(hub.now() / 1000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: team.id,
          user_id: team.bot.id,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: false,
      event_context: `4-${eventId}`,
    },
  });
}

/** Tells the bot, where it is a member. */
function emitIn(hub: Hub, { team, room }: Place, event: Json): void {
  if (!room.members.has(team.bot.id) || team.refusal !== null) return;
  const message = event.type === "message";
  if (message && !team.scopes.has(historyScope(room))) return;
  const told = { channel: room.id, channel_type: room.kind, ...event };
  emit(hub, team, told, message ? `message.${family(room)}` : str(event.type));
}

export const historyScope = (room: Room): string => `${family(room)}:history`;

/** The word for this kind of channel in scopes and events. */
export const family = (room: Pick<Room, "kind">): string =>
  ({ channel: "channels", group: "groups", im: "im" })[room.kind];

export function post(hub: Hub, place: Place, given: NewMessage): Message {
  const { team, room } = place;
  const message = newMessage(room, nextTs(room, hub.now()), given);
  addMessage(room, message);
  for (const file of message.files) file.shares.push({ channel: room.id, ts: message.ts });
  notify(team, room, message);
  emitIn(hub, place, {
    ...messageJson(team, room, message),
    event_ts: message.ts,
    ...(message.files.length > 0 ? { subtype: "file_share" } : {}),
  });
  hub.ledger.changed();
  return message;
}

/** Buzzes phones: of those a message calls by name, of all where it calls all, and of the person in a direct channel. */
function notify(team: Team, room: Room, message: Message): void {
  const called = calledBy(message.text, message.blocks);
  for (const person of room.members.values()) {
    if (person.id === message.user || person.id === team.bot.id) continue;
    const why = reason(person, room, message, called);
    if (why !== null)
      person.notifications.push({ channel: room.id, ts: message.ts, text: message.text, why });
  }
}

function reason(
  person: User,
  room: Room,
  message: Message,
  called: ReturnType<typeof calledBy>,
): "mention" | "broadcast" | "direct" | null {
  if (called.users.has(person.id)) return "mention";
  if (called.everybody) return "broadcast";
  return room.kind === "im" && message.threadTs === null ? "direct" : null;
}

/** Changes a message and tells how it was before. */
export function change(hub: Hub, place: Place, message: Message, to: Partial<Message>): void {
  const { team, room } = place;
  const previous = messageJson(team, room, message);
  Object.assign(message, to);
  changed(hub, place, message, previous);
}

function changed(hub: Hub, place: Place, message: Message, previous: Json): void {
  const at = nextTs(place.room, hub.now());
  emitIn(hub, place, {
    type: "message",
    subtype: "message_changed",
    hidden: true,
    ts: at,
    event_ts: at,
    message: messageJson(place.team, place.room, message),
    previous_message: previous,
  });
  hub.ledger.changed();
}

/** Takes a message away; a root with replies turns into a tombstone, which is heard as a change. */
export function remove(hub: Hub, place: Place, message: Message): void {
  const { team, room } = place;
  const previous = messageJson(team, room, message);
  removeMessage(room, message);
  if (message.gone === "tombstone") {
    changed(hub, place, message, previous);
    return;
  }
  const at = nextTs(room, hub.now());
  emitIn(hub, place, {
    type: "message",
    subtype: "message_deleted",
    hidden: true,
    deleted_ts: message.ts,
    ts: at,
    event_ts: at,
    previous_message: previous,
  });
  hub.ledger.changed();
}

/** Shows something to one person only; nobody else hears of it and no phone buzzes. */
export function whisper(hub: Hub, room: Room, person: User, given: NewMessage): Message {
  const message = { ...newMessage(room, nextTs(room, hub.now()), given), ephemeral: true };
  person.ephemerals.push(message);
  hub.ledger.changed();
  return message;
}

export function join(hub: Hub, place: Place, person: User, inviter: User | null): void {
  const { team, room } = place;
  if (room.members.has(person.id)) return;
  room.members.set(person.id, person);
  emitIn(hub, place, {
    type: "member_joined_channel",
    user: person.id,
    channel_type: room.kind === "group" ? "G" : "C",
    team: team.id,
    ...(inviter === null ? {} : { inviter: inviter.id }),
    event_ts: nextTs(room, hub.now()),
  });
  hub.ledger.changed();
}

export function leave(hub: Hub, place: Place, person: User): void {
  const { team, room } = place;
  if (!room.members.has(person.id)) return;
  emitIn(hub, place, {
    type: "member_left_channel",
    user: person.id,
    channel_type: room.kind === "group" ? "G" : "C",
    team: team.id,
    event_ts: nextTs(room, hub.now()),
  });
  room.members.delete(person.id);
  hub.ledger.changed();
}

export function archive(hub: Hub, place: Place, by: User): void {
  place.room.archived = true;
  emitIn(hub, place, {
    type: place.room.kind === "group" ? "group_archive" : "channel_archive",
    user: by.id,
    event_ts: nextTs(place.room, hub.now()),
  });
  hub.ledger.changed();
}

/** The root that a reply goes under, or why it cannot. */
export function rootFor(
  room: Room,
  threadTs: string,
): Message | "thread_not_found" | "cannot_reply_to_message" {
  const root = room.byTs.get(threadTs);
  if (root === undefined) return "thread_not_found";
  return root.threadTs === null ? root : "cannot_reply_to_message";
}

/** Adds a reaction; says whether it was new. */
export function addReaction(hub: Hub, message: Message, user: string, name: string): boolean {
  const there = message.reactions.find((one) => one.name === name);
  if (there?.users.includes(user) === true) return false;
  if (there === undefined) message.reactions.push({ name, users: [user] });
  else there.users.push(user);
  hub.ledger.changed();
  return true;
}
