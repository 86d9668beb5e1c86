/** The answer to whoever asks what waits for them: how much it is, and where. */
import type { Pointer } from "../../core/card.ts";
import { maskText } from "../../core/mask.ts";
import type { Actor, Place } from "../../core/people.ts";
import type { Ear } from "../../core/surface.ts";
import type { Words } from "../../core/words.ts";

/** Of more nobody wants to read. */
const MOST = 20;

export interface Asking {
  actor: Actor;
  say: Words;
  /** Are they in that place? */
  inPlace(place: Place): Promise<boolean>;
}

export async function listAwaited(
  ear: Ear | null,
  { actor, say, inPlace }: Asking,
): Promise<{ text: string; pointers: Pointer[] }> {
  const waiting = (await ear?.awaited(actor, inPlace)) ?? [];
  const pointers = waiting.slice(0, MOST).map(({ title, wanted, origin, url }) => ({
    key: url,
    label: [maskText(title, say), wanted, origin].filter(Boolean).join(" · "),
    url: url || null,
  }));
  return { text: waiting.length === 0 ? say.nothingWaits : say.waitsForYou(waiting.length), pointers };
}
