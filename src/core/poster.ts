/**
 * Keeps chat places in line with the cards: for each session and place one operation at a time, so that edits of a card
 * are coalesced while one is on its way. Each operation is saved before it goes out and its end comes back as an event.
 */
import { cards, isFileKey } from "./cards.ts";
import type { Keeper } from "./keeper.ts";
import { type Place, placeKey } from "./people.ts";
import type { EngineParts, Sent, Surface, Told } from "./ports.ts";
import { digest, type Operation, reconcile } from "./reconcile.ts";
import type { Post, Session } from "./session.ts";

/** What could not be saved or read is tried again after so long. */
const UNSAVED_MS = 5_000;
const UNREADABLE_MS = 60_000;

type Needs = Pick<EngineParts, "surfaces" | "clock" | "chance" | "log">;

export class Poster {
  readonly #needs: Needs;
  readonly #keeper: Keeper;
  /** Session and place → the run that is bringing it in line. */
  readonly #runs = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  /** Places that asked to be left alone until then. */
  readonly #rest = new Map<string, number>();
  #stopped = false;

  constructor(needs: Needs, keeper: Keeper) {
    this.#needs = needs;
    this.#keeper = keeper;
  }

  /** After a restart: what was on its way, and what was not sent yet. One place that is slow holds up no other. */
  async resume(ids: Iterable<string>): Promise<void> {
    if (this.#needs.surfaces.length === 0) return;
    for (const id of ids) {
      const session = await this.#keeper.load(id).catch(() => undefined);
      if (session !== undefined) void this.bring(session);
    }
  }

  /** Brings every chat place of a session in line; resolves when nothing is left to do there for now. */
  async bring(session: Session): Promise<void> {
    await Promise.all(session.places.map((place) => this.#bringPlace(session.id, place)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#runs.values());
  }

  #bringPlace(id: string, place: Place): Promise<void> {
    const surface = this.#needs.surfaces.find(({ name }) => name === place.surface);
    if (surface === undefined || this.#stopped) return Promise.resolve();
    const key = `${id} ${placeKey(place)}`;
    this.#again.add(key);
    const running = this.#runs.get(key) ?? this.#begin(key, id, { surface, place });
    this.#runs.set(key, running);
    return running;
  }

  /** Never rejects: what could not be read or saved is tried again later. */
  async #begin(key: string, id: string, at: At): Promise<void> {
    try {
      await this.#run(key, id, at);
    } catch (error) {
      this.#needs.log.error("a session could not be shown; tried again soon", { session: id, error });
      this.#restUntil(this.#needs.clock.now() + UNREADABLE_MS, id, at.place);
    } finally {
      this.#runs.delete(key);
    }
  }

  async #run(key: string, id: string, at: At): Promise<void> {
    while (this.#again.delete(key) && !this.#stopped && !this.#rests(key)) {
      const session = await this.#keeper.load(id);
      if (session === undefined) return;
      await this.#tell(session, at);
      const [operation] = reconcile(this.#cards(session, at), postsAt(session, at.place));
      if (operation === undefined) continue;
      if (await this.#perform(session, operation, at)) this.#again.add(key);
    }
  }

  #rests(key: string): boolean {
    const until = this.#rest.get(key);
    if (until !== undefined && until > this.#needs.clock.now()) return true;
    this.#rest.delete(key);
    return false;
  }

  #restUntil(when: number, id: string, place: Place): void {
    this.#wakeAt(`${id} ${placeKey(place)}`, when, id, place);
  }

  #wakeAt(resting: string, when: number, id: string, place: Place): void {
    this.#rest.set(resting, when);
    this.#needs.clock.at(when, () => void this.#bringPlace(id, place));
  }

  #cards(session: Session, { surface, place }: At) {
    const posts = postsAt(session, place);
    const url = (key: string): string | null => {
      const handle = posts.find((post) => post.key === key)?.handle ?? null;
      return handle === null ? null : surface.url(place, handle);
    };
    return cards(session, { place, limits: surface.limits, locale: session.locale, url });
  }

  /** Sends one operation; false when the surface wants to be left alone for a while. */
  async #perform(session: Session, operation: Operation, at: At): Promise<boolean> {
    const place = placeKey(at.place);
    const key = operation.op === "remove" ? operation.key : operation.card.key;
    const tried = operation.op === "post" ? operation.tried : null;
    const nonce = tried?.nonce ?? this.#needs.chance.id(20);
    const drawn = operation.op === "remove" ? "" : digest(operation.card);
    const sending = { type: "sending" as const, place, key, digest: drawn, nonce };
    if (operation.op !== "remove" && !(await this.#take(session, sending))) return this.#unsaved(session, at);
    const sent = await this.#send(session, operation, { ...at, nonce });
    const about = { place, key, digest: drawn, removed: operation.op === "remove", tried: tried !== null };
    return this.#note(session, sent, about, at);
  }

  async #send(session: Session, operation: Operation, at: At & { nonce: string }): Promise<Sent> {
    const { surface, place, nonce } = at;
    try {
      switch (operation.op) {
        case "post": {
          const { card, tried } = operation;
          const under = postsAt(session, place).find(({ key }) => key === card.under)?.handle ?? null;
          return await surface.post(place, card, { under, nonce, since: tried?.since ?? null });
        }
        case "update":
          return await surface.update(place, operation.card, operation.handle);
        case "remove":
          return await surface.remove(place, operation.handle);
      }
    } catch (error) {
      this.#needs.log.warn("a surface broke its promise; tried again soon", { surface: surface.name, error });
      return { kind: "later", afterMs: 5_000, unsure: true };
    }
  }

  async #note(
    session: Session,
    sent: Sent,
    about: { place: string; key: string; digest: string; removed: boolean; tried: boolean },
    at: At,
  ): Promise<boolean> {
    const { place, key, digest: drawn, removed, tried } = about;
    if (sent.kind === "later") {
      this.#restUntil(this.#needs.clock.now() + sent.afterMs, session.id, at.place);
      // Also where this attempt did nothing, an earlier one may have.
      await this.#take(session, { type: "later", place, key, unsure: sent.unsure || tried });
      return false;
    }
    if (sent.kind === "refused") {
      const { reason } = sent;
      this.#needs.log.warn("a surface refused a card", { session: session.id, place, key, reason });
    }
    const posted = sent.kind === "posted";
    const end = posted
      ? { type: "posted" as const, place, key, handle: sent.handle, digest: drawn }
      : sent.kind === "refused" && !removed
        ? { type: "refused" as const, place, key, reason: sent.reason }
        : { type: "gone" as const, place, key };
    return (await this.#take(session, end)) || this.#unsaved(session, at);
  }

  /** Nothing more goes out while it cannot be noted: it would go out again and again. */
  #unsaved(session: Session, at: At): false {
    this.#restUntil(this.#needs.clock.now() + UNSAVED_MS, session.id, at.place);
    return false;
  }

  /** Says what is to be said; what has to wait stays, and holds nothing else up. */
  async #tell(session: Session, at: At): Promise<void> {
    const { surface, place } = at;
    const resting = `${session.id} ${placeKey(place)} tells`;
    for (const tell of session.tells.filter((entry) => entry.place === placeKey(place))) {
      if (this.#rests(resting)) return;
      const told = await surface.tell(place, tell).catch((error): Told => {
        this.#needs.log.warn("somebody could not be told", { surface: surface.name, error });
        return { kind: "told" };
      });
      if (told.kind === "told") await this.#take(session, { type: "told", id: tell.id });
      else this.#wakeAt(resting, this.#needs.clock.now() + told.afterMs, session.id, place);
    }
  }

  /** Was it saved? */
  async #take(session: Session, event: Parameters<Keeper["take"]>[1]): Promise<boolean> {
    const stepped = await this.#keeper.take(session.id, event);
    return stepped.ok || stepped.code !== "not_saved";
  }
}

interface At {
  surface: Surface;
  place: Place;
}

const postsAt = (session: Session, place: Place): Post[] => session.posts[placeKey(place)] ?? [];

/** What places refused, and why: "slack #plans: it is archived: …". It is tried again at the next change. */
export function troubles(session: Session): string[] {
  const all = session.places.flatMap((place) =>
    postsAt(session, place).flatMap(({ state, reason }) =>
      state === "refused" ? `${place.surface} ${place.label}: ${reason}` : [],
    ),
  );
  return [...new Set(all)];
}

/** Why places refused a card of this round, by place. A file that is refused leaves the round as it is. */
export function refusals(
  session: Session,
  round: string,
): { place: Place; reason: string; fatal: boolean }[] {
  return session.places.flatMap((place) => {
    const refused = postsAt(session, place).filter(
      ({ key, state }) => state === "refused" && key.split("/")[0] === round,
    );
    const worst = refused.find(({ key }) => !isFileKey(key)) ?? refused[0];
    return worst === undefined ? [] : [{ place, reason: worst.reason, fatal: !isFileKey(worst.key) }];
  });
}
