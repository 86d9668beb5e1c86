/**
 * From what stands in a place to the cards that should: the fewest posts, updates and removals. A restart, a lost request
 * and a changed pick are all the same case.
 */
import type { Card } from "./card.ts";
import { canonical } from "./payload.ts";
import type { Post } from "./session.ts";

export type Operation =
  /** `nonce`: that of an earlier attempt whose end is unknown, else null. */
  | { op: "post"; card: Card; nonce: string | null }
  | { op: "update"; card: Card; handle: string }
  | { op: "remove"; key: string; handle: string };

/** Removals first, then updates, then new cards in their order. A refused card is left alone until it changes. */
export function reconcile(cards: Card[], posts: Post[]): Operation[] {
  const standing = new Map<string, Post>();
  const extra: Post[] = [];
  const wanted = new Set(cards.map(({ key }) => key));
  for (const post of posts) {
    if (wanted.has(post.key) && !standing.has(post.key)) standing.set(post.key, post);
    else extra.push(post);
  }
  const removals = extra.flatMap(({ key, handle }): Operation[] =>
    handle === null ? [] : [{ op: "remove", key, handle }],
  );
  const puts = cards.flatMap((card) => put(card, standing.get(card.key)));
  const order = ["update", "post"];
  return [...removals, ...puts.sort((a, b) => order.indexOf(a.op) - order.indexOf(b.op))];
}

function put(card: Card, post: Post | undefined): Operation[] {
  if (post !== undefined && post.state !== "sending" && post.digest === digest(card)) return [];
  if (post === undefined) return [{ op: "post", card, nonce: null }];
  if (post.handle === null)
    return [{ op: "post", card, nonce: post.state === "sending" ? post.nonce : null }];
  return [{ op: "update", card, handle: post.handle }];
}

/** Tells whether a card changed: 53 bits over everything that is drawn. Notifications belong to the first post only. */
export function digest(card: Card): string {
  const { mention: _mention, alert: _alert, ...drawn } = card;
  const text = canonical(drawn);
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
