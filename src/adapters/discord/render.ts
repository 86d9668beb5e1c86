/** Cards as Discord messages. Pure; whatever others wrote is escaped or stands in fixed width, where it can do nothing. */
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
import { oneLine } from "../shared/text.ts";
import { button, rows } from "./buttons.ts";
import { COMPONENTS_V2, type Component, type Message, type Row, type TextDisplay } from "./kit.ts";
import { MOST } from "./limits.ts";
import { drawMarkdown } from "./markdown.ts";
import { fits, measure } from "./measure.ts";
import { mentionLine } from "./notification.ts";
import { drawBare } from "./render-bare.ts";
import { choiceControls, drawOptions, drawPointers, drawQuestion, type Room } from "./render-choice.ts";
import { closed, escaped, fenced, isUnseen, quiet, quote, strong } from "./text.ts";

export { mentioned } from "./notification.ts";

/** How richly a card is drawn. */
interface Look extends Room {
  bare: boolean;
}

const BAREST: Look = { entry: 0, links: 0, bare: true };

/** From the best look to the barest: menus repeat what stands above them, so they are cut first. */
const LOOKS: Look[] = [
  ...[MOST.entry, 40, 20].map((entry) => ({ entry, links: Infinity, bare: false })),
  { entry: 20, links: 3, bare: false },
  { entry: 20, links: 0, bare: true },
  BAREST,
];

/** The message of a card, files left out: those are posts of their own. */
export const renderCard = (card: Card): Message => message(LOOKS.map((look) => () => drawCard(card, look)));

/** All of its words and buttons, without anything that Discord might not like. */
export const renderPlainly = (card: Card): Message => message([() => drawCard(card, BAREST)]);

/** Something for one person's eyes, with links to what it is about; what they say, the text need not. */
export function renderWord(text: string, pointers: Pointer[]): Message {
  const named = pointers.map(({ label }) => label).join(" · ");
  const short = named !== "" && text.endsWith(named) ? text.slice(0, -named.length).trim() : text;
  const looks = [
    { label: 300, links: Infinity, words: 3_000 },
    { label: 60, links: Infinity, words: 2_000 },
    { label: 60, links: 5, words: 1_200 },
    { label: 20, links: 0, words: 700 },
  ];
  return message(
    looks.map(({ label, links, words }) => () => {
      const list = pointers.map((pointer) => ({ ...pointer, label: clip(oneLine(pointer.label), label) }));
      return display([escaped(clip(short, words)), drawPointers(list, "↳ ", { links })]);
    }),
  );
}

/** "Should this be your answer?" with one button. */
export const renderOffer = (text: string, id: string, label: string): Message =>
  message(
    [3_000, 1_500].map((words) => () => [
      ...display([escaped(clip(text, words))]),
      ...rows([[button({ id, label, style: "primary", confirm: null })]]),
    ]),
  );

/** A file that is posted with it, under the name that `fileName` gives. */
export const renderFile = ({ name }: { name: string }): Message => ({
  flags: COMPONENTS_V2,
  components: [{ type: 13, file: { url: `attachment://${fileName(name)}` } }],
});

/** A name that Discord keeps as it is. */
export function fileName(name: string): string {
  const kept = name.replaceAll(/[^\w.-]+/g, "_").replace(/^[._-]+/, "");
  return kept.slice(-MOST.fileName) || "file.txt";
}

/** The first that Discord takes, else what it takes of the last. */
function message(looks: (() => Component[])[]): Message {
  let components: Component[] = [];
  for (const look of looks) {
    components = look();
    if (components.length === 0) break;
    if (fits(components)) return { flags: COMPONENTS_V2, components };
  }
  return { flags: COMPONENTS_V2, components: bounded(components) };
}

/** Never more than Discord takes, whatever it costs: buttons stay, and a mark says that text is missing. */
function bounded(components: Component[]): Component[] {
  const kept = new Set<Component>();
  const mark: Component = { type: 10, content: "…" };
  const isRoom = (one: Component): boolean => fits([...kept, one, mark]);
  const first = components.filter(({ type }) => type !== 10);
  const texts = components.filter(({ type }) => type === 10);
  for (const one of [...first, ...texts]) if (isRoom(one)) kept.add(one);
  return [...components.filter((one) => kept.has(one)), mark];
}

function drawCard(card: Card, look: Look): Component[] {
  const [single, ...others] = card.parts.filter((part) => part.kind === "choice");
  const isQuestion = single?.number === 0 && others.length === 0;
  const drawn = isQuestion ? drawQuestionFirst(card, single, look) : drawParts(card.parts, look);
  return withMentions(merged(drawn), mentionLine(card));
}

/** Whom it calls stands before everything else. */
function withMentions(drawn: Component[], line: string): Component[] {
  if (line === "") return drawn;
  const [first, ...rest] = drawn;
  return first?.type === 10 ? [...display([line, first.content]), ...rest] : [...display([line]), ...drawn];
}

/** Neighbouring texts are one where each by itself would be too many. */
function merged(drawn: Component[]): Component[] {
  if (measure(drawn).components <= MOST.components) return drawn;
  const all: Component[] = [];
  for (const one of drawn) {
    const last = all.at(-1);
    if (last?.type === 10 && one.type === 10) all.splice(-1, 1, ...display([last.content, one.content]));
    else all.push(one);
  }
  return all;
}

/** In the barest look, words between two rows stand together. */
function drawParts(parts: Part[], look: Look): Component[] {
  if (!look.bare)
    return parts.flatMap((part) => [...display([drawText(part, look)]), ...pressed([part], look)]);
  const drawn: Component[] = [];
  let waiting: Part[] = [];
  for (const part of parts) {
    waiting.push(part);
    const controls = pressed([part], look);
    if (controls.length === 0) continue;
    drawn.push(...display([drawBare(waiting)]), ...controls);
    waiting = [];
  }
  return [...drawn, ...display([drawBare(waiting)])];
}

/** A card that is nothing but a question: that comes first, who asks stands quietly below, and the buttons come last. */
function drawQuestionFirst({ parts }: Card, single: ChoicePart, look: Look): Component[] {
  const titles = parts.filter(({ kind }) => kind === "title");
  const others = parts.filter((part) => part !== single && part.kind !== "title");
  const controls = pressed([single, ...others], look);
  if (look.bare) return [...display([drawBare([single, ...titles, ...others])]), ...controls];
  const who = parts.flatMap((part) =>
    part.kind === "title" ? quietly([`${part.text} ${part.subtitle}`, part.origin]) : [],
  );
  return [
    ...display([drawQuestion(single), ...who]),
    ...display([drawOptions(single, look)]),
    ...others.flatMap((part) => display([drawText(part, look)])),
    ...controls,
  ];
}

function pressed(parts: Part[], look: Look): Row[] {
  return rows(
    parts.map((part) => {
      if (part.kind === "choice") return choiceControls(part, look);
      if (part.kind === "controls") return part.controls.map(button);
      return part.kind === "block" && part.comment !== null ? [button(part.comment)] : [];
    }),
  );
}

/** One text of these lines, or none where all are blank. */
function display(lines: string[]): TextDisplay[] {
  const content = lines.filter((line) => !isUnseen(line)).join("\n");
  return content === "" ? [] : [{ type: 10, content }];
}

function drawText(part: Part, look: Look): string {
  switch (part.kind) {
    case "title":
      return [drawTitle(part.text), ...quietly([part.subtitle, part.origin])].join("\n");
    case "text":
      return drawWords(part);
    case "choice":
      return [drawQuestion(part), drawOptions(part, look)].join("\n");
    case "block":
      return drawBlock(part);
    case "comments":
      return [strong(part.label), ...drawComments(part.comments)].join("\n");
    case "progress":
      return quiet(escaped(part.text));
    case "people":
      return quiet(part.people.map(drawPerson).join(" · "));
    case "pointers":
      return drawPointers(part.pointers, "", look);
    case "controls":
    case "file":
      return "";
  }
}

const drawTitle = (text: string): string => (isUnseen(text) ? "" : `### ${escaped(oneLine(text))}`);

const quietly = (texts: string[]): string[] =>
  texts.filter((text) => !isUnseen(text)).map((text) => quiet(escaped(text)));

const drawPerson = ({ name, state }: { name: string; state: string }): string =>
  closed(escaped(`${name}${/^\p{L}|^\p{N}/u.test(state) ? ":" : ""} ${state}`), 0);

const MARKS = { body: "", quiet: "", code: "", good: "✅ ", warn: "⚠️ " };

function drawWords({ text, tone, at }: Extract<Part, { kind: "text" }>): string {
  if (isUnseen(text)) return "";
  if (tone === "code") return fenced(text);
  const drawn = timed(text.trimEnd(), at);
  return tone === "quiet" ? quiet(drawn) : MARKS[tone] + drawn;
}

/** A text with its time as the reader's own clock shows it. */
function timed(text: string, at: number | null): string {
  if (at === null || !Number.isFinite(at) || at < 0) return escaped(text);
  return text
    .split(TIME)
    .map(escaped)
    .join(`<t:${Math.floor(at / 1000)}:t>`);
}

/** "¶7" and the block; beside each other where that reads well. */
const drawBlock = ({ number, raw, comments }: BlockPart): string =>
  [drawMarkdown(raw, `¶${number}`), ...drawComments(comments)].join("\n");

/** "Ana: text" in a quote. */
const drawComments = (comments: Comment[]): string[] =>
  comments.map(({ by, text }) => quote(`${strong(`${oneLine(by)}:`)} ${escaped(text.trim())}`));
