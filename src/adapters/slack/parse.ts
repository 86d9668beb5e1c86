/** What people did in Slack, as events. Pure; who they are is looked up before. */

import { createHash } from "node:crypto";
import type { Press, Typed } from "../../core/event.ts";
import type { Actor, Attachment } from "../../core/people.ts";
import type { Heard } from "../../core/surface.ts";
import { messageId, placeOf, timeOf } from "./address.ts";
import { splitEntryAction } from "./buttons.ts";
import { formWords } from "./view.ts";
import type { BlockActions, FormPlace, Message, MessageEvent, ViewSubmission } from "./wire.ts";

/** Who acted, and in which language they read Slack. */
export interface Known {
  actor: Actor;
  locale: string | undefined;
}

/** Each thing pressed or chosen; usually one. */
export function presses(team: string, body: BlockActions, who: Known): Press[] {
  const channel = body.container.channel_id ?? "";
  return body.actions.map((action) => {
    const { button, value } = splitEntryAction(action.action_id);
    const chosen = action.selected_options ?? (action.selected_option ? [action.selected_option] : []);
    return {
      type: "press",
      id: `${body.trigger_id}/${action.action_ts ?? ""}`,
      place: placeOf(team, channel),
      actor: who.actor,
      button,
      values: value === null ? chosen.map((option) => option.value) : [value],
      words: null,
      locale: who.locale,
    };
  });
}

/** A form that is sent again with the same in it, because Slack did not hear that it was taken, is the same press. */
export function submission(team: string, { view }: ViewSubmission, from: FormPlace, who: Known): Press {
  const filled = formWords(view.state.values);
  const content = createHash("sha256").update(JSON.stringify(filled)).digest("base64url");
  return {
    type: "press",
    id: `${view.id}/${content.slice(0, 16)}`,
    place: placeOf(team, from.channel),
    actor: who.actor,
    button: view.callback_id,
    ...filled,
    locale: who.locale,
  };
}

/** What a message event is about: the author whose doing it is, and whether a post of the bot's own went away. */
export type Written =
  | { kind: "typed"; message: Message }
  | { kind: "edited"; message: Message }
  | { kind: "deleted"; message: Message }
  | { kind: "unposted"; ts: string; thread: string | null };

const TYPED = new Set(["", "file_share", "thread_broadcast", "me_message"]);

/** Null for what nobody wrote: other bots, joins, topics, and the echoes of the bot's own messages. */
export function written(event: MessageEvent, botUser: string): Written | null {
  if (event.subtype === "message_deleted" || isTombstone(event)) return removal(event, botUser);
  if (event.subtype === "message_changed") {
    const { message, previous_message: before } = event;
    if (!message || !isPersons(message) || message.text === before?.text) return null;
    // The event's own time is exact, where `edited` is cut to the second.
    return { kind: "edited", message: event.ts ? { ...message, edited: { ts: event.ts } } : message };
  }
  if (!TYPED.has(event.subtype ?? "") || event.ts === undefined) return null;
  const message = { ...event, ts: event.ts };
  return isPersons(message) ? { kind: "typed", message } : null;
}

/** A deleted message that has replies stays as a `tombstone`. */
const isTombstone = ({ subtype, message }: MessageEvent): boolean =>
  subtype === "message_changed" && message?.subtype === "tombstone";

function removal(
  { previous_message: before, deleted_ts, message }: MessageEvent,
  botUser: string,
): Written | null {
  const ts = deleted_ts ?? message?.ts ?? before?.ts;
  if (before?.user === botUser && ts) return { kind: "unposted", ts, thread: threadOf(before) };
  return before && isPersons(before) ? { kind: "deleted", message: before } : null;
}

/** Did a person write it? */
export const isPersons = ({ user, bot_id, subtype }: Message): boolean =>
  Boolean(user) && !bot_id && user !== "USLACKBOT" && TYPED.has(subtype ?? "");

export const threadOf = ({ ts, thread_ts }: Message): string | null =>
  thread_ts && thread_ts !== ts ? thread_ts : null;

export interface Where {
  team: string;
  channel: string;
}

/** A message that somebody wrote; `text` is what Slack's `text` says, for people. */
export function typed({ team, channel }: Where, message: Message, actor: Actor, text: string): Typed {
  const thread = threadOf(message);
  return {
    type: "typed",
    id: messageId(team, channel, { ts: message.ts, thread }),
    at: timeOf(message.ts),
    place: placeOf(team, channel),
    actor,
    anchor: thread === null ? null : { kind: "thread", handle: thread },
    text,
    editedAt: message.edited ? timeOf(message.edited.ts) : undefined,
    files: attachments(message),
  };
}

/** An edit or a deletion of a message. */
export function rewritten(kind: "edited" | "deleted", message: Typed): Heard {
  const { id, place, actor, anchor, text, editedAt } = message;
  return kind === "edited"
    ? { type: kind, id, place, actor, anchor, text, editedAt }
    : { type: kind, id, place, anchor };
}

const attachments = ({ files }: Message): Attachment[] =>
  (files ?? []).map(({ name, title, mimetype, permalink, url_private }) => ({
    name: name ?? title ?? "file",
    type: mimetype ?? "",
    url: url_private ?? permalink ?? "",
  }));

/** Slack's `text` as its author saw it: entities, mentions and links undone. `nameOf` knows people by id. */
export function plainText(text: string, nameOf: (user: string) => string | undefined): string {
  return text
    .replace(/<([^<>]{0,3000})>/g, (_, inner: string) => reference(inner, nameOf))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function reference(inner: string, nameOf: (user: string) => string | undefined): string {
  const [target = "", label = ""] = inner.split("|", 2);
  if (target.startsWith("@")) return `@${nameOf(target.slice(1)) ?? (label || target.slice(1))}`;
  if (target.startsWith("#")) return `#${label || target.slice(1)}`;
  if (target.startsWith("!")) return label || `@${target.slice(1).split("^")[0] ?? ""}`;
  return label === "" || label === target.replace(/^(mailto:|https?:\/\/)/, "")
    ? target
    : `${label} (${target})`;
}

/** Ids of those whom a text mentions. */
export const mentioned = (text: string): string[] =>
  [...text.matchAll(/<@([UW][A-Z0-9]+)/g)].flatMap(([, user]) => user ?? []);
