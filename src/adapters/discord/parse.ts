/** What people did in Discord, as events. Pure; who they are and where it is, is looked up before. */
import { createHash } from "node:crypto";
import type { Press, Typed } from "../../core/event.ts";
import type { Actor, Attachment } from "../../core/people.ts";
import { handleOf, personId, timeOf, typedId } from "./address.ts";
import { splitEntryAction } from "./buttons.ts";
import type { Room } from "./rooms.ts";
import { formWords } from "./view.ts";
import type { Interaction, Member, Message, User } from "./wire.ts";

export const nameOf = (user: User, member?: Pick<Member, "nick"> | null): string =>
  member?.nick || user.global_name || user.username;

/** Whoever was let in for one visit, or has not agreed to the rules yet. */
const GUEST = 1 << 4;

/** `member` is null outside of their servers, undefined in a direct message. */
export function actorOf(
  user: User,
  member: Pick<Member, "nick" | "flags" | "pending"> | null | undefined,
  inPlace: boolean,
): Actor {
  const guest = ((member?.flags ?? 0) & GUEST) !== 0 || member?.pending === true;
  const kind = user.bot ? "bot" : member === null ? "external" : guest ? "guest" : "member";
  return { id: personId("", user.id), name: nameOf(user, member), kind, inPlace };
}

const VIEW_CHANNEL = 1n << 10n;

/** Who acted; null where Discord does not say. What somebody presses is theirs to see only where the channel is. */
export function actor({ user, member }: Interaction): Actor | null {
  const someone = member?.user ?? user;
  if (!someone) return null;
  const inPlace = member ? (BigInt(member.permissions ?? "0") & VIEW_CHANNEL) !== 0n : true;
  return actorOf(someone, member ?? undefined, inPlace);
}

/** A button, a choice, or a form with what was filled in. */
export function press({ id, data, locale }: Interaction, { place }: Room, who: Actor): Press {
  const { button, value } = splitEntryAction(data?.custom_id ?? "");
  const filled = data?.components ? formWords(data.components) : null;
  const done =
    filled === null
      ? { id, values: value === null ? (data?.values ?? []) : [value], words: null }
      : { id: submission(value ?? id, filled), ...filled };
  return { type: "press", place, actor: who, button, ...done, locale: locale ?? undefined };
}

/** A form that is sent again with the same in it, because Discord did not hear that it was taken, is the same press. */
function submission(opening: string, filled: ReturnType<typeof formWords>): string {
  const content = createHash("sha256").update(JSON.stringify(filled)).digest("base64url");
  return `${opening}/${content.slice(0, 16)}`;
}

const PLAIN = 0;
const REPLY = 19;

/** Did a person write it? Not other bots, joins, pins, or how a thread begins. */
export const isPersons = ({ type, author, webhook_id }: Message): boolean =>
  (type === PLAIN || type === REPLY) && !author.bot && !webhook_id;

/** What it stands under or replies to. */
export function anchorOf(message: Pick<Message, "type" | "message_reference">, room: Room): Typed["anchor"] {
  const { thread } = room;
  const { message_id, channel_id } = message.message_reference ?? {};
  if (message.type !== REPLY || !message_id)
    return thread === null ? null : { kind: "thread", handle: thread };
  // The message that began a thread stands outside of it.
  const handle = handleOf(message_id, channel_id === thread ? thread : null);
  return { kind: "reply", handle, ...(thread !== null && { thread }) };
}

/** A message that somebody wrote; `roomName` knows channels by id. */
export function typed(
  message: Message,
  { room, who, roomName }: { room: Room; who: Actor; roomName: (id: string) => string | undefined },
): Typed {
  const { place, thread } = room;
  const edited = message.edited_timestamp;
  return {
    type: "typed",
    id: typedId(place, handleOf(message.id, thread)),
    at: timeOf(message.id),
    place,
    actor: who,
    anchor: anchorOf(message, room),
    text: plainText(message, roomName),
    editedAt: edited ? Date.parse(edited) : undefined,
    files: attachments(message),
  };
}

const attachments = ({ attachments: files }: Message): Attachment[] =>
  (files ?? []).map(({ filename, content_type, url }) => ({ name: filename, type: content_type ?? "", url }));

/** The text as its author saw it: people, channels and emoji by name. */
function plainText({ content, mentions }: Message, roomName: (id: string) => string | undefined): string {
  const names = new Map((mentions ?? []).map((user) => [user.id, nameOf(user, user.member)]));
  return content
    .replaceAll(/<@!?(\d{1,20})>/g, (whole, id: string) => (names.has(id) ? `@${names.get(id)}` : whole))
    .replaceAll(/<#(\d{1,20})>/g, (whole, id: string) => {
      const name = roomName(id);
      return name === undefined ? whole : `#${name}`;
    })
    .replaceAll(/<a?(:\w{2,32}:)\d{1,20}>/g, "$1");
}
