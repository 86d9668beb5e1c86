/**
 * The engine's ear for chat surfaces: finds the session that something belongs to, takes what was missed while nobody
 * listened, and says what waits for whom.
 */
import type { Answer } from "./effect.ts";
import { type Event, parseButton, type Rewritten, type Typed } from "./event.ts";
import type { Keeper } from "./keeper.ts";
import { type Actor, type Place, placeKey } from "./people.ts";
import { cardOf } from "./place.ts";
import { mayAct } from "./policy.ts";
import type * as ports from "./ports.ts";
import { type Round, sessionIdOf } from "./round.ts";
import { openRounds, type Session } from "./session.ts";
import { originLine } from "./sheet.ts";
import { heardAt } from "./step-typed.ts";
import { wordsAt } from "./step-written.ts";
import { titleOf, wantedOf } from "./summary.ts";

/** How often it is noted that the bot lives. */
const ALIVE_MS = 30_000;
/** Whoever was gone for longer than this says so. */
const NOTABLE_MS = 60_000;
const ALIVE = "alive";

type Needs = Pick<ports.EngineParts, "store" | "clock" | "log" | "surfaces">;
type Take = (session: string, event: Event) => Promise<Answer>;

const IGNORED: Answer = { kind: "done" };

export class Hearing implements ports.Ear {
  readonly #needs: Needs;
  readonly #keeper: Keeper;
  readonly #take: Take;
  /** Session and place → up to when its messages had been heard when nobody listened any more. */
  readonly #marks = new Map<string, number>();
  #off = (): void => {};

  constructor(needs: Needs, keeper: Keeper, take: Take) {
    this.#needs = needs;
    this.#keeper = keeper;
    this.#take = take;
  }

  async hear(event: ports.Heard): Promise<Answer> {
    switch (event.type) {
      case "press": {
        const button = parseButton(event.button);
        const session = button === null ? "" : sessionIdOf(button.round);
        return this.#addressed(await this.#take(session, event), session, event.place);
      }
      case "typed":
        return this.#typed(event);
      case "edited":
      case "deleted":
        return this.#rewritten(event);
      case "unposted":
        return this.#unposted(event);
    }
  }

  /** A word that points to cards has their addresses in this place. */
  async #addressed(answer: Answer, id: string, at: Pick<Place, "surface" | "id">): Promise<Answer> {
    if (answer.kind !== "word" || answer.pointers === undefined) return answer;
    const session = await this.#keeper.load(id);
    const place = session?.places.find((candidate) => placeKey(candidate) === placeKey(at));
    const surface = this.#needs.surfaces.find(({ name }) => name === at.surface);
    if (session === undefined || place === undefined || surface === undefined) return answer;
    const pointers = answer.pointers.map((pointer) => {
      const handle = handleOf(session, place, pointer.key);
      return { ...pointer, url: handle === null ? null : surface.url(place, handle) };
    });
    return { ...answer, pointers };
  }

  async #typed(event: Typed): Promise<Answer> {
    const meant = await this.#meant(event);
    return meant === null ? IGNORED : this.#take(meant.session, meant.event);
  }

  /** The session that a message is for; null where it is nobody's. */
  async #meant(event: Typed): Promise<{ session: string; event: Typed } | null> {
    const { anchor, place } = event;
    if (anchor !== null) {
      const session = this.#keeper.stands.under(place, anchor.handle);
      return session === undefined ? null : { session, event };
    }
    if (!place.direct) return null;
    const sessions = await this.#load(this.#keeper.stands.at(place));
    const open = sessions.filter((session) => openRounds(session).length > 0);
    const meant = open.length === 1 ? open[0] : sessions[0];
    if (meant === undefined) return null;
    return { session: meant.id, event: { ...event, doubtful: open.length > 1 } };
  }

  /** The message itself says whose it is: the first session that kept it takes the change. */
  async #rewritten(event: Rewritten): Promise<Answer> {
    const under = event.anchor && this.#keeper.stands.under(event.place, event.anchor.handle);
    const session = under || (await this.#keeping(event));
    return session === undefined ? IGNORED : this.#take(session, event);
  }

  /** Somebody deleted a post: it is put up again. */
  async #unposted({ place, handle }: Extract<ports.Heard, { type: "unposted" }>): Promise<Answer> {
    const id = this.#keeper.stands.under(place, handle);
    const session = id === undefined ? undefined : await this.#keeper.load(id);
    const key = session && cardOf(session, place, handle);
    if (session && key) await this.#keeper.take(session.id, { type: "gone", place: placeKey(place), key });
    return IGNORED;
  }

  /** The session that has kept a plain message. */
  async #keeping({ place, id }: Pick<Typed, "place" | "id">): Promise<string | undefined> {
    const key = placeKey(place);
    const sessions = await this.#load(this.#keeper.stands.at(place));
    return sessions.find((session) => wordsAt(session, key).some((kept) => kept.id === id))?.id;
  }

  async #load(ids: Iterable<string>): Promise<Session[]> {
    const sessions = await Promise.all([...ids].map((id) => this.#keeper.load(id).catch(() => undefined)));
    return sessions.filter((session) => session !== undefined);
  }

  #running(): string[] {
    return [...this.#keeper.known()].flatMap(({ id, ended, inChat }) => (inChat && ended === null ? id : []));
  }

  /** Running sessions that stand on a surface. */
  async #on(surface: ports.ChatName): Promise<Session[]> {
    const sessions = await this.#load(this.#running());
    return sessions.filter(({ posts }) => Object.keys(posts).some((key) => key.startsWith(`${surface}:`)));
  }

  /** Each message goes to the session that it belongs to; what a session kept and nobody finds any more was deleted. */
  async reread({ place, from, messages }: ports.Reread): Promise<void> {
    const bySession = new Map<string, Typed[]>(this.#keeper.stands.at(place).map((id) => [id, []]));
    for (const message of messages) {
      const keeping = message.anchor === null ? await this.#keeping(message) : undefined;
      const meant = keeping === undefined ? await this.#meant(message) : { session: keeping, event: message };
      if (meant !== null) bySession.get(meant.session)?.push(meant.event);
    }
    const key = placeKey(place);
    for (const [id, mine] of bySession) {
      const heard = this.#marks.get(`${id} ${key}`) ?? 0;
      this.#marks.delete(`${id} ${key}`);
      await this.#keeper.take(id, { type: "reread", place: key, from, heard, messages: mine });
    }
  }

  /** What stands in chats. From here on it counts as unread, until it is read back. */
  async standing(surface: ports.ChatName): Promise<ports.Standing[]> {
    const all = new Map<string, ports.Standing>();
    for (const session of await this.#on(surface)) {
      for (const place of session.places.filter((candidate) => candidate.surface === surface)) {
        const key = placeKey(place);
        const mark = `${session.id} ${key}`;
        if (!this.#marks.has(mark)) this.#marks.set(mark, heardAt(session, key));
        const there = all.get(key) ?? { place, since: session.createdAt, handles: [], words: [] };
        const handles = (session.posts[key] ?? []).flatMap(({ handle }) => handle ?? []);
        const words = wordsAt(session, key).map(({ id }) => id);
        all.set(key, {
          place,
          since: Math.min(there.since, session.createdAt),
          handles: [...there.handles, ...handles],
          words: [...there.words, ...words],
        });
      }
    }
    return [...all.values()];
  }

  async awaited(actor: Actor, inPlace: (place: Place) => Promise<boolean>): Promise<ports.Awaited[]> {
    const surface = this.#needs.surfaces.find(({ name }) => actor.id.startsWith(`${name}:`));
    if (surface === undefined) return [];
    const found: { at: number; what: ports.Awaited }[] = [];
    for (const session of await this.#on(surface.name)) {
      for (const place of session.places.filter((candidate) => candidate.surface === surface.name)) {
        const someone = { ...actor, inPlace: await inPlace(place) };
        const mine = openRounds(session).filter(({ policy }) => mayAct(policy, someone, place));
        for (const round of mine.filter(() => someone.inPlace)) {
          found.push({ at: round.openedAt, what: this.#awaitedAt(session, round, { surface, place }) });
        }
      }
    }
    return found.sort((a, b) => b.at - a.at).map(({ what }) => what);
  }

  #awaitedAt(session: Session, round: Round, at: { surface: ports.Surface; place: Place }): ports.Awaited {
    const handle = handleOf(session, at.place, round.id);
    return {
      title: titleOf(round),
      wanted: wantedOf(session, round),
      origin: originLine(session),
      url: handle === null ? "" : at.surface.url(at.place, handle),
    };
  }

  /** Where a round stands in chats, for the command line. */
  links(session: Session, round: string): ports.Link[] {
    return session.places.flatMap((place) => {
      const surface = this.#needs.surfaces.find(({ name }) => name === place.surface);
      const handle = handleOf(session, place, round);
      if (surface === undefined || handle === null) return [];
      const label = `asked ${place.label} in ${place.surface === "slack" ? "Slack" : "Discord"}`;
      return [{ surface: place.surface, label, url: surface.url(place, handle), open: null }];
    });
  }

  async away(surface: ports.ChatName, from: number, until: number): Promise<void> {
    if (until - from < NOTABLE_MS) return;
    for (const session of await this.#on(surface)) {
      if (openRounds(session).length > 0)
        await this.#keeper.take(session.id, { type: "away", surface, from, until });
    }
  }

  /** Begins to note that the bot lives; since when it did not, or null on the first start. */
  async wake(): Promise<{ from: number; until: number } | null> {
    const { clock, store, surfaces } = this.#needs;
    if (surfaces.length === 0) return null;
    const before = (await store.load(ALIVE))?.value;
    await this.#alive();
    return typeof before === "number" ? { from: before, until: clock.now() } : null;
  }

  async #alive(): Promise<void> {
    const { clock, store, log } = this.#needs;
    this.#off = clock.at(clock.now() + ALIVE_MS, () => void this.#alive());
    if (this.#running().length === 0) return;
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

const handleOf = (session: Session, place: Place, key: string): string | null =>
  (session.posts[placeKey(place)] ?? []).find((post) => post.key === key)?.handle ?? null;
