/** The bot of one application: its gateway session, what it says, and what it hears. */
import type { Card } from "../../core/card.ts";
import type { Place } from "../../core/people.ts";
import type { Clock, Log } from "../../core/ports.ts";
import type { Tell } from "../../core/session.ts";
import type { Check, Ear, Kept, Posting, Sent, Told } from "../../core/surface.ts";
import { CatchUp } from "../shared/catch-up.ts";
import type { Connection } from "../shared/chat.ts";
import { BROKEN_MS, Delivery } from "../shared/delivery.ts";
import { inTime } from "../shared/in-time.ts";
import { type Offer, Pairings } from "../shared/pairings.ts";
import { appOf, channelOf, handleIn, messageOf, roomOf } from "./address.ts";
import { Api } from "./api.ts";
import { readBack } from "./catch-up.ts";
import { Gateway } from "./gateway.ts";
import { Listener, OFFER } from "./listener.ts";
import { People } from "./people.ts";
import { Places } from "./places.ts";
import { Posts } from "./posts.ts";
import { Presses } from "./presses.ts";
import { failureOf, reason } from "./reasons.ts";
import { renderOffer, renderWord } from "./render.ts";
import { Rooms } from "./rooms.ts";
import { Threads } from "./threads.ts";
import { answers } from "./wire.ts";

const TOLD: Told = { kind: "told" };
/** Somebody who typed is answered by a sign on what they wrote. */
const SIGNS: Record<Tell["tone"], string> = { kept: "👀", delivered: "✅", refused: "⚠️", offer: OFFER };
/** Discord takes about one new message a second in a channel, in bursts of five. */
const PACE = { burst: 2, everyMs: 1_100 };
/** How long a gateway may be away before new rounds are refused, and how long a command waits for it. */
const DEAF_MS = 60_000;
const AWAITED_MS = 5_000;

export interface ConnectionParts {
  app: string;
  kept: Kept;
  clock: Clock;
  log: Log;
  ear(): Ear | null;
}

export class DiscordConnection implements Connection {
  readonly id: string;
  readonly api: Api;
  readonly gateway: Gateway;
  readonly places: Places;
  readonly pairings: Pairings;
  kept: Kept;
  readonly #parts: ConnectionParts;
  readonly #posts: Posts;
  readonly #listener: Listener;
  readonly #delivery: Delivery;
  readonly #catchUp: CatchUp;
  #deafSince: number;

  constructor(parts: ConnectionParts) {
    const { app, kept, clock, log, ear } = parts;
    const { baseUrl, tokens } = kept.credentials;
    const token = tokens.bot ?? "";
    this.id = app;
    this.kept = kept;
    this.#parts = parts;
    this.#deafSince = clock.now();
    this.api = new Api({ token, baseUrl, log, clock });
    this.#delivery = new Delivery({ clock, log, pace: PACE, name: `Discord ${kept.label}` });
    this.gateway = new Gateway({
      token,
      baseUrl,
      clock,
      log,
      onPacket: (type, data) => this.#listener.take(type, data),
      onHearing: (since) => void this.#catchUp.run(since),
      onLost: () => {
        this.#deafSince = clock.now();
      },
    });
    const { api, gateway } = this;
    this.places = new Places({ app, api, gateway, clock });
    this.pairings = new Pairings({
      places: this.places,
      ask: (place, question) => this.#ask(place, question),
      help: "Try your id: Settings, Advanced, Developer Mode; then Copy User ID on your name.",
    });
    const rooms = new Rooms({ app, api, gateway });
    const people = new People({ gateway, clock });
    const onPair = this.pairings.press.bind(this.pairings);
    const presses = new Presses({ app, api, rooms, people, places: this.places, log, ear, onPair });
    const onRoomGone = (room: string) => this.#roomGone(room);
    this.#listener = new Listener({ app, gateway, presses, rooms, people, clock, log, ear, onRoomGone });
    this.#posts = new Posts({
      api,
      threads: new Threads(api),
      log,
      botUser: kept.about.botUser ?? app,
      onFatal: (why) => this.#delivery.breaks(why),
      onGone: (place, handle) => void ear()?.hear({ type: "unposted", place, handle }),
    });
    const typed = this.#listener.typed.bind(this.#listener);
    this.#catchUp = new CatchUp({
      surface: "discord",
      clock,
      log,
      ear,
      isMine: (place) => appOf(place) === app,
      read: (standing, missed) => readBack({ api, clock, log, typed }, standing, missed),
    });
  }

  get fault(): string {
    if (this.#delivery.broken !== "") return this.#delivery.broken;
    if (this.gateway.fault !== "") return this.gateway.fault;
    const deaf = !this.gateway.listening && this.#parts.clock.now() - this.#deafSince >= DEAF_MS;
    return deaf ? "Discord cannot be reached" : "";
  }

  get isBroken(): boolean {
    return this.#delivery.broken !== "" || this.gateway.fault !== "";
  }

  start(): Promise<string> {
    return this.gateway.start();
  }

  async stop(): Promise<void> {
    this.#catchUp.stop();
    this.#delivery.stop();
    this.#listener.stop();
    await this.gateway.stop();
    this.api.stop();
  }

  /** Which channels there are is known once it listens. */
  async lookAround(): Promise<void> {
    await inTime(this.gateway.settled(), AWAITED_MS, () => new Error("late")).catch(() => {});
  }

  async *check(to: string[]): AsyncGenerator<Check> {
    const { check } = await import("./check.ts");
    yield* check(this, to);
  }

  post(place: Place, card: Card, how: Posting): Promise<Sent> {
    const run = () => this.#posts.post(place, card, how);
    const isHead = card.key === card.round;
    return this.#delivery.send(place.id, { urgent: how.under !== null, post: true, run }, isHead);
  }

  update(place: Place, card: Card, handle: string): Promise<Sent> {
    const run = () => this.#posts.update(place, card, handle);
    return this.#delivery.send(place.id, { urgent: true, post: false, run });
  }

  remove(place: Place, handle: string): Promise<Sent> {
    const run = () => this.#posts.remove(place, handle);
    return this.#delivery.send(place.id, { urgent: true, post: false, run });
  }

  async tell(place: Place, { about, tone }: Tell): Promise<Told> {
    const handle = handleIn(about);
    if (handle === null) return TOLD;
    if (this.#delivery.broken !== "") return { kind: "later", afterMs: BROKEN_MS };
    const emoji = encodeURIComponent(SIGNS[tone]);
    const path =
      `/channels/${roomOf(place, handle)}/messages/${messageOf(handle)}/reactions/${emoji}/@me` as const;
    const reply = await this.api.call({ method: "PUT", path }, answers.nothing);
    if (reply.kind === "ok") return TOLD;
    if (reply.kind !== "error") return { kind: "later", afterMs: reply.afterMs };
    if (reply.status === 401) this.#delivery.breaks(reason(reply));
    else this.#parts.log.warn("somebody could not be told", { place: place.label, reason: reason(reply) });
    return reply.status === 401 ? { kind: "later", afterMs: BROKEN_MS } : TOLD;
  }

  /** What stood there is put up again, where it can be; what was written there is looked for, and not found. */
  async #roomGone(room: string): Promise<void> {
    const ear = this.#parts.ear();
    for (const { place, handles } of (await ear?.standing("discord")) ?? []) {
      const gone = handles.filter((handle) => appOf(place) === this.id && roomOf(place, handle) === room);
      for (const handle of gone) await ear?.hear({ type: "unposted", place, handle });
    }
    await this.#catchUp.run(this.#parts.clock.now());
  }

  async #ask(place: Place, { text, button, label }: Offer) {
    const { api } = this;
    const path = `/channels/${channelOf(place)}/messages` as const;
    const body = { ...renderOffer(text, button, label), allowed_mentions: { parse: [] } };
    const reply = await api.call({ method: "POST", path, body }, answers.message);
    if (reply.kind !== "ok") return failureOf(reply);
    const { id } = reply.value;
    return {
      becomes: async (words: string) => {
        const { components } = renderWord(words, []);
        await api.call({ method: "PATCH", path: `${path}/${id}`, body: { components } }, answers.nothing);
      },
    };
  }
}
