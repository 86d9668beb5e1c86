/** What a phone shows, as text. */
import { shownOf } from "./controls.ts";
import type { Hub } from "./hub.ts";
import { FLAGS, KINDS, TYPES } from "./limits.ts";
import { readMarkdown } from "./markdown.ts";
import { nameIn } from "./mentions.ts";
import type { Message, Room, User } from "./model.ts";
import { isJson, type Json, record, records, str } from "./wire.ts";

/** Whose screen it is decides what the selects show; nobody's shows what the bot sent. */
export function drawRoom(hub: Hub, room: Room, eyes: User | null): string {
  const draw = (message: Message) => drawMessage(hub, message, eyes);
  const lines = [`# ${room.name}${room.archived ? " (archived)" : ""}${room.locked ? " (locked)" : ""}`];
  for (const message of room.log) {
    if (message.gone || message.type === TYPES.starter) continue;
    lines.push(draw(message));
    if (message.thread !== null) lines.push(indented(drawRoom(hub, message.thread, eyes), "    "));
  }
  for (const message of eyes?.ephemerals ?? [])
    if (message.channel === room.id && !message.gone) lines.push(`(only visible to you) ${draw(message)}`);
  return lines.join("\n");
}

export function drawMessage(hub: Hub, message: Message, eyes: User | null): string {
  if ((message.flags & FLAGS.loading) !== 0) return `${message.author.name}: (is thinking…)`;
  const { reference, type } = message;
  if (type === TYPES.added)
    return `(${message.author.name} added ${message.mentions.map(({ name }) => name).join(", ")})`;
  const to = type === TYPES.reply && reference !== null ? originOf(hub, reference) : "";
  const body = [
    words(hub, message.content),
    ...message.embeds.map((embed) => drawEmbed(hub, embed)),
    ...message.components.map((one) => drawComponent(hub, one, message, eyes)),
    ...shownFiles(message).map(({ filename }) => `📎 ${filename}`),
    message.reactions.map(({ emoji, users }) => `${emoji} ${users.length}`).join("  "),
  ].filter((line) => line !== "");
  const mark = message.editedAt === null || message.components.length > 0 ? "" : " (edited)";
  return `${to}${message.author.name}: ${indented(body.join("\n"), "  ").trimStart()}${mark}`;
}

/** With Components V2 a file shows only where a component names it. */
const shownFiles = ({ flags, attachments }: Message): Message["attachments"] =>
  (flags & FLAGS.componentsV2) === 0 ? attachments : [];

function originOf(hub: Hub, { channel, id }: { channel: string; id: string }): string {
  const found = hub.rooms.get(channel)?.log.find((one) => one.id === id && !one.gone);
  return `┌ ${found === undefined ? "(a deleted message)" : `${found.author.name}: ${words(hub, found.content).slice(0, 30)}`}\n`;
}

const indented = (text: string, by: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");

const words = (hub: Hub, text: string): string => readMarkdown(text, nameIn(hub)).text;

const drawEmbed = (hub: Hub, { title, description, fields, footer }: Json): string =>
  [
    ...(title === undefined ? [] : [`== ${words(hub, str(title))} ==`]),
    words(hub, str(description)),
    ...records(fields).map(({ name, value }) => `${str(name)}: ${words(hub, str(value))}`),
    str(record(footer).text),
  ]
    .filter((line) => line !== "")
    .map((line) => `| ${line.replaceAll("\n", "\n| ")}`)
    .join("\n");

function drawComponent(hub: Hub, one: Json, message: Message, eyes: User | null): string {
  const inner = (list: unknown) => records(list).map((child) => drawComponent(hub, child, message, eyes));
  switch (one.type) {
    case KINDS.row:
      return inner(one.components).join(" ");
    case KINDS.button:
      return one.disabled === true ? `[ ${str(one.label)} (disabled) ]` : `[ ${str(one.label)} ]`;
    case KINDS.select:
      return drawSelect(one, message, eyes);
    case KINDS.section:
      return [...inner(one.components), ...inner([one.accessory].filter(isJson))].join("\n");
    case KINDS.text:
      return words(hub, str(one.content));
    case KINDS.file:
      return `📎 ${str(record(one.file).url).replace("attachment://", "")}`;
    case KINDS.separator:
      return "────────";
    case KINDS.container:
      return inner(one.components)
        .map((line) => `| ${line.replaceAll("\n", "\n| ")}`)
        .join("\n");
    default:
      return "";
  }
}

function drawSelect(one: Json, message: Message, eyes: User | null): string {
  const control = {
    customId: str(one.custom_id),
    type: KINDS.select,
    component: one,
    label: "",
    disabled: one.disabled === true,
  };
  const shown = shownOf(eyes, message, control);
  const chosen = records(one.options)
    .filter(({ value }) => shown.includes(str(value)))
    .map(({ label }) => str(label));
  const off = control.disabled ? " (disabled)" : "";
  return `[ ${chosen.join(", ") || str(one.placeholder) || "Make a selection"} ▾${off} ]`;
}
