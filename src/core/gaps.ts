/**
 * The times when nobody listened: what was written meanwhile is read back, and open cards say that presses were lost.
 */
import type { Typed } from "./event.ts";
import type { Keeper } from "./keeper.ts";
import type { Meaning } from "./meant.ts";
import { type Place, placeKey } from "./people.ts";
import type * as ports from "./ports.ts";
import { openRounds, type Session } from "./session.ts";
import { heardAt } from "./step-typed.ts";
import { wordsAt } from "./step-written.ts";
import type * as chats from "./surface.ts";

/** How often it is noted that the bot lives. */
const ALIVE_MS = 30_000;
/** Whoever was gone for longer than this says so. */
const NOTABLE_MS = 60_000;
const ALIVE = "alive";

interface Mark {
  /** Up to when they had been heard. */
  heard: number;
  /** Those that were kept. */
  words: string[];
  /** When the newest was written that came since then, ahead of what is unread; 0 where none came. */
  ahead: number;
}

const NOTHING: Mark = { heard: 0, words: [], ahead: 0 };

type Needs = Pick<ports.EngineParts, "store" | "clock" | "log" | "surfaces">;

export class Gaps {
  readonly #needs: Needs;
  readonly #keeper: Keeper;
  readonly #meaning: Meaning;
  /** Session and place → what was known of its messages when nobody listened any more. */
  readonly #marks = new Map<string, Mark>();
  /** Settles once everything is marked; messages wait for it. */
  marked: Promise<unknown> = Promise.resolve();
  #off = (): void => {};

  constructor(needs: Needs, keeper: Keeper, meaning: Meaning) {
    this.#needs = needs;
    this.#keeper = keeper;
    this.#meaning = meaning;
  }

  /** What stands in chats. From here on it counts as unread, until it is read back. */
  standing(surface: chats.ChatName): Promise<chats.Standing[]> {
    const standing = this.#mark(surface);
    this.marked = standing.catch(() => {});
    return standing;
  }

  async #mark(surface: chats.ChatName): Promise<chats.Standing[]> {
    const all = new Map<string, chats.Standing>();
    for (const session of await this.#meaning.on(surface)) {
      for (const place of session.places.filter((candidate) => candidate.surface === surface)) {
        const there = this.#standingOf(session, place);
        const before = all.get(placeKey(place));
        all.set(placeKey(place), before === undefined ? there : together(before, there));
      }
    }
    return [...all.values()];
  }

  #standingOf(session: Session, place: Place): chats.Standing {
    const key = placeKey(place);
    const mark = `${session.id} ${key}`;
    const { heard, ahead } = this.#marks.get(mark) ?? { heard: heardAt(session, key), ahead: 0 };
    const words = wordsAt(session, key).map(({ id }) => id);
    this.#marks.set(mark, { heard, words, ahead });
    return {
      place,
      since: session.createdAt,
      heard: heard || session.createdAt,
      handles: (session.posts[key] ?? []).flatMap(({ handle }) => handle ?? []),
      words,
    };
  }

  /** Whether something may be unread that was written before this message. */
  isAhead(session: string, { place, at }: Pick<Typed, "place" | "at">): boolean {
    const mark = this.#marks.get(`${session} ${placeKey(place)}`);
    if (mark !== undefined) mark.ahead = Math.max(mark.ahead, at);
    return mark !== undefined;
  }

  /** Each message goes to the session that it belongs to; what a session kept and nobody finds any more was deleted. */
  async reread({ place, from, messages }: chats.Reread): Promise<void> {
    const bySession = new Map<string, Typed[]>(this.#keeper.stands.at(place).map((id) => [id, []]));
    for (const message of messages) {
      const keeping = message.anchor === null ? await this.#meaning.keeping(message) : undefined;
      const meant =
        keeping === undefined ? await this.#meaning.of(message) : { session: keeping, event: message };
      if (meant !== null) bySession.get(meant.session)?.push(meant.event);
    }
    const key = placeKey(place);
    for (const [id, mine] of bySession) {
      const mark = this.#marks.get(`${id} ${key}`) ?? NOTHING;
      this.#marks.delete(`${id} ${key}`);
      await this.#keeper.take(id, { type: "reread", place: key, from, ...mark, messages: mine });
    }
  }

  async away({ surface, from, until }: chats.Gap, isThere: (place: Place) => boolean): Promise<void> {
    if (until - from < NOTABLE_MS) return;
    for (const session of await this.#meaning.on(surface)) {
      const missed = session.createdAt < until - NOTABLE_MS && session.places.some(isThere);
      if (missed && openRounds(session).length > 0)
        await this.#keeper.take(session.id, { type: "away", surface, from, until });
    }
  }

  /** Begins to note that the bot lives; since when it did not, or null on the first start. */
  async wake(): Promise<{ from: number; until: number } | null> {
    const { clock, store, surfaces } = this.#needs;
    if (surfaces.length === 0) return null;
    // A bot that is killed before it has read back leaves that to the next one.
    for (const { name } of surfaces) await this.#mark(name);
    const before = (await store.load(ALIVE))?.value;
    await this.#alive();
    return typeof before === "number" ? { from: before, until: clock.now() } : null;
  }

  async #alive(): Promise<void> {
    const { clock, store, log } = this.#needs;
    this.#off = clock.at(clock.now() + ALIVE_MS, () => void this.#alive());
    if (this.#meaning.running().length === 0) return;
    try {
      const version = (await store.load(ALIVE))?.version ?? 0;
      await store.save(ALIVE, clock.now(), version);
    } catch (error) {
      log.warn("it could not be noted that the bot lives", { error });
    }
  }

  async stop(): Promise<void> {
    this.#off();
    if (this.#needs.surfaces.length === 0) return;
    await this.#alive();
    this.#off();
  }
}

const together = (one: chats.Standing, other: chats.Standing): chats.Standing => ({
  place: one.place,
  since: Math.min(one.since, other.since),
  heard: Math.min(one.heard, other.heard),
  handles: [...one.handles, ...other.handles],
  words: [...one.words, ...other.words],
});
