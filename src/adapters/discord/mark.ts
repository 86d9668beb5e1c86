/** How a post is recognised whose answer was lost: by the number of its first component. Pure. */
import type { Announcement } from "./announcement.ts";
import type { Message } from "./kit.ts";

/** A component keeps the number that it is given: it makes the post recognisable. */
export const marked = ([first, ...others]: (Message | Announcement)["components"], nonce: string) =>
  first === undefined ? [] : [{ ...first, id: markOf(nonce) }, ...others];

/** FNV-1a, above the numbers that Discord gives itself. */
export function markOf(nonce: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < nonce.length; at += 1)
    value = Math.imul(value ^ nonce.charCodeAt(at), 0x01000193) >>> 0;
  return 1_000 + (value % 2_147_000_000);
}
