/** Which session a message in a place belongs to: what stands where, for every session that is known. */
import { placeKey } from "./people.ts";
import type { Session } from "./session.ts";

export class Stands {
  /** Place key and handle → the session whose post it is. */
  readonly #posts = new Map<string, string>();
  /** Place key → sessions that have something there, the one posted to last at the end. */
  readonly #places = new Map<string, Set<string>>();

  note({ id, posts, ended }: Pick<Session, "id" | "posts" | "ended">): void {
    for (const [place, standing] of Object.entries(posts)) {
      for (const { handle } of standing) if (handle !== null) this.#posts.set(`${place} ${handle}`, id);
      const sessions = this.#places.get(place) ?? new Set();
      sessions.delete(id);
      if (ended === null && standing.length > 0) this.#places.set(place, sessions.add(id));
    }
  }

  /** The session of a post. */
  under(place: Parameters<typeof placeKey>[0], handle: string): string | undefined {
    return this.#posts.get(`${placeKey(place)} ${handle}`);
  }

  /** The running sessions of a place, the one posted to last first. */
  at(place: Parameters<typeof placeKey>[0]): string[] {
    return [...(this.#places.get(placeKey(place)) ?? [])].reverse();
  }
}
