/** Draws parts of cards as lines of text. Pure: everything that others wrote is made harmless here. */
import { type BlockPart, type ChoicePart, type Comment, type Entry, TIME } from "../../core/card.ts";
import type { Field, Form } from "../../core/effect.ts";
import { allComments, controlOf, type Picture, type TextPart } from "./picture.ts";
import { block, item, type Look, lines, painter, spaced } from "./text.ts";
import { words } from "./words.ts";

/** Key that is typed for a control, by what it does. */
export const KEYS: Readonly<Record<string, string>> = {
  accept: "a",
  send: "s",
  done: "d",
  cancel: "c",
  approve: "approve",
  revise: "changes",
  feedback: "f",
  now: "now",
  allow: "allow",
  deny: "deny",
};

/** Title, texts and people: what is drawn once, before anything is asked. */
export function drawHead(picture: Picture, look: Look): string[] {
  const { title } = picture;
  const paint = painter(look);
  const head = title === null ? [] : [paint.bold(block(title.text, look, 2)), block(title.subtitle, look, 2)];
  const origin = title === null ? "" : paint.dim(block(title.origin, look, 2));
  const texts = picture.texts.map((text) => drawText(text, look));
  const people = picture.people.map(({ name, state }) => block(`${name}: ${state}`, look, 2));
  return lines(["", ...head, origin, ...spaced(texts), ...people]);
}

function drawText(part: TextPart, look: Look): string {
  const { tone } = part;
  const drawn = block(timed(part), look, tone === "code" ? 4 : 2);
  const paint = painter(look);
  if (tone === "quiet") return paint.dim(drawn);
  if (tone === "warn") return paint.yellow(drawn);
  return tone === "good" ? paint.green(drawn) : drawn;
}

/** A text with its time as the clock here shows it. */
export const timed = ({ text, at }: TextPart): string =>
  at === null ? text : text.replaceAll(TIME, clock(at));

const clock = (at: number): string =>
  new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

/** A decision with its numbered options and what can be typed. */
export function drawChoice(choice: ChoicePart, picture: Picture, look: Look): string[] {
  const say = words(look.locale);
  const paint = painter(look);
  const number = choice.number === 0 ? "" : String(choice.number);
  const after = picture.choices.find(({ target }) => target === choice.parent);
  const because =
    after === undefined ? "" : paint.dim(block(`↳ ${say.after} ${after.number} ${after.answer}`, look, 5));
  const why = choice.why === "" ? "" : paint.green(block(`★ ${choice.why}`, look, 5));
  const own = choice.own === "" ? "" : block(`✓ ${choice.own}`, look, 5);
  const keys = [
    choice.multi ? say.several : "",
    choice.other === null ? "" : `o ${say.own}`,
    choice.answer === "" ? "" : say.keep,
    controlOf(picture, "skip") === undefined ? "" : say.skip,
    choice.number > 1 ? `b ${say.back}` : "",
    `? ${say.help}`,
  ];
  return lines([
    "",
    paint.bold(item(`${number.padStart(3)}  `, choice.question, look)),
    because,
    why,
    ...choice.entries.map((entry) => drawEntry(entry, look)),
    own,
    ...drawNotes(choice, look),
    paint.dim(block(keys.filter(Boolean).join("   "), look, 5)),
  ]);
}

function drawEntry(entry: Entry, look: Look): string {
  const paint = painter(look);
  const mark = entry.chosen ? "✓" : " ";
  const star = entry.recommended ? "  ★" : "";
  const details = [entry.description, entry.reason].filter((text) => text !== "").map((text) => `  ${text}`);
  const drawn = item(`   ${mark} ${entry.number} `, `${entry.label}${star}${details.join("")}`, look);
  return entry.chosen ? paint.green(drawn) : drawn;
}

/** What the last pick of a decision did: what went, what came. */
function drawNotes(choice: ChoicePart, look: Look): string[] {
  const notes = [...choice.notes, ...choice.reveals.map(({ label }) => `↳ ${label}`)];
  return notes.map((note) => painter(look).dim(block(note, look, 5)));
}

/** All decisions with their answers, and what can be done with them now. */
export function drawSummary(picture: Picture, look: Look): string[] {
  const say = words(look.locale);
  const paint = painter(look);
  const answers = picture.choices.flatMap(({ number, question, answer }) => [
    item(`${answer === "" ? " " : "✓"}${String(number).padStart(2)}  `, question, look),
    answer === "" ? "" : paint.green(block(answer, look, 5)),
  ]);
  const keys = [picture.progress, ...controlKeys(picture), say.change, `? ${say.help}`];
  return lines(["", ...answers, paint.dim(block(keys.filter(Boolean).join("   "), look, 2))]);
}

/** A block of a plan with its number and its comments; its Markdown is shown as it was written. */
export function drawBlock(part: BlockPart, look: Look): string[] {
  const number = painter(look).dim(`¶${part.number}`.padStart(5));
  const [first = "", ...rest] = block(part.raw.replace(/\n+$/, ""), look, 6).split("\n");
  return lines([
    "",
    `${number}${first.slice(5)}`,
    ...rest,
    ...part.comments.map((comment) => drawComment(comment, look)),
  ]);
}

const drawComment = ({ id, by, text, edit }: Comment, look: Look): string =>
  painter(look).yellow(block(`${edit === null ? "" : `${id} `}${by}: ${text}`, look, 8));

/** What can be typed on a plan or a request for permission, in one line. */
export function drawControls(picture: Picture, look: Look): string[] {
  const say = words(look.locale);
  const general = picture.general.map((comment) => drawComment(comment, look));
  const keys = [picture.blocks.length > 0 ? `5: ${say.words}` : "", ...controlKeys(picture), `? ${say.help}`];
  return lines(["", ...general, painter(look).dim(block(keys.filter(Boolean).join("   "), look, 2))]);
}

function controlKeys(picture: Picture): string[] {
  const known = picture.controls.filter(
    ({ verb, form }) => verb in KEYS && !(verb === "deny" && form !== null),
  );
  return known.map(({ verb, label }) =>
    KEYS[verb] === label.toLowerCase() ? `${KEYS[verb]}` : `${KEYS[verb]} ${label}`,
  );
}

/** Everything that can be typed here, one line each. */
export function drawHelp(picture: Picture, look: Look): string[] {
  const say = words(look.locale);
  const first = picture.choices.length > 0;
  const mine = allComments(picture).find(({ edit }) => edit !== null)?.id ?? "a1";
  const keys: [string, string][] = [
    ...(first ? [["1, 2 …", say.pick] as [string, string]] : []),
    ...(picture.choices.some(({ multi }) => multi) ? [["1,3", say.several] as [string, string]] : []),
    ...(picture.choices.some(({ other }) => other !== null)
      ? [[`o ${say.words}`, say.own] as [string, string]]
      : []),
    ...(first ? [["b", say.back] as [string, string]] : []),
    ...planKeys(picture, mine, look),
    ...picture.controls.flatMap(({ verb, label }) =>
      KEYS[verb] ? [[KEYS[verb], label] as [string, string]] : [],
    ),
    ["q", say.leave],
  ];
  return lines(["", ...keys.map(([key, label]) => item(`  ${key.padEnd(12)} `, label, look))]);
}

function planKeys(picture: Picture, mine: string, look: Look): [string, string][] {
  if (picture.blocks.length === 0) return [];
  const say = words(look.locale);
  return [
    [`5: ${say.words}`, say.comment],
    [`e ${mine} ${say.words}`, say.edit],
    [`r ${mine}`, say.remove],
    ["p 5", say.show],
  ];
}

/** What a form wants to know: free text, or one of numbered entries. */
export function drawField(form: Form, field: Field, look: Look): string[] {
  const say = words(look.locale);
  const paint = painter(look);
  if (field.kind === "select") {
    const entries = field.entries.map(({ label }, at) => item(`     ${at + 1} `, label, look));
    return lines([paint.bold(block(field.label, look, 2)), ...entries]);
  }
  const before = field.value === "" ? "" : paint.dim(block(field.value, look, 5));
  const removes = field.required || field.value === "" ? "" : paint.dim(block(say.blankRemoves, look, 5));
  return lines([paint.bold(block(form.title, look, 2)), before, removes]);
}

/** A word to the person: a refusal, a hint. */
export const drawWord = (text: string, look: Look): string[] =>
  lines([painter(look).yellow(block(text, look, 5))]);

/** News from elsewhere. */
export const drawNews = (text: string, look: Look): string => painter(look).dim(block(`· ${text}`, look, 2));
