/** Text that others wrote, made harmless for any screen. Pure. */

/** Of the same length or shorter: half characters, controls and reversals of direction are shown, not obeyed. */
export const safe = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(/[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD")
    .replaceAll(/\p{Cc}/gu, picture);

function picture(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (control === "\n" || control === "\t") return control;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}

export const isBlank = (text: string): boolean => /^[\s\p{Cf}\p{Mn}]*$/u.test(text);

/** On one line, without blanks around it. */
export const oneLine = (text: string): string => safe(text).replaceAll(/\s+/g, " ").trim();

/** Code without the blank lines around it. */
export const trimmedCode = (text: string): string => safe(text).replace(/^(?:[ \t]*\n)+|\s+$/g, "");

/** Longer ones are no addresses that anybody reads. */
const LONGEST_URL = 2_000;

export function isWeb(url: string): boolean {
  if (!/^https?:\/\/[^\s\p{C}]+$/iu.test(url) || url.length > LONGEST_URL) return false;
  return URL.canParse(url);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /\p{Mn}|\p{Me}|\u200d|\ufe0f/u;

/** Columns of fixed width that a text takes, near enough. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}
