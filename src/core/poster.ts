/**
 * Keeps chat places in line with the cards: for each session and place one operation at a time, so that edits of a card
 * are coalesced while one is on its way. Each operation is saved before it goes out and its end comes back as an event.
 */
import { cards } from "./cards.ts";
import type { Keeper } from "./keeper.ts";
import { type Place, placeKey } from "./people.ts";
import type { EngineParts } from "./ports.ts";
import { digest, type Operation, reconcile } from "./reconcile.ts";
import type { Post, Session } from "./session.ts";
import { notePost } from "./step-post.ts";
import type { Sent, Surface, Told } from "./surface.ts";

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
  /** Session and place → what was noted together with the press that calls for it. */
  readonly #prepared = new Map<string, Prepared>();
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

  /**
   * Notes what goes out first in each place after a press, so that press and note are saved at once: somebody waits for it.
   * Where something is on its way already, what comes next is not known yet.
   */
  prepare(session: Session): Session {
    const firsts = session.places.flatMap((place) => this.#first(session, place));
    const now = this.#needs.clock.now();
    const noted = firsts.reduce((on, { sending }) => notePost(on, sending, now), session);
    for (const { key, operation, sending } of firsts)
      this.#prepared.set(key, { session: noted, operation, sending });
    return noted;
  }

  #first(session: Session, place: Place) {
    const surface = this.#needs.surfaces.find(({ name }) => name === place.surface);
    const key = `${session.id} ${placeKey(place)}`;
    if (surface === undefined || this.#stopped || this.#runs.has(key) || this.#rests(key)) return [];
    const [operation] = this.#operations(session, { surface, place });
    if (operation === undefined || operation.op === "remove" || isTried(operation)) return [];
    const sending = sendingOf(operation, { place: placeKey(place), nonce: this.#needs.chance.id(20) });
    return [{ key, operation, sending }];
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
      const prepared = this.#takePrepared(key, session);
      const operation = prepared?.operation ?? this.#operations(session, at)[0];
      if (operation === undefined) continue;
      if (await this.#perform(session, operation, { ...at, noted: prepared?.sending ?? null }))
        this.#again.add(key);
    }
  }

  /** Nothing, where the session has changed since. */
  #takePrepared(key: string, session: Session): Prepared | undefined {
    const prepared = this.#prepared.get(key);
    this.#prepared.delete(key);
    return prepared?.session === session ? prepared : undefined;
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

  #operations(session: Session, at: At): Operation[] {
    return reconcile(this.#cards(session, at), postsAt(session, at.place));
  }

  #cards(session: Session, { surface, place }: At) {
    const posts = postsAt(session, place);
    const url = (key: string): string | null => {
      const handle = posts.find((post) => post.key === key)?.handle ?? null;
      return handle === null ? null : surface.url(place, handle);
    };
    return cards(session, { place, limits: surface.limits, locale: session.locale, url });
  }

  /** Sends one operation; false when the surface wants to be left alone for a while. `noted`: what is saved of it already. */
  async #perform(
    session: Session,
    operation: Operation,
    at: At & { noted: Sending | null },
  ): Promise<boolean> {
    const place = placeKey(at.place);
    const key = operation.op === "remove" ? operation.key : operation.card.key;
    const tried = operation.op === "post" ? operation.tried : null;
    const nonce = at.noted?.nonce ?? tried?.nonce ?? this.#needs.chance.id(20);
    const sending = operation.op === "remove" ? null : (at.noted ?? sendingOf(operation, { place, nonce }));
    const unnoted = sending !== null && at.noted === null;
    if (unnoted && !(await this.#take(session, sending))) return this.#unsaved(session, at);
    const sent = await this.#send(session, operation, { ...at, nonce });
    const about = {
      place,
      key,
      digest: sending?.digest ?? "",
      removed: sending === null,
      tried: tried !== null,
    };
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

interface Prepared {
  session: Session;
  operation: Operation;
  sending: Sending;
}

type Sending = ReturnType<typeof sendingOf>;
type Put = Exclude<Operation, { op: "remove" }>;

const isTried = (operation: Put): boolean => operation.op === "post" && operation.tried !== null;

const sendingOf = ({ card }: Put, { place, nonce }: { place: string; nonce: string }) => ({
  type: "sending" as const,
  place,
  key: card.key,
  digest: digest(card),
  nonce,
});

export const postsAt = (session: Session, place: Place): Post[] => session.posts[placeKey(place)] ?? [];
