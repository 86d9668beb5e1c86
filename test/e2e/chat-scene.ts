/** What stands in a chat in the end, held against what the bot's sessions draw: every card once, as it is now, and nothing else. */
import { expect } from "vitest";
import { z } from "zod";
import { cards } from "../../src/core/cards.ts";
import type { Place } from "../../src/core/people.ts";
import type { Session } from "../../src/core/session.ts";
import type { Room } from "./chat-platform.ts";
import type { ChatLife, World } from "./chat-world.ts";

const Whole = z.custom<Session>((value) => typeof value === "object");

/** A room, and the sessions that stand there. */
export interface Shown {
  world: World;
  room: Room;
  sessions: Iterable<string>;
  /** A session as the bot has it. */
  show(id: string): Promise<unknown>;
}

/** Throws where a room shows anything else than its sessions' cards. */
export async function expectScene(there: Shown): Promise<void> {
  const { platform } = there.world;
  const posts = platform.standing(there.room);
  expect(posts.map((post) => platform.look(post)).sort()).toEqual((await wanted(there)).sort());
  const ids = posts.map(({ id }) => id);
  for (const post of posts) expect(ids).toEqual(expect.arrayContaining(platform.linked(post)));
}

async function wanted({ world, room, sessions, show }: Shown): Promise<string[]> {
  const all: string[] = [];
  for (const id of sessions) {
    const session: Session = { ...Whole.parse(await show(id)), posts: {}, tells: [], seen: [] };
    const here = session.places.filter((place) => world.platform.isIn(place, room));
    all.push(...here.flatMap((place) => drawn(world, session, place)));
  }
  return all;
}

function drawn({ platform }: World, session: Session, place: Place): string[] {
  const url = () => platform.somewhere;
  const all = cards(session, { place, limits: platform.limits, locale: session.locale, url });
  const byKey = new Map(all.map((card) => [card.key, card]));
  return all.map((card) => platform.drawn(card, byKey.get(card.under ?? "") ?? null));
}

/** Each post has a number of its own: none was sent twice, not even for a while. */
export function expectOncePosted({ world, room }: Pick<Shown, "world" | "room">): void {
  const numbers = world.platform.numbers(room);
  expect(numbers).toHaveLength(new Set(numbers).size);
}

/** Typed messages carry the signs that they were kept, and that the agent has them. */
export function expectSigns({ world, typed }: ChatLife): void {
  const signs = typed.map(({ said }) => [said.id, ...world.platform.signs(said).sort()]);
  expect(signs).toEqual(
    typed.map(({ said, delivered }) => [said.id, ...(delivered ? ["delivered"] : []), "kept"]),
  );
}

const RETRY_AFTER_MS = 1_000;
/** What was on its way may arrive so much later on a machine that does much else; timers fire a little early. */
const ON_ITS_WAY_MS = 500;
const EARLY_MS = 100;

/** After a 429 a bot leaves the method alone for as long as it was told; the next bot cannot know of it. */
export function expectObedience({ platform, kills }: World): void {
  for (const limited of platform.calls.filter(({ error }) => error === platform.limited)) {
    const until = Math.min(limited.at + RETRY_AFTER_MS - EARLY_MS, ...kills.filter((at) => at >= limited.at));
    const early = platform.calls.filter(
      ({ method, channel, at }) =>
        method === limited.method &&
        channel === limited.channel &&
        at > limited.at + ON_ITS_WAY_MS &&
        at < until,
    );
    expect(early).toEqual([]);
  }
}
