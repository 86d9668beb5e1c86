/** The bot in one workspace: its sockets, what it says there, and what it hears. */
import type { Card } from "../../core/card.ts";
import type { Place } from "../../core/people.ts";
import type { Clock, Log } from "../../core/ports.ts";
import type { Tell } from "../../core/session.ts";
import type { Check, Ear, Kept, Posting, Sent, Told } from "../../core/surface.ts";
import { words } from "../../core/words.ts";
import { CatchUp } from "../shared/catch-up.ts";
import type { Connection } from "../shared/chat.ts";
import { BROKEN_MS, Delivery } from "../shared/delivery.ts";
import { type Offer, Pairings } from "../shared/pairings.ts";
import { channelOf, messageOf, teamOf, userOf } from "./address.ts";
import { Api, type Reply } from "./api.ts";
import { readBack } from "./catch-up.ts";
import { Files } from "./files.ts";
import type { Message as Drawn } from "./kit.ts";
import { Listener, whisper } from "./listener.ts";
import { People } from "./people.ts";
import { failureOf, Places } from "./places.ts";
import { Posts } from "./posts.ts";
import { isFatal, reason } from "./reasons.ts";
import { renderOffer, renderWord } from "./render.ts";
import { Sockets } from "./sockets.ts";
import { answers } from "./wire.ts";

const TOLD: Told = { kind: "told" };
const SIGNS = { kept: "eyes", delivered: "white_check_mark" };
/** Slack likes one new message a second in a channel, and takes short bursts. */
const PACE = { burst: 4, everyMs: 1_000 };
/** How often it is looked whether another process uses the app. */
const LOOK_MS = 10 * 60_000;
/** How long nobody may listen before new rounds are refused. */
const DEAF_MS = 60_000;

export interface ConnectionParts {
  team: string;
  kept: Kept;
  clock: Clock;
  log: Log;
  ear(): Ear | null;
}

export class SlackConnection implements Connection {
  readonly id: string;
  readonly api: Api;
  readonly places: Places;
  readonly sockets: Sockets;
  kept: Kept;
  readonly #parts: ConnectionParts;
  readonly #people: People;
  readonly #posts: Posts;
  readonly #listener: Listener;
  readonly #delivery: Delivery;
  readonly pairings: Pairings;
  readonly #catchUp: CatchUp;
  #deafSince: number;

  constructor(parts: ConnectionParts) {
    const { team, kept, clock, log } = parts;
    const { baseUrl, tokens } = kept.credentials;
    this.id = team;
    this.#parts = parts;
    this.kept = kept;
    this.#deafSince = clock.now();
    this.api = new Api({ token: tokens.bot ?? "", baseUrl, clock, log });
    this.#people = new People({ api: this.api, team, clock });
    this.places = new Places({ api: this.api, people: this.#people, team, clock });
    this.pairings = new Pairings({
      places: this.places,
      ask: (place, question) => this.#ask(place, question),
      help: "Try an e-mail address.",
    });
    this.#delivery = new Delivery({ clock, log, pace: PACE, name: `Slack ${kept.label}` });
    this.#posts = new Posts({
      api: this.api,
      files: new Files(this.api),
      log,
      onFatal: (error) => this.#breaks(error),
    });
    this.#listener = new Listener({
      api: this.api,
      people: this.#people,
      log,
      team,
      botToken: tokens.bot ?? "",
      botUser: kept.about.botUser ?? "",
      baseUrl,
      ear: parts.ear,
      onPair: (button, user) => this.pairings.press(button, user),
      onRevoked: () => this.#breaks("token_revoked"),
    });
    this.sockets = new Sockets({
      appToken: tokens.app ?? "",
      baseUrl,
      clock,
      log,
      onIncoming: (incoming) => this.#listener.receiver.take(incoming),
      onDeaf: () => this.#deaf(),
      onHearing: (since) => this.#hears(since),
    });
    const typed = this.#listener.typed.bind(this.#listener);
    this.#catchUp = new CatchUp({
      surface: "slack",
      clock,
      log,
      ear: parts.ear,
      isMine: (place) => teamOf(place) === team,
      read: (standing, missed) => readBack({ api: this.api, clock, log, typed }, standing, missed),
    });
  }

  get fault(): string {
    const { clock } = this.#parts;
    if (this.#delivery.broken !== "") return this.#delivery.broken;
    if (this.sockets.fault !== "") return `app token: ${reason(this.sockets.fault)}`;
    if (this.sockets.strangers.sure)
      return "another process uses this Slack app and takes some of the answers; stop it, use your own app (askgate setup slack), or set ASKGATE_URL";
    const deaf = this.sockets.listening === 0 && clock.now() - this.#deafSince >= DEAF_MS;
    return deaf ? "Slack cannot be reached" : "";
  }

  async #ask(place: Place, { text, button, label }: Offer) {
    const channel = channelOf(place);
    const offered = { channel, ...renderOffer(text, button, label) };
    const reply = await this.api.call("chat.postMessage", offered, answers.posted);
    if (reply.kind !== "ok") return failureOf(reply);
    const { ts } = reply.value;
    return {
      becomes: async (words: string) => {
        const { api } = this;
        await api.call("chat.update", { channel, ts, ...renderWord(words, []) }, answers.nothing);
      },
    };
  }

  async *check(to: string[]): AsyncGenerator<Check> {
    const { check } = await import("./check.ts");
    yield* check(this, to);
  }

  /** Looks whether another process uses the app: before rounds are refused for that, and when it was not looked for long. */
  async lookAround(): Promise<void> {
    const { strangers } = this.sockets;
    if (strangers.sure) await this.sockets.look();
    else if (this.#parts.clock.now() - strangers.at > LOOK_MS) void this.sockets.look();
  }

  get isBroken(): boolean {
    return this.#delivery.broken !== "" || this.sockets.fault !== "";
  }

  start(): Promise<string> {
    return this.sockets.start();
  }

  async stop(): Promise<void> {
    this.#catchUp.stop();
    this.#delivery.stop();
    await this.sockets.stop();
  }

  post(place: Place, card: Card, how: Posting): Promise<Sent> {
    // Known by the time that somebody presses.
    void this.#people.isIn(channelOf(place), "").catch(() => {});
    const isHead = card.key === card.round;
    return this.#delivery.send(
      place.id,
      { urgent: how.under !== null, post: true, run: () => this.#posts.post(place, card, how) },
      isHead,
    );
  }

  update(place: Place, card: Card, handle: string): Promise<Sent> {
    const run = () => this.#posts.update(place, card, handle);
    return this.#delivery.send(place.id, { urgent: true, post: false, run });
  }

  remove(place: Place, handle: string): Promise<Sent> {
    const run = () => this.#posts.remove(place, handle);
    return this.#delivery.send(place.id, { urgent: true, post: false, run });
  }

  /** A small sign on a message, or a private word below it. */
  async tell(place: Place, tell: Tell): Promise<Told> {
    const about = messageOf(tell.about);
    if (about === null) return TOLD;
    if (this.#delivery.broken !== "") return { kind: "later", afterMs: BROKEN_MS };
    const channel = channelOf(place);
    const reply = await (tell.tone === "kept" || tell.tone === "delivered"
      ? this.#sign(channel, about.ts, SIGNS[tell.tone])
      : whisper(this.api, { channel, thread: about.thread, user: userOf(tell.to) }, drawnWord(tell)));
    if (reply.kind === "ok") return TOLD;
    if (reply.kind !== "error") return { kind: "later", afterMs: reply.afterMs };
    if (isFatal(reply.error)) this.#breaks(reply.error);
    if (!isFatal(reply.error) && reply.error !== "already_reacted")
      this.#parts.log.warn("somebody could not be told", {
        place: place.label,
        reason: reason(reply.error, reply.needed),
      });
    return isFatal(reply.error) ? { kind: "later", afterMs: BROKEN_MS } : TOLD;
  }

  #sign(channel: string, timestamp: string, name: string): Promise<Reply<object>> {
    return this.api.call("reactions.add", { channel, timestamp, name }, answers.nothing);
  }

  #breaks(error: string): void {
    this.#delivery.breaks(reason(error));
  }

  #deaf(): void {
    this.#deafSince = this.#parts.clock.now();
    this.#parts.log.warn("nobody listens to Slack", { team: this.id });
  }

  #hears(since: number | null): void {
    this.#people.forget();
    void this.#catchUp.run(since);
  }
}

const drawnWord = ({ text, button, label }: Tell): Drawn =>
  button === undefined ? renderWord(text, []) : renderOffer(text, button, label ?? words("").useAnswer);
