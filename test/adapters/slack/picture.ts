/** A message as text, about as a phone shows it. */
import type { Block, Inline, Message, Pressable, RichPart } from "../../../src/adapters/slack/kit.ts";

export const picture = ({ blocks }: Pick<Message, "blocks">): string => blocks.map(blockPicture).join("\n");

function blockPicture(block: Block): string {
  switch (block.type) {
    case "rich_text":
      return block.elements.map(partPicture).join("\n");
    case "context":
      return `  ·${block.elements.map(({ text }) => text).join("   ")}·`;
    case "section":
      return block.text.text;
    case "actions":
      return block.elements.map(pressable).join(" ");
  }
}

function partPicture(part: RichPart): string {
  const bar = (text: string, mark: string): string => text.replaceAll(/^/gm, mark);
  switch (part.type) {
    case "rich_text_section":
      return inlines(part.elements);
    case "rich_text_quote":
      return bar(inlines(part.elements), "| ");
    case "rich_text_preformatted":
      return bar(inlines(part.elements), `${part.border === 1 ? "| " : ""}# `);
    case "rich_text_list": {
      const pad = `${part.border === 1 ? "| " : ""}${"   ".repeat(part.indent)}`;
      return part.elements
        .map(({ elements }, index) => {
          const mark = part.style === "ordered" ? `${index + 1 + (part.offset ?? 0)}. ` : "• ";
          return `${pad}${mark}${inlines(elements).replaceAll("\n", `\n${pad}${" ".repeat(mark.length)}`)}`;
        })
        .join("\n");
    }
  }
}

const inlines = (all: Inline[]): string => all.map(inline).join("");

function inline(one: Inline): string {
  if (one.type === "link") return one.text === undefined ? `<${one.url}>` : `<${one.text}|${one.url}>`;
  if (one.type === "date") return `{${one.fallback}}`;
  const marks = [
    one.style?.bold && "*",
    one.style?.italic && "_",
    one.style?.strike && "~",
    one.style?.code && "`",
  ];
  const mark = marks.filter(Boolean);
  return `${mark.join("")}${one.text}${mark.reverse().join("")}`;
}

function pressable(element: Pressable): string {
  if (element.type === "button")
    return `[${element.style === "primary" ? "!" : element.style === "danger" ? "x" : ""}${element.text.text}]`;
  const options = element.options.map(({ text }) => text.text).join(" / ");
  const chosen =
    element.type === "static_select"
      ? (element.initial_option?.text.text ?? "")
      : (element.initial_options ?? []).map(({ text }) => text.text).join(", ");
  return `[${chosen || element.placeholder?.text || "…"} ▾ ${options}]`;
}
