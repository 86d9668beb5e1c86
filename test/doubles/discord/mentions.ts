/** Whom a message calls, and whose phone buzzes. */
import type { Hub } from "./hub.ts";
import { FLAGS, KINDS } from "./limits.ts";
import { type NameOf, readMarkdown } from "./markdown.ts";
import type { Message, Notification, Room, User } from "./model.ts";
import { may } from "./permissions.ts";
import { isJson, type Json, records, str, strings } from "./wire.ts";

export interface Called {
  users: User[];
  everyone: boolean;
}

/** What a body allows; without the property everything in the text calls, and a reply calls whom it replies to. */
export interface Allowed {
  everyone: boolean;
  users: "all" | string[];
  repliedUser: boolean;
}

export const ALL: Allowed = { everyone: true, users: "all", repliedUser: true };

export function allowedBy(given: unknown): Allowed {
  if (!isJson(given)) return ALL;
  const parse = strings(given.parse);
  return {
    everyone: parse.includes("everyone"),
    users: parse.includes("users") ? "all" : strings(given.users),
    repliedUser: given.replied_user === true,
  };
}

/** Those whom the text calls, as far as it is allowed. */
export function calledBy(hub: Hub, text: string, author: User, room: Room, allowed: Allowed): Called {
  const read = readMarkdown(text, (id) => id);
  const users = [...new Set(read.mentions)]
    .filter((id) => allowed.users === "all" || allowed.users.includes(id))
    .map((id) => hub.users.get(id))
    .filter((user) => user !== undefined);
  const everyone =
    allowed.everyone && room.guild !== null && read.everyone && may(author, room, "MENTION_EVERYONE");
  return { users, everyone };
}

/** People and channels as mentions show them. */
export const nameIn =
  ({ users, rooms }: Hub): NameOf =>
  (id) =>
    users.get(id)?.name ?? rooms.get(id)?.name ?? "unknown";

/** Content, and the text of Components V2. */
export const textOf = (content: string, components: readonly Json[]): string =>
  [content, ...shownTexts(components)].join("\n");

const shownTexts = (components: readonly Json[]): string[] =>
  components.flatMap((one) => [
    ...(one.type === KINDS.text ? [str(one.content)] : []),
    ...shownTexts(records(one.components)),
  ]);

/** Buzzes the phones of those whom it calls and who can see it. They show nothing of components (discord-api-docs#7854). */
export function notify(hub: Hub, room: Room, message: Message, called: Called, replied: User | null): void {
  if ((message.flags & FLAGS.suppressNotifications) !== 0 || message.only !== null) return;
  for (const user of audienceOf(hub, room)) {
    const why = whyOf(user, room, called, replied);
    if (user === message.author || why === null || !may(user, room, "VIEW_CHANNEL")) continue;
    const { text } = readMarkdown(message.content, nameIn(hub));
    user.notifications.push({ channel: room.id, id: message.id, text, why });
  }
}

const audienceOf = (hub: Hub, room: Room): User[] =>
  room.kind === "dm" ? [...room.members.values()] : [...hub.users.values()];

function whyOf(user: User, room: Room, { users, everyone }: Called, replied: User | null) {
  const why: Notification["why"] | null = users.includes(user)
    ? "mention"
    : user === replied
      ? "reply"
      : everyone
        ? "everyone"
        : room.kind === "dm"
          ? "direct"
          : null;
  return why;
}
