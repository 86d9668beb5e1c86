/** Which session a message in a place belongs to: what stands where, for every session that is known. */
import type { Typed } from "./event.ts";
import { placeKey } from "./people.ts";
import type { Post, Session } from "./session.ts";

export class Stands {
  /** Place key and handle → the session whose post it is. */
  readonly #posts = new Map<string, string>();
  /** Place key → sessions that have something there, the one posted to last at the end. */
  readonly #places = new Map<string, Set<string>>();
  /** Place key and session → the nonce of a post on its way: where it stands is not known yet. */
  readonly #onTheWay = new Map<string, string>();
  #waiting: (() => void)[] = [];

  note({ id, posts, ended }: Pick<Session, "id" | "posts" | "ended">): void {
    for (const [place, standing] of Object.entries(posts)) {
      this.#noteWay(`${place} ${id}`, standing);
      for (const { handle } of standing) if (handle !== null) this.#posts.set(`${place} ${handle}`, id);
      const sessions = this.#places.get(place) ?? new Set();
      sessions.delete(id);
      if (ended === null && standing.length > 0) this.#places.set(place, sessions.add(id));
    }
  }

  #noteWay(key: string, standing: Post[]): void {
    const sent = standing.find(({ handle, triedAt }) => handle === null && triedAt !== null);
    if (sent === undefined) this.#onTheWay.delete(key);
    else this.#onTheWay.set(key, sent.nonce);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves once it is known of each post that is on its way to a place now where it stands, if it does. */
  async known(place: Parameters<typeof placeKey>[0]): Promise<void> {
    const here = [...this.#onTheWay].filter(([key]) => key.startsWith(`${placeKey(place)} `));
    while (here.some(([key, nonce]) => this.#onTheWay.get(key) === nonce))
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The session of a post. */
  under(place: Parameters<typeof placeKey>[0], handle: string): string | undefined {
    return this.#posts.get(`${placeKey(place)} ${handle}`);
  }

  /** The session that a message belongs to: that of the post it replies to, else that of its thread. */
  owning(place: Parameters<typeof placeKey>[0], anchor: NonNullable<Typed["anchor"]>): string | undefined {
    const { handle, thread } = anchor;
    return this.under(place, handle) ?? (thread === undefined ? undefined : this.under(place, thread));
  }

  /** The running sessions of a place, the one posted to last first. */
  at(place: Parameters<typeof placeKey>[0]): string[] {
    return [...(this.#places.get(placeKey(place)) ?? [])].reverse();
  }
}
