import type { Words } from "./words.ts";
import { en } from "./words-en.ts";
export const es: Words = en;
