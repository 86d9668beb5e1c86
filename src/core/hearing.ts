/** The engine's ear for chat surfaces: finds the session that something belongs to, and says what waits for whom. */
import type { Answer } from "./effect.ts";
import { AskgateError } from "./error.ts";
import { type Accepted, type Event, parseButton, type Rewritten, type Typed } from "./event.ts";
import { Gaps } from "./gaps.ts";
import type * as gates from "./gate.ts";
import type { Keeper } from "./keeper.ts";
import { Meaning } from "./meant.ts";
import { type Actor, type Place, placeKey } from "./people.ts";
import { cardOf } from "./place.ts";
import { mayAct } from "./policy.ts";
import type * as ports from "./ports.ts";
import { type Round, sessionIdOf, titleOf } from "./round.ts";
import { openRounds, type Session } from "./session.ts";
import { originLine } from "./sheet.ts";
import { wantedOf } from "./summary.ts";
import type * as chats from "./surface.ts";

type Needs = Pick<ports.EngineParts, "store" | "clock" | "log" | "surfaces">;
type Take = (session: string, event: Event) => Promise<Answer>;

/** Edits and deletions of unknown messages that are remembered. */
const EARLY = 200;

/** A platform that hears nothing for so long may still be answered in time; else it asks again. */
const KNOWN_MS = 1_000;

const IGNORED: Answer = { kind: "done" };

export class Hearing implements chats.Ear {
  readonly #needs: Needs;
  readonly #keeper: Keeper;
  readonly #take: Take;
  readonly #meaning: Meaning;
  readonly #gaps: Gaps;
  /** Message → what was last done to it before it came. */
  readonly #early = new Map<string, Rewritten>();

  constructor(needs: Needs, keeper: Keeper, take: Take) {
    this.#needs = needs;
    this.#keeper = keeper;
    this.#take = take;
    this.#meaning = new Meaning(keeper);
    this.#gaps = new Gaps(needs, keeper, this.#meaning);
  }

  async hear(event: chats.Heard): Promise<Answer> {
    switch (event.type) {
      case "accepted":
        return this.#accepted(event);
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
        return this.#restored(event, (place, key) => ({ type: "gone", place, key }));
      case "misdrawn": {
        const { handle } = event;
        return this.#restored(event, (place, key) => ({ type: "posted", place, key, handle, digest: "" }));
      }
    }
  }

  async #accepted(event: Accepted): Promise<Answer> {
    const session = await this.#meaning.keeping(event);
    return session === undefined ? IGNORED : this.#take(session, event);
  }

  /** A word that points to cards has their addresses in this place. */
  async #addressed(answer: Answer, id: string, at: Pick<Place, "surface" | "id">): Promise<Answer> {
    if (answer.kind !== "word" || answer.pointers === undefined) return answer;
    const session = await this.#keeper.load(id);
    const place = session?.places.find((candidate) => placeKey(candidate) === placeKey(at));
    const surface = this.#needs.surfaces.find(({ name }) => name === at.surface);
    if (session === undefined || place === undefined || surface === undefined) return answer;
    await this.#inTime(this.#keeper.stands.known(place)).catch(() => {});
    const now = (await this.#keeper.load(id)) ?? session;
    const pointers = answer.pointers.map((pointer) => {
      const handle = handleOf(now, place, pointer.key);
      return { ...pointer, url: handle === null ? null : surface.url(place, handle) };
    });
    return { ...answer, pointers };
  }

  /** What it hangs on may be a post of ours that went out just before the bot was killed, and is not found yet. */
  async minds({ place, anchor }: Pick<Typed, "place" | "anchor">): Promise<boolean> {
    const { stands } = this.#keeper;
    if (anchor === null) return place.direct && stands.at(place).length > 0;
    if (stands.under(place, anchor.handle) === undefined) await this.#inTime(stands.known(place));
    return stands.owning(place, anchor) !== undefined;
  }

  #inTime(known: Promise<void>): Promise<void> {
    const { clock } = this.#needs;
    return new Promise((resolve, reject) => {
      const late = new AskgateError("not_known_yet", "It is not known yet whose message that is.");
      const off = clock.at(clock.now() + KNOWN_MS, () => reject(late));
      void known.then(() => {
        off();
        resolve();
      });
    });
  }

  async #typed(event: Typed): Promise<Answer> {
    await this.#gaps.marked;
    const meant = await this.#meaning.of(event);
    if (meant === null) return IGNORED;
    const ahead = this.#gaps.isAhead(meant.session, event);
    const answer = await this.#take(meant.session, ahead ? { ...meant.event, ahead } : meant.event);
    const early = this.#early.get(event.id);
    this.#early.delete(event.id);
    if (early !== undefined) await this.#rewritten(early);
    return answer;
  }

  /** The message itself says whose it is: the first session that kept it takes the change. */
  async #rewritten(event: Rewritten): Promise<Answer> {
    const under = event.anchor && this.#keeper.stands.owning(event.place, event.anchor);
    const session = under || (await this.#meaning.keeping(event));
    const answer = session === undefined ? IGNORED : await this.#take(session, event);
    const unknown = session === undefined || (answer.kind === "word" && answer.code === "settled");
    if (unknown) this.#comesEarly(event);
    return answer;
  }

  /** A message that is delivered again may come after what was done to it since. */
  #comesEarly(event: Rewritten): void {
    this.#early.delete(event.id);
    this.#early.set(event.id, event);
    const [oldest] = this.#early.keys();
    if (this.#early.size > EARLY && oldest !== undefined) this.#early.delete(oldest);
  }

  /** Somebody deleted a post, or sees another one than stands there: it is put up, or drawn, again. */
  async #restored(
    { place, handle }: Pick<Extract<chats.Heard, { type: "unposted" }>, "place" | "handle">,
    event: (place: string, key: string) => Event,
  ): Promise<Answer> {
    const id = this.#keeper.stands.under(place, handle);
    const session = id === undefined ? undefined : await this.#keeper.load(id);
    const key = session && cardOf(session, place, handle);
    if (session && key) await this.#keeper.take(session.id, event(placeKey(place), key));
    return IGNORED;
  }

  reread(read: chats.Reread): Promise<void> {
    return this.#gaps.reread(read);
  }

  standing(surface: chats.ChatName): Promise<chats.Standing[]> {
    return this.#gaps.standing(surface);
  }

  away(gap: chats.Gap, isThere: (place: Place) => boolean): Promise<void> {
    return this.#gaps.away(gap, isThere);
  }

  wake(): ReturnType<Gaps["wake"]> {
    return this.#gaps.wake();
  }

  stop(): Promise<void> {
    return this.#gaps.stop();
  }

  async awaited(actor: Actor, inPlace: (place: Place) => Promise<boolean>): Promise<chats.Awaited[]> {
    const surface = this.#needs.surfaces.find(({ name }) => actor.id.startsWith(`${name}:`));
    if (surface === undefined) return [];
    const found: { at: number; what: chats.Awaited }[] = [];
    for (const session of await this.#meaning.on(surface.name)) {
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

  #awaitedAt(session: Session, round: Round, at: { surface: chats.Surface; place: Place }): chats.Awaited {
    const handle = handleOf(session, at.place, round.id);
    return {
      title: titleOf(round),
      wanted: wantedOf(session, round),
      origin: originLine(session),
      url: handle === null ? "" : at.surface.url(at.place, handle),
    };
  }

  /** Where a round stands in chats, for the command line. */
  links(session: Session, round: string): gates.Link[] {
    return session.places.flatMap((place) => {
      const surface = this.#needs.surfaces.find(({ name }) => name === place.surface);
      const handle = handleOf(session, place, round);
      if (surface === undefined || handle === null) return [];
      const label = `asked ${place.label} in ${place.surface === "slack" ? "Slack" : "Discord"}`;
      return [{ surface: place.surface, label, url: surface.url(place, handle), open: null }];
    });
  }
}

const handleOf = (session: Session, place: Place, key: string): string | null =>
  (session.posts[placeKey(place)] ?? []).find((post) => post.key === key)?.handle ?? null;
