/** Cards as Slack messages. Pure; whatever others wrote stands in rich text or plain text, where it can do nothing. */
import {
  type BlockPart,
  type Card,
  type ChoicePart,
  type Comment,
  type Part,
  type Pointer,
  TIME,
} from "../../core/card.ts";
import { clip } from "../../core/fit.ts";
import { button, rows } from "./buttons.ts";
import type { Block, Context, Inline, Message, RichPart, RichText, Style } from "./kit.ts";
import { MOST } from "./limits.ts";
import { drawMarkdown } from "./markdown.ts";
import { drawMentions, fallback, notification } from "./notification.ts";
import {
  choiceBlockId,
  choiceControls,
  drawOptions,
  drawPointers,
  drawQuestion,
  type Room,
} from "./render-choice.ts";
import { code, lines, quote, richText, say, section, sizeOf } from "./rich-text.ts";
import { countedLength, isBlank, plain, safe } from "./text.ts";

/** How richly a card is drawn. */
interface Look extends Room {
  markdown: boolean;
}

/** From the best look to the barest: menus repeat what stands above them, so they are cut first. */
const LOOKS: Look[] = [
  ...[75, 40, 20].map((entry) => ({ entry, markdown: true })),
  ...[20, 3].map((entry) => ({ entry, markdown: false })),
];

/** The message of a card, files left out: those are posts of their own. */
export function renderCard(card: Card): Message {
  const blocks = drawn(card);
  return { text: notification(card, blocks), blocks };
}

/** Something for one person's eyes, with links to what it is about; what they say, the text need not. */
export function renderWord(text: string, pointers: Pointer[]): Message {
  const named = pointers.map(({ label }) => label).join(" · ");
  const short = named !== "" && text.endsWith(named) ? text.slice(0, -named.length).trim() : text;
  const words = clip(short, pointers.length > 0 ? MOST.words : MOST.message - 1_000);
  const most = Math.floor((MOST.message - 1_000 - words.length) / Math.max(1, pointers.length)) - 3;
  const links = pointers.map((pointer) => ({ ...pointer, label: clip(pointer.label, most) }));
  return { text: fallback(text), blocks: richText([section(say(words)), ...drawPointers(links, "↳ ")]) };
}

/** "Should this be your answer?" with one button. */
export const renderOffer = (text: string, id: string, label: string): Message => ({
  text: fallback(text),
  blocks: [
    ...richText([section(say(clip(text, MOST.words)))]),
    {
      type: "actions",
      elements: [{ type: "button", action_id: id, text: plain(label, MOST.button), style: "primary" }],
    },
  ],
});

function drawn(card: Card): Block[] {
  let blocks: Block[] = [];
  for (const look of LOOKS) {
    blocks = drawCard(card, look);
    if (sizeOf(blocks) <= MOST.message && blocks.length <= MOST.blocks) return blocks;
  }
  return bounded(blocks);
}

/** Never more than Slack takes, whatever it costs: buttons stay, and a mark says that text is missing. */
function bounded(blocks: Block[]): Block[] {
  const controls = blocks.filter(({ type }) => type === "actions").slice(0, MOST.blocks - 2);
  let left = MOST.message - sizeOf(controls) - 1;
  let count = MOST.blocks - controls.length - 1;
  const kept = blocks.filter((block) => {
    if (block.type === "actions") return controls.includes(block);
    left -= sizeOf([block]);
    count -= 1;
    return left >= 0 && count >= 0;
  });
  return [...kept, quiet("…")].flat();
}

function drawCard(card: Card, look: Look): Block[] {
  const [single, ...others] = card.parts.filter((part) => part.kind === "choice");
  const parts =
    single?.number === 0 && others.length === 0
      ? drawQuestionFirst(card, single, look)
      : card.parts.flatMap((part) => drawPart(part, look));
  return [...drawMentions(card), ...parts];
}

/** A card that is nothing but a question: that comes first, who asks stands quietly below, and the buttons come last. */
function drawQuestionFirst({ parts }: Card, single: ChoicePart, look: Look): Block[] {
  const controls = parts.flatMap((part) => (part.kind === "controls" ? part.controls : []));
  const between = parts.flatMap((part): Block[] => {
    if (part === single) return richText(drawOptions(single));
    return part.kind === "title" || part.kind === "controls" ? [] : drawPart(part, look);
  });
  const who = parts.flatMap((part) =>
    part.kind === "title" ? quiet([part.text, part.subtitle].filter(Boolean).join(" "), part.origin) : [],
  );
  const pressed = rows([choiceControls(single, look), controls.map(button)], choiceBlockId(single));
  return [...richText(drawQuestion(single)), ...who, ...between, ...pressed];
}

function drawPart(part: Part, look: Look): Block[] {
  switch (part.kind) {
    case "title":
      return [
        ...richText([section(say(part.text.trim(), { bold: true }))]),
        ...quiet(part.subtitle, part.origin),
      ];
    case "text":
      return drawText(part);
    case "choice":
      return [
        ...richText([...drawQuestion(part), ...drawOptions(part)]),
        ...rows([choiceControls(part, look)], choiceBlockId(part)),
      ];
    case "block":
      return [
        ...richText(drawBlock(part, look)),
        ...rows(part.comment === null ? [] : [[button(part.comment)]]),
      ];
    case "comments":
      return richText([section(say(part.label, { bold: true })), ...drawComments(part.comments)]);
    case "progress":
      return quiet(part.text);
    case "people":
      return quiet(
        part.people
          .map(({ name, state }) => `${name}${/^\p{L}|^\p{N}/u.test(state) ? ":" : ""} ${state}`)
          .join(" · "),
      );
    case "pointers":
      return richText(drawPointers(part.pointers, ""));
    case "controls":
      return rows([part.controls.map(button)]);
    case "file":
      return [];
  }
}

const MARKS = { body: "", quiet: "", code: "", good: "✅ ", warn: "⚠️ " };

function drawText({ text, tone, at }: Extract<Part, { kind: "text" }>): Block[] {
  if (isBlank(safe(text))) return [];
  if (tone === "code") return richText(code(text));
  if (tone === "quiet" && at === null) return quiet(text);
  const style: Style = tone === "quiet" ? { italic: true } : {};
  return richText([section([...say(MARKS[tone]), ...timed(text.trimEnd(), at, style)])]);
}

/** A text with its time as the reader's own clock shows it. */
function timed(text: string, at: number | null, style: Style): Inline[] {
  if (at === null || !Number.isFinite(at) || at < 0) return say(text, style);
  const time: Inline = {
    type: "date",
    timestamp: Math.floor(at / 1000),
    format: "{time}",
    fallback: `${new Date(at).toISOString().slice(11, 16)} UTC`,
    ...(style.italic && { style }),
  };
  return text.split(TIME).flatMap((piece, index) => [...(index === 0 ? [] : [time]), ...say(piece, style)]);
}

/** Small grey text, side by side; what is too long for that is in italics. */
function quiet(...texts: string[]): (Context | RichText)[] {
  const all = texts.map((text) => safe(text).trim()).filter((text) => !isBlank(text));
  if (all.length === 0) return [];
  if (all.some((text) => countedLength(text) > MOST.quiet))
    return richText([section(lines(all.map((text) => say(text, { italic: true }))))]);
  return [{ type: "context", elements: all.map((text) => ({ type: "plain_text", text, emoji: false })) }];
}

/** "¶7" and the block; beside each other where that reads well. */
function drawBlock({ number, raw, comments }: BlockPart, look: Look): RichPart[] {
  const label = say(`¶${number}`, { bold: true });
  const parts = look.markdown ? drawMarkdown(raw) : code(raw);
  const [first, ...rest] = parts;
  const body =
    first?.type === "rich_text_section"
      ? [section([...label, ...say("  "), ...first.elements]), ...rest]
      : [section(label), ...parts];
  return [...body, ...drawComments(comments)];
}

/** "Ana: text" in a quote. */
function drawComments(comments: Comment[]): RichPart[] {
  const all = comments.map(({ by, text }) => [...say(`${by}: `, { bold: true }), ...say(text.trim())]);
  return all.length > 0 ? [quote(lines(all))] : [];
}
