/** Messages that people type where cards stand. */
import type { Typed } from "../../src/core/event.ts";
import { type Actor, type Place, placeKey } from "../../src/core/people.ts";
import type { Post, Session } from "../../src/core/session.ts";
import { ANA, BEGIN, CHANNEL, draw, TIGHT } from "./people.ts";

/** As if every card stood there, its key being its handle. */
export function standing(session: Session, place: Place = CHANNEL): Session {
  const posts = draw(session, TIGHT, place).map(
    ({ key }): Post => ({
      key,
      handle: key,
      digest: "",
      state: "standing",
      nonce: "",
      triedAt: null,
      reason: "",
    }),
  );
  return { ...session, posts: { ...session.posts, [placeKey(place)]: posts } };
}

export interface Typing {
  /** The post in whose thread it stands. */
  under?: string;
  actor?: Actor;
  place?: Place;
  /** Milliseconds after the session's begin. */
  after?: number;
  /** Its id after that of its place; the text unless given. */
  id?: string;
}

export function typing(
  text: string,
  { under, actor = ANA, place = CHANNEL, after = 0, id = text }: Typing = {},
): Typed {
  return {
    type: "typed",
    id: `${placeKey(place)}/${id}`,
    at: BEGIN + after,
    place,
    actor,
    anchor: under === undefined ? null : { kind: "thread", handle: under },
    text,
    files: [],
  };
}
