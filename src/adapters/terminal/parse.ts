/** What a typed line means where it was typed. Pure: it knows which buttons stand there, and no rules. */
import type { ChoicePart, Control } from "../../core/card.ts";
import type { Form } from "../../core/effect.ts";
import { allComments, controlOf, type Picture, previous } from "./picture.ts";
import { type Words, words } from "./words.ts";

export type Intent =
  | { kind: "press"; button: string; values: string[]; words: string | null; confirm: string | null }
  /** Ask for words, then press. */
  | { kind: "fill"; form: Form; confirm: string | null }
  /** Another decision, or (null) the summary. */
  | { kind: "go"; to: string | null }
  | { kind: "next" }
  | { kind: "show"; block: number }
  | { kind: "help" }
  | { kind: "leave" }
  | { kind: "unclear"; text: string };

export interface Typing {
  line: string;
  picture: Picture;
  /** The decision that was drawn; null: the summary, or a card without decisions. */
  at: string | null;
  locale: string;
}

export function parseLine({ line, picture, at, locale }: Typing): Intent {
  const text = line.trim();
  const say = words(locale);
  const choice = picture.choices.find(({ target }) => target === at);
  const here = { text, picture, say };
  if (choice !== undefined) return parseChoice(choice, here);
  return parsePlanLine(here) ?? parseSummary(here) ?? parseControl(here);
}

interface Here {
  text: string;
  picture: Picture;
  say: Words;
}

const unclear = (text: string): Intent => ({ kind: "unclear", text });

const press = (button: string, values: string[] = [], typed: string | null = null): Intent => ({
  kind: "press",
  button,
  values,
  words: typed,
  confirm: null,
});

function parseChoice(choice: ChoicePart, here: Here): Intent {
  const { text, picture, say } = here;
  const onlyWords = choice.entries.length === 0 && choice.other !== null;
  if (text === "") return parseEnter(choice, here);
  if (/^\d+(?:[\s,]+\d+)*$/.test(text) && !onlyWords) return parseNumbers(choice, here);
  if (/^o(?:\s|$)/i.test(text)) return withWords(choice.other, text.slice(1).trim(), say.noOwnWords);
  if (text.toLowerCase() === "b") return { kind: "go", to: previous(picture, choice.target)?.target ?? null };
  const known = parseControl(here);
  return onlyWords && known.kind === "unclear" ? withWords(choice.other, text, say.noOwnWords) : known;
}

/** Enter alone skips an ask, keeps an answer that is there, and never sends anything else. */
function parseEnter(choice: ChoicePart, { picture, say }: Here): Intent {
  const skip = controlOf(picture, "skip");
  if (skip !== undefined) return press(skip.id);
  return choice.answer === "" ? unclear(say.emptyKeeps) : { kind: "next" };
}

function parseNumbers(choice: ChoicePart, { text, say }: Here): Intent {
  if (choice.pick === null) return unclear(say.onlyShown);
  const numbers = [...new Set(text.split(/[\s,]+/))];
  const entries = numbers.map((number) => choice.entries.find((entry) => entry.number === Number(number)));
  const missing = numbers.find((_, index) => entries[index] === undefined);
  if (missing !== undefined) return unclear(say.noNumber(missing));
  if (!choice.multi && entries.length > 1) return unclear(say.oneOnly);
  return press(
    choice.pick,
    entries.flatMap((entry) => (entry === undefined ? [] : [entry.value])),
  );
}

function parseSummary(here: Here): Intent | null {
  const { text, picture, say } = here;
  if (picture.choices.length === 0) return null;
  if (text === "") return unclear(say.emptyKeeps);
  if (text.toLowerCase() === "b") return { kind: "go", to: previous(picture, null)?.target ?? null };
  if (!/^\d+$/.test(text)) return null;
  const wanted = picture.choices.find(({ number }) => number === Number(text));
  return wanted === undefined ? unclear(say.noNumber(text)) : { kind: "go", to: wanted.target };
}

function parsePlanLine(here: Here): Intent | null {
  const { text, picture, say } = here;
  if (picture.blocks.length === 0) return null;
  const comment = /^¶?\s*(\d+)\s*[:：]\s*(.*)$/s.exec(text);
  if (comment !== null) return parseComment(comment[1] ?? "", comment[2] ?? "", here);
  const edit = /^([er])\s+([a-z]\d+)(?:\s+(.*))?$/is.exec(text);
  if (edit !== null) return parseEdit({ verb: edit[1] ?? "", id: edit[2] ?? "", typed: edit[3] ?? "" }, here);
  const show = /^p\s*¶?(\d+)$/i.exec(text)?.[1];
  if (show === undefined) return null;
  const known = picture.blocks.some(({ number }) => number === Number(show));
  return known ? { kind: "show", block: Number(show) } : unclear(say.noNumber(`¶${show}`));
}

function parseComment(number: string, typed: string, { picture, say }: Here): Intent {
  const part = picture.blocks.find((candidate) => candidate.number === Number(number));
  if (part === undefined) return unclear(say.noNumber(`¶${number}`));
  return withWords(part.comment, typed.trim(), say.onlyShown);
}

/** `e a1 words` rewrites, `r a1` removes; blank words are how a comment is removed. */
function parseEdit(
  { verb, id, typed }: { verb: string; id: string; typed: string },
  { picture, say }: Here,
): Intent {
  const comment = allComments(picture).find((candidate) => candidate.id === id.toLowerCase());
  if (comment === undefined) return unclear(say.noNumber(id));
  if (comment.edit === null) return unclear(say.onlyShown);
  if (verb.toLowerCase() === "r") return press(comment.edit, [], "");
  return press(comment.edit, [], typed.trim() === "" ? null : typed.trim());
}

function parseControl({ text, picture, say }: Here): Intent {
  const [, key = "", typed = ""] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  if (key === "?" || key.toLowerCase() === "h") return { kind: "help" };
  if (key.toLowerCase() === "q") return { kind: "leave" };
  const found = BY_KEY[key.toLowerCase()];
  if (found === undefined) return unclear(say.unclear);
  const { verb, takesWords } = found;
  if (typed !== "" && !takesWords) return unclear(say.unclear);
  const controls = picture.controls.filter((control) => control.verb === verb);
  const control = controls.find(({ form }) => typed === "" || form !== null) ?? controls[0];
  if (control === undefined) return unclear(say.onlyShown);
  return typed === "" ? pressed(control) : press(control.id, [], typed);
}

const BY_KEY: Readonly<Record<string, { verb: string; takesWords: boolean }>> = {
  a: { verb: "accept", takesWords: false },
  s: { verb: "send", takesWords: false },
  d: { verb: "done", takesWords: false },
  c: { verb: "cancel", takesWords: false },
  approve: { verb: "approve", takesWords: false },
  changes: { verb: "revise", takesWords: true },
  f: { verb: "feedback", takesWords: true },
  now: { verb: "now", takesWords: false },
  allow: { verb: "allow", takesWords: false },
  deny: { verb: "deny", takesWords: true },
};

function withWords(control: Control | null, typed: string, otherwise: string): Intent {
  if (control === null) return unclear(otherwise);
  return typed === "" ? pressed(control) : press(control.id, [], typed);
}

function pressed({ id, form, confirm: asked }: Control): Intent {
  const confirm = asked?.text ?? null;
  if (form !== null) return { kind: "fill", form, confirm };
  return { kind: "press", button: id, values: [], words: null, confirm };
}
