/** What a phone shows, as text. */
import { type Control, controlsOf, labelOf, shownOf } from "./controls.ts";
import type { Message, Pick, Room, Team, User } from "./model.ts";
import { unescaped } from "./payloads.ts";
import { isJson, type Json, list, record, records, str } from "./wire.ts";

/** Whose screen it is: it decides what the selects show; nobody's shows what the bot sent. */
export interface Eyes {
  team: Team;
  user: User | null;
}

export function drawRoom(room: Room, eyes: Eyes): string {
  const lines = [`# ${room.name}`];
  for (const message of room.log) {
    const replies = room.threads.get(message.ts) ?? [];
    if (message.threadTs !== null || message.gone === "deleted") continue;
    lines.push(drawMessage(message, eyes));
    for (const reply of replies) lines.push(indented(drawMessage(reply, eyes), "    "));
  }
  for (const message of eyes.user?.ephemerals ?? [])
    if (message.channel === room.id) lines.push(`(only visible to you) ${drawMessage(message, eyes)}`);
  return lines.join("\n");
}

export function drawMessage(message: Message, eyes: Eyes): string {
  if (message.gone !== false) return "— This message was deleted.";
  const author = eyes.team.users.get(message.user)?.name ?? message.user;
  const holder = `${message.channel}:${message.ts}`;
  const body =
    message.blocks.length > 0 ? drawBlocks(message.blocks, eyes, holder) : mrkdwn(message.text, eyes.team);
  const tail = [
    ...message.files.map((file) => `📎 ${file.title}`),
    message.reactions.map((one) => `:${one.name}: ${one.users.length}`).join("  "),
  ].filter((line) => line !== "");
  const mark = message.edited === null || message.blocks.length > 0 ? "" : " (edited)";
  return `${author}: ${indented([body, ...tail].join("\n"), "  ").trimStart()}${mark}`;
}

const indented = (text: string, by: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");

export function drawBlocks(blocks: readonly Json[], eyes: Eyes, holder = ""): string {
  return blocks
    .map((block) =>
      drawBlock(block, eyes, (control) => shownOf(control, eyes.user?.picks ?? new Map(), holder)),
    )
    .filter((text) => text !== "")
    .join("\n");
}

type Shown = (control: Control) => Pick;

function drawBlock(block: Json, { team }: Eyes, shown: Shown): string {
  const controls = controlsOf([block]).map((control) => drawControl(control, shown(control)));
  switch (block.type) {
    case "header":
      return `== ${drawText(block.text, team)} ==`;
    case "section":
      return [
        ...[block.text, ...list(block.fields)].filter(isJson).map((text) => drawText(text, team)),
        ...controls,
      ].join("\n");
    case "context":
      return records(block.elements)
        .map((one) => (one.type === "image" ? `(${str(one.alt_text)})` : drawText(one, team)))
        .join("  ");
    case "actions":
      return controls.join(" ");
    case "input":
      return `${drawText(block.label, team)}: ${controls.join(" ")}`;
    case "divider":
      return "────────";
    case "image":
      return `(${str(block.alt_text)})`;
    case "markdown":
      return str(block.text);
    case "rich_text":
      return records(block.elements)
        .map((part) => drawRich(part, team))
        .join("\n");
    case "table":
      return list(block.rows)
        .map((row) =>
          records(row)
            .map((cell) => drawCell(cell, team))
            .join(" | "),
        )
        .join("\n");
    default:
      return "";
  }
}

const drawText = (text: unknown, team: Team): string => {
  const { type, text: words } = record(text);
  return type === "mrkdwn" ? mrkdwn(str(words), team) : str(words);
};

/** Names for mentions, labels for links, and the escapes undone. */
function mrkdwn(text: string, team: Team): string {
  return unescaped(
    text
      .replaceAll(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `@${team.users.get(id)?.name ?? id}`)
      .replaceAll(/<#([A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `#${team.rooms.get(id)?.name ?? id}`)
      .replaceAll(/<!(\w+)(?:[|^][^>]*)?>/g, "@$1")
      .replaceAll(/<([^>|]+)\|([^>]+)>/g, "$2")
      .replaceAll(/<((?:https?|mailto):[^>]+)>/g, "$1"),
  );
}

function drawControl(control: Control, shown: Pick): string {
  const { element, type } = control;
  if (type === "button") return `[ ${str(record(element.text).text)} ]`;
  if (type === "overflow") return "[ ⋮ ]";
  const placeholder = str(record(element.placeholder).text);
  if ("value" in shown) return `[ ${shown.value || placeholder || "…"} ]`;
  const chosen = shown.options.map(labelOf);
  if (type === "radio_buttons" || type === "checkboxes") {
    const [on, off] = type === "checkboxes" ? ["[x]", "[ ]"] : ["(•)", "( )"];
    return records(element.options)
      .map((option) => `${chosen.includes(labelOf(option)) ? on : off} ${labelOf(option)}`)
      .join("\n");
  }
  return `[ ${chosen.join(", ") || placeholder || "Choose"} ▾ ]`;
}

function drawRich(part: Json, team: Team): string {
  const inline = (elements: unknown) =>
    records(elements)
      .map((one) => drawInline(one, team))
      .join("");
  switch (part.type) {
    case "rich_text_list":
      return records(part.elements)
        .map((item, index) => {
          const indent = "  ".repeat(Number(part.indent ?? 0));
          const offset = Number(part.offset ?? 0);
          return `${indent}${part.style === "ordered" ? `${offset + index + 1}.` : "•"} ${inline(item.elements)}`;
        })
        .join("\n");
    case "rich_text_quote":
      return indented(inline(part.elements), "> ");
    case "rich_text_preformatted":
      return `\`\`\`\n${inline(part.elements)}\n\`\`\``;
    default:
      return inline(part.elements);
  }
}

function drawInline(one: Json, team: Team): string {
  switch (one.type) {
    case "link":
      return str(one.text) || str(one.url);
    case "user":
      return `@${team.users.get(str(one.user_id))?.name ?? str(one.user_id)}`;
    case "channel":
      return `#${team.rooms.get(str(one.channel_id))?.name ?? str(one.channel_id)}`;
    case "emoji":
      return `:${str(one.name)}:`;
    case "broadcast":
      return `@${str(one.range)}`;
    case "date":
      return str(one.fallback) || new Date(Number(one.timestamp) * 1000).toISOString();
    default:
      return str(one.text);
  }
}

const drawCell = (cell: Json, team: Team): string =>
  cell.type === "rich_text"
    ? records(cell.elements)
        .map((part) => drawRich(part, team))
        .join(" ")
    : str(cell.text);
