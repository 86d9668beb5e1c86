/** Whose a message is: found from where it stands, or from who kept it. */
import type { Typed } from "./event.ts";
import type { Keeper } from "./keeper.ts";
import { placeKey } from "./people.ts";
import { openRounds, type Session } from "./session.ts";
import { wordsAt } from "./step-written.ts";
import type { ChatName } from "./surface.ts";

export class Meaning {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  /** The session that a message is for; null where it is nobody's. */
  async of(event: Typed): Promise<{ session: string; event: Typed } | null> {
    const { anchor, place } = event;
    if (anchor !== null) {
      const session = this.#keeper.stands.owning(place, anchor);
      return session === undefined ? null : { session, event };
    }
    if (!place.direct) return null;
    const sessions = await this.load(this.#keeper.stands.at(place));
    const open = sessions.filter((session) => openRounds(session).length > 0);
    const meant = open.length === 1 ? open[0] : sessions[0];
    if (meant === undefined) return null;
    return { session: meant.id, event: { ...event, doubtful: open.length > 1 } };
  }

  /** The session that has kept a plain message. */
  async keeping({ place, id }: Pick<Typed, "place" | "id">): Promise<string | undefined> {
    const key = placeKey(place);
    const sessions = await this.load(this.#keeper.stands.at(place));
    return sessions.find((session) => wordsAt(session, key).some((kept) => kept.id === id))?.id;
  }

  /** Running sessions that stand on a surface. */
  async on(surface: ChatName): Promise<Session[]> {
    const sessions = await this.load(this.running());
    return sessions.filter(({ posts }) => Object.keys(posts).some((key) => key.startsWith(`${surface}:`)));
  }

  running(): string[] {
    return [...this.#keeper.known()].flatMap(({ id, ended, inChat }) => (inChat && ended === null ? id : []));
  }

  async load(ids: Iterable<string>): Promise<Session[]> {
    const sessions = await Promise.all([...ids].map((id) => this.#keeper.load(id).catch(() => undefined)));
    return sessions.filter((session) => session !== undefined);
  }
}
