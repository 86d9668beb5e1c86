/**
 * From what stands in a place to the cards that should: the fewest posts, updates and removals. A restart, a lost request
 * and a changed pick are all the same case.
 */
import type { Card, Control, Part } from "./card.ts";
import { canonical } from "./payload.ts";
import type { Post } from "./session.ts";

export type Operation =
  /** `tried`: an earlier attempt whose end is unknown, else null. */
  | { op: "post"; card: Card; tried: { nonce: string; since: number } | null }
  | { op: "update"; card: Card; handle: string }
  | { op: "remove"; key: string; handle: string };

/**
 * New cards first, in their order: they are what people wait for, and what stands already may lead to them. Then updates,
 * then removals. A refused card is left alone until it changes.
 */
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
  const puts = cards
    .filter((card) => standing.has(card.key) || !isHeadless(card, standing))
    .flatMap((card) => put(card, standing.get(card.key)));
  const order = ["post", "update"];
  return [...puts.sort((a, b) => order.indexOf(a.op) - order.indexOf(b.op)), ...removals];
}

/** Without its round's own card, which was refused, nobody would know what a card is about. */
function isHeadless({ key, round }: Card, standing: Map<string, Post>): boolean {
  const head = key === round ? undefined : standing.get(round);
  return head !== undefined && head.state === "refused" && head.handle === null;
}

function put(card: Card, post: Post | undefined): Operation[] {
  if (post !== undefined && post.state !== "sending" && post.digest === digest(card)) return [];
  if (post === undefined) return [{ op: "post", card, tried: null }];
  if (post.handle === null) return [{ op: "post", card, tried: triedBefore(post) }];
  return [{ op: "update", card, handle: post.handle }];
}

const triedBefore = ({ state, nonce, triedAt }: Post) =>
  state === "sending" && triedAt !== null ? { nonce, since: triedAt } : null;

/**
 * Tells whether a card changed: 53 bits over everything that is drawn. Notifications and topics belong to the first post only, and a
 * form is asked for when its button is pressed.
 */
export function digest(card: Card): string {
  const { mention: _mention, alert: _alert, topic: _topic, parts, ...drawn } = card;
  const text = canonical({ ...drawn, parts: parts.map(withoutForms) });
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

function withoutForms(part: Part): Part {
  switch (part.kind) {
    case "controls":
      return { ...part, controls: part.controls.map(withoutForm) };
    case "choice":
      return { ...part, other: part.other && withoutForm(part.other) };
    case "block":
      return { ...part, comment: part.comment && withoutForm(part.comment) };
    default:
      return part;
  }
}

const withoutForm = (control: Control): Control => ({ ...control, form: null });
