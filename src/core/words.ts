/**
 * The message catalogue: every word that askgate itself puts on a card or says to a person, in four languages. Names,
 * titles and answers come in as arguments and are never part of it.
 */
import { en, type Words } from "./words-en.ts";
import { es } from "./words-es.ts";
import { fr } from "./words-fr.ts";
import { zh } from "./words-zh.ts";

const CATALOGUES: [RegExp, Words][] = [
  [/^zh(?![a-z])/i, zh],
  [/^fr(?![a-z])/i, fr],
  [/^es(?![a-z])/i, es],
];

/** The catalogue of a language tag such as `zh-CN` or `fr_FR`; English for what is not known. */
export const words = (locale: string): Words => CATALOGUES.find(([tag]) => tag.test(locale))?.[1] ?? en;

export type { Words } from "./words-en.ts";
