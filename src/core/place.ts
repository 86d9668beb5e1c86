/** Which question a message belongs to, read from where it stands: the posts of the session say which card is where. */
import { activeSet, missing } from "./decisions.ts";
import type { Typed } from "./event.ts";
import type { Decision } from "./payload.ts";
import { type Place, placeKey } from "./people.ts";
import type { AskRound, ClarityRound } from "./round.ts";
import { openRounds, type Session } from "./session.ts";
import { takesWords } from "./step-ask.ts";

/** Card keys: the round's own card, one decision, a run of blocks, the controls under a plan. */
export const cardKey = {
  round: (round: string): string => round,
  decision: (round: string, index: number): string => `${round}/d${index}`,
  blocks: (round: string, first: number, last: number): string => `${round}/b${first}-${last}`,
  end: (round: string): string => `${round}/end`,
  note: (home: string, index: number): string => `${home}/n${index}`,
};

/** The key of the card that a surface has put up under this handle, or null. */
export function cardOf(
  session: Session,
  place: Pick<Place, "surface" | "id">,
  handle: string,
): string | null {
  const posts = Object.hasOwn(session.posts, placeKey(place)) ? session.posts[placeKey(place)] : undefined;
  return posts?.find((post) => post.handle === handle)?.key ?? null;
}

/** The card that a message belongs to: the one that it replies to, else the one in whose thread it stands; or null. */
export function cardUnder(
  session: Session,
  { place, anchor }: Pick<Typed, "anchor" | "place">,
): string | null {
  if (anchor === null) return null;
  const thread = anchor.thread === undefined ? null : cardOf(session, place, anchor.thread);
  return cardOf(session, place, anchor.handle) ?? thread;
}

/** The blocks that a message answers: it stands under their card, or replies to a comment on one. */
export function blockOf(
  session: Session,
  event: Pick<Typed, "anchor" | "place">,
): { round: string; span: [number, number] } | null {
  const handle = event.anchor?.handle;
  if (handle === undefined) return null;
  const [, round, first, last] =
    /^(.+)\/b(\d+)-(\d+)$/.exec(cardOf(session, event.place, handle) ?? "") ?? [];
  if (round !== undefined) return { round, span: [Number(first), Number(last)] };
  const message = `${placeKey(event.place)}/${handle}`;
  for (const open of openRounds(session)) {
    const replied =
      open.kind === "plan" ? open.annotations.find(({ source }) => source === message) : undefined;
    if (replied) return { round: open.id, span: replied.span ?? [replied.blockIndex, replied.blockIndex] };
  }
  return null;
}

/** Something open that takes words, and the card it stands on. */
export type Taker =
  | { kind: "ask"; round: AskRound; card: string }
  | { kind: "decision"; round: ClarityRound; decision: Decision; target: string; card: string };

/** All that is open and takes words: asks, and unanswered decisions with own words. */
export function takers(session: Session): Taker[] {
  if (session.ended) return [];
  return openRounds(session).flatMap((round): Taker[] => {
    if (round.kind === "ask")
      return takesWords(round) ? [{ kind: "ask", round, card: cardKey.round(round.id) }] : [];
    return round.kind === "clarity" ? decisionTakers(session, round) : [];
  });
}

function decisionTakers(session: Session, round: ClarityRound): Taker[] {
  const active = new Set(activeSet(round.payload, round.picks));
  const open = new Set(missing(round.payload, round.picks));
  return round.payload.decisions.flatMap((decision, index): Taker[] => {
    if (!decision.allow_custom || !active.has(decision.id) || !open.has(decision.id)) return [];
    const own = cardKey.decision(round.id, index);
    const stands = Object.values(session.posts).some((posts) => posts.some(({ key }) => key === own));
    const card = stands ? own : cardKey.round(round.id);
    return [{ kind: "decision", round, decision, target: `d${index}`, card }];
  });
}
