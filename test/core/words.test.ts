import { describe, expect, test } from "vitest";
import { type Words, words } from "../../src/core/words.ts";

const en = words("en");
const TRANSLATED: [string, Words][] = [
  ["Chinese", words("zh")],
  ["French", words("fr")],
  ["Spanish", words("es")],
];
const ALL: [string, Words][] = [["English", en], ...TRANSLATED];

/** Names of products, and marks around what people said. */
const SAME_EVERYWHERE = ["slack", "discord", "answeredBy"];

const BUTTONS: (keyof Words)[] = [
  "accept",
  "send",
  "done",
  "cancel",
  "other",
  "save",
  "comment",
  "commentOn",
  "editComment",
  "approve",
  "revise",
  "feedback",
  "now",
  "skip",
  "allow",
  "deny",
  "denyWords",
  "useAnswer",
];

/** What stands above a form or under it; Slack takes 24 characters there. */
const FORM_LABELS: (keyof Words)[] = [
  "otherTitle",
  "reviseTitle",
  "feedbackTitle",
  "yourAnswer",
  "editComment",
  "comment",
  "commentOn",
  "denyWords",
  "deny",
  "revise",
  "save",
];

/** Arguments that no text contains by itself, and that are no singular. */
const ARGUMENTS = [123, 456, 789];

const argumentsOf = (entry: Words[keyof Words]): number[] =>
  typeof entry === "string" ? [] : ARGUMENTS.slice(0, entry.length);

const textOf = (entry: Words[keyof Words]): string =>
  typeof entry === "string" ? entry : String(Reflect.apply(entry, undefined, argumentsOf(entry)));

const keysOf = (say: Words): (keyof Words)[] => Object.keys(say).filter((key) => isKey(key));
const isKey = (key: string): key is keyof Words => Object.hasOwn(en, key);

describe("words of a locale", () => {
  test.each([
    ["zh-CN", "取消"],
    ["zh", "取消"],
    ["zh_CN.UTF-8", "取消"],
    ["fr_FR", "Annuler"],
    ["fr-CA", "Annuler"],
    ["FR", "Annuler"],
    ["es-419", "Cancelar"],
    ["es@euro", "Cancelar"],
    ["en-GB", "Cancel"],
    ["de", "Cancel"],
    ["fry", "Cancel"],
    ["est", "Cancel"],
    ["C", "Cancel"],
    ["", "Cancel"],
  ])("%j says %s", (locale, cancel) => expect(words(locale).cancel).toBe(cancel));
});

describe.each(ALL)("in %s", (_, say) => {
  test("there are exactly the English keys", () =>
    expect(Object.keys(say).sort()).toEqual(Object.keys(en).sort()));

  test("what takes arguments in English takes as many", () => {
    for (const key of keysOf(say)) expect(argumentsOf(say[key]), key).toEqual(argumentsOf(en[key]));
  });

  test("every argument is said", () => {
    for (const key of keysOf(say))
      for (const argument of argumentsOf(say[key])) expect(textOf(say[key]), key).toContain(`${argument}`);
  });

  test("nothing is blank, doubled or left open", () => {
    for (const key of keysOf(say)) expect(textOf(say[key]), key).not.toMatch(/^\s*$|^\s|\s$|\s\s|undefined/);
  });

  test("buttons are short", () => {
    for (const key of BUTTONS) expect(textOf(say[key]).length, key).toBeLessThanOrEqual(30);
  });

  test("titles and buttons of forms are shorter", () => {
    for (const key of FORM_LABELS) expect(textOf(say[key]).length, key).toBeLessThanOrEqual(24);
  });

  test("buttons that stand together can be told apart", () => {
    for (const row of [
      [say.accept, say.send, say.done, say.cancel],
      [say.approve, say.revise, say.now, say.feedback, say.comment, say.cancel],
      [say.allow, say.deny, say.denyWords],
      [say.other, say.skip],
    ])
      expect(new Set(row).size).toBe(row.length);
  });

  test("who has not commented has a dash", () => expect(say.comments(0)).toBe("–"));
});

test.each(TRANSLATED)("no text in %s is the English one", (_, say) => {
  const same = keysOf(say).filter((key) => textOf(say[key]) === textOf(en[key]));
  expect(same.filter((key) => !SAME_EVERYWHERE.includes(key))).toEqual([]);
});

describe("what is counted agrees with its number", () => {
  test.each([
    ["en", "needs 1 decision", "needs 2 decisions"],
    ["zh", "有 1 项待决定", "有 2 项待决定"],
    ["fr", "attend 1 décision", "attend 2 décisions"],
    ["es", "necesita 1 decisión", "necesita 2 decisiones"],
  ])("%s: decisions", (locale, one, two) => {
    expect(words(locale).needsDecisions(1)).toBe(one);
    expect(words(locale).needsDecisions(2)).toBe(two);
  });

  test.each([
    ["en", "0 questions left", "1 question left"],
    ["fr", "0 question restante", "1 question restante"],
    ["es", "quedan 0 preguntas", "queda 1 pregunta"],
  ])("%s: no question left, and one", (locale, none, one) => {
    expect(words(locale).questionsLeft(0)).toBe(none);
    expect(words(locale).questionsLeft(1)).toBe(one);
  });

  test("es: one reviewer, and two", () => {
    expect(words("es").quorum(1, 3)).toBe("se necesita 1 de 3");
    expect(words("es").quorum(2, 3)).toBe("se necesitan 2 de 3");
  });
});

describe("who sent it, and where, is a sentence", () => {
  test.each([
    ["en", "Sent to the agent by Ana in the browser, 10:00"],
    ["zh", "由 Ana 发送给智能体（浏览器，10:00）"],
    ["fr", "Envoyé à l’agent par Ana dans le navigateur, 10:00"],
    ["es", "Enviado al agente por Ana en el navegador, 10:00"],
  ])("%s", (locale, sentence) =>
    expect(words(locale).sentBy("Ana", words(locale).web, "10:00")).toBe(sentence),
  );
});

describe("each language has its own marks", () => {
  const texts = (locale: string): string[] => keysOf(en).map((key) => textOf(words(locale)[key]));

  test("French keeps : ; ? ! and « » with their words, and has curled apostrophes", () => {
    const plain = texts("fr").filter((text) => /[^\u00a0][:;?!»]|«[^\u00a0]|'|"/.test(text));
    expect(plain).toEqual([]);
  });

  test("Spanish opens what it asks", () => {
    const unopened = texts("es").filter((text) => text.includes("?") && !text.includes("¿"));
    expect(unopened).toEqual([]);
  });

  test("Chinese has full-width marks", () => {
    expect(texts("zh").filter((text) => /[,;:?!()"']/.test(text))).toEqual([]);
  });
});
