/** Rich text: the words of agents and people, styled here and never parsed by Slack. Pure. */
import { trimmedCode } from "../shared/text.ts";
import type {
  Block,
  Code,
  Inline,
  Items,
  Link,
  Pressable,
  Quote,
  RichPart,
  RichText,
  Section,
  Style,
} from "./kit.ts";
import { safe } from "./text.ts";

/** A text in a style; nothing for "". */
export function say(text: string, style: Style = {}): Inline[] {
  const harmless = safe(text);
  if (harmless === "") return [];
  return [{ type: "text", text: harmless, ...(Object.keys(style).length > 0 && { style }) }];
}

/** A link of our own, under other words. */
export const linked = (text: string, url: string): Link => ({ type: "link", url, text: safe(text) || url });

export const section = (elements: Inline[]): Section => ({ type: "rich_text_section", elements });
export const quote = (elements: Inline[]): Quote => ({ type: "rich_text_quote", elements });
export const items = (elements: Section[], more: Partial<Items> = {}): Items => ({
  type: "rich_text_list",
  style: "bullet",
  elements,
  indent: 0,
  ...more,
});

/** Code as it is, without the blank lines around it; nothing for "". */
export function code(text: string, more: Pick<Code, "border"> = {}): Code[] {
  const harmless = trimmedCode(text);
  if (harmless === "") return [];
  return [{ type: "rich_text_preformatted", elements: [{ type: "text", text: harmless }], ...more }];
}

/** A block of these parts, without the empty ones; nothing when all are. */
export function richText(parts: RichPart[]): RichText[] {
  const elements = parts.filter((part) => part.elements.length > 0);
  return elements.length > 0 ? [{ type: "rich_text", elements }] : [];
}

/** One line after the other. */
export const lines = (all: Inline[][]): Inline[] => joined(all, "\n");

/** With something between each two; empty ones do not count. */
export const joined = (all: Inline[][], between: string): Inline[] =>
  all
    .filter((inlines) => inlines.length > 0)
    .flatMap((inlines, index) => (index === 0 ? inlines : [...say(between), ...inlines]));

export const shown = (inline: Inline): string => {
  if (inline.type === "link") return inline.text ?? inline.url;
  return inline.type === "date" ? inline.fallback : inline.text;
};

export const shownIn = (part: RichPart): string =>
  part.elements
    .map((element) => (element.type === "rich_text_section" ? shownIn(element) : shown(element)))
    .join(part.type === "rich_text_list" ? "\n" : "");

/** The characters of all texts, those in menus and buttons too: what Slack's limit on a message counts. */
export const sizeOf = (blocks: Block[]): number => blocks.reduce((sum, block) => sum + blockSize(block), 0);

function blockSize(block: Block): number {
  switch (block.type) {
    case "rich_text":
      return block.elements.reduce((sum, part) => sum + shownIn(part).length, 0);
    case "context":
      return block.elements.reduce((sum, { text }) => sum + text.length, 0);
    case "section":
      return block.text.text.length;
    case "actions":
      return block.elements.reduce((sum, element) => sum + pressableSize(element), 0);
  }
}

function pressableSize(element: Pressable): number {
  if (element.type === "button") {
    const { title, text, confirm, deny } = element.confirm ?? {};
    return [element.text, title, text, confirm, deny].reduce((sum, one) => sum + (one?.text.length ?? 0), 0);
  }
  const chosen =
    element.type === "static_select" ? [element.initial_option] : (element.initial_options ?? []);
  const texts = [element.placeholder, ...[...element.options, ...chosen].map((option) => option?.text)];
  return texts.reduce((sum, one) => sum + (one?.text.length ?? 0), 0);
}
