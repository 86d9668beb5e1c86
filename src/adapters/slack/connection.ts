/** The bot in one workspace: its sockets, what it says there, and what it hears. */
import { randomUUID } from "node:crypto";
import type { Card } from "../../core/card.ts";
import { AskgateError } from "../../core/error.ts";
import type { Place } from "../../core/people.ts";
import type { Clock, Connected, Credentials, Ear, Kept, Log, Posting, Sent } from "../../core/ports.ts";
import type { Tell } from "../../core/session.ts";
import { words } from "../../core/words.ts";
import { Outbox } from "../shared/outbox.ts";
import { channelOf, messageOf, teamOf, userOf } from "./address.ts";
import { Api } from "./api.ts";
import { catchUp } from "./catch-up.ts";
import { Files } from "./files.ts";
import { Listener, PAIR, whisper } from "./listener.ts";
import { People } from "./people.ts";
import { failureOf, Places } from "./places.ts";
import { Posts } from "./posts.ts";
import { reason } from "./reasons.ts";
import { renderOffer, renderWord } from "./render.ts";
import { Sockets } from "./sockets.ts";
import { answers } from "./wire.ts";

/** Slack likes one new message a second in a channel, and takes short bursts. */
const PACE = { burst: 4, everyMs: 1_000 };
/** What cannot go out because the connection is broken is tried again this often. */
const BROKEN_MS = 30_000;
/** How long nobody may listen before new rounds are refused. */
const DEAF_MS = 60_000;

export interface ConnectionParts {
  team: string;
  kept: Kept;
  clock: Clock;
  log: Log;
  ear(): Ear | null;
}

export class Connection {
  readonly team: string;
  readonly api: Api;
  readonly places: Places;
  readonly sockets: Sockets;
  #kept: Kept;
  readonly #parts: ConnectionParts;
  readonly #people: People;
  readonly #posts: Posts;
  readonly #listener: Listener;
  readonly #outbox: Outbox;
  readonly #pairings = new Map<string, Pairing>();
  /** Why the bot token is of no use; "" while it is. */
  #revoked = "";
  #deafSince: number;

  constructor(parts: ConnectionParts) {
    const { team, kept, clock, log } = parts;
    const { baseUrl, tokens } = kept.credentials;
    this.team = team;
    this.#parts = parts;
    this.#kept = kept;
    this.#deafSince = clock.now();
    this.api = new Api({ token: tokens.bot ?? "", baseUrl, clock, log });
    this.#people = new People({ api: this.api, team, clock });
    this.places = new Places({ api: this.api, people: this.#people, team, clock });
    this.#outbox = new Outbox(clock, PACE);
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
      onPair: (code, user) => this.#pairs(code, user),
      onRevoked: () => this.#breaks("token_revoked"),
    });
    this.sockets = new Sockets({
      appToken: tokens.app ?? "",
      baseUrl,
      clock,
      log,
      onIncoming: (incoming) => void this.#listener.receiver.take(incoming),
      onDeaf: () => this.#deaf(),
      onHearing: (since) => void this.#hearing(since),
    });
  }

  get kept(): Kept {
    return this.#kept;
  }

  set kept(kept: Kept) {
    this.#kept = kept;
  }

  get connected(): Connected {
    const { label, me } = this.#kept;
    return { surface: "slack", connection: this.team, label, me: me?.name ?? null };
  }

  /** Does it have these tokens, of this server? */
  isOf({ tokens, baseUrl }: Credentials): boolean {
    const mine = this.#kept.credentials;
    return mine.tokens.bot === tokens.bot && mine.tokens.app === tokens.app && mine.baseUrl === baseUrl;
  }

  /** What keeps new rounds from being asked here; "" while nothing does. */
  get fault(): string {
    const { clock } = this.#parts;
    if (this.#revoked !== "") return reason(this.#revoked);
    if (this.sockets.fault !== "") return `app token: ${reason(this.sockets.fault)}`;
    if (this.sockets.foreign)
      return "another process uses this Slack app and takes some of the answers; stop it, use your own app (askgate setup slack), or set ASKGATE_URL";
    const deaf = this.sockets.listening === 0 && clock.now() - this.#deafSince >= DEAF_MS;
    return deaf ? "Slack cannot be reached" : "";
  }

  get isBroken(): boolean {
    return this.#revoked !== "" || this.sockets.fault !== "";
  }

  /** Resolves when it listens, or with the reason why it will not. */
  start(): Promise<string> {
    return this.sockets.start();
  }

  async stop(): Promise<void> {
    await this.sockets.stop();
  }

  post(place: Place, card: Card, how: Posting): Promise<Sent> {
    if (this.#revoked !== "") return Promise.resolve(this.#broken(how.under !== null));
    // Known by the time that somebody presses.
    if (!place.direct) void this.#people.isIn(channelOf(place), "").catch(() => {});
    return this.#outbox.send(place.id, {
      urgent: how.under !== null,
      post: true,
      run: () => this.#posts.post(place, card, how),
    });
  }

  update(place: Place, card: Card, handle: string): Promise<Sent> {
    if (this.#revoked !== "") return Promise.resolve(this.#broken(true));
    const run = () => this.#posts.update(place, card, handle);
    return this.#outbox.send(place.id, { urgent: true, post: false, run });
  }

  remove(place: Place, handle: string): Promise<Sent> {
    if (this.#revoked !== "") return Promise.resolve(this.#broken(true));
    const run = () => this.#posts.remove(place, handle);
    return this.#outbox.send(place.id, { urgent: true, post: false, run });
  }

  #broken(again: boolean): Sent {
    return again
      ? { kind: "later", afterMs: BROKEN_MS, unsure: false }
      : { kind: "refused", reason: reason(this.#revoked) };
  }

  /** A small sign on a message, or a private word below it. */
  async tell(place: Place, tell: Tell): Promise<void> {
    const about = messageOf(tell.about);
    const channel = channelOf(place);
    if (about === null) return;
    if (tell.tone === "kept" || tell.tone === "delivered") {
      const name = tell.tone === "kept" ? "eyes" : "white_check_mark";
      await this.api.call("reactions.add", { channel, timestamp: about.ts, name }, answers.nothing);
      return;
    }
    const drawn =
      tell.button === undefined
        ? renderWord(tell.text, [])
        : renderOffer(tell.text, tell.button, tell.label ?? words("").useAnswer);
    await whisper(this.api, { channel, thread: about.thread, user: userOf(tell.to) }, drawn);
  }

  /** Asks somebody by a button whether they are `me`. */
  async pair(who: string): Promise<{ pairing: string; name: string }> {
    const person = await this.places.person(who);
    if (typeof person === "string")
      throw new AskgateError("not_found", person, { help: "Try an e-mail address." });
    const place = await this.places.direct(person.id);
    if (typeof place === "string") throw new AskgateError("not_found", place);
    const say = words("");
    const pairing = randomUUID();
    const drawn = renderOffer(say.pairing, `${PAIR}${pairing}`, say.pairingYes);
    const reply = await this.api.call(
      "chat.postMessage",
      { channel: channelOf(place), ...drawn },
      answers.posted,
    );
    if (reply.kind !== "ok") throw new AskgateError("not_found", `${person.name}: ${failureOf(reply)}`);
    this.#pairings.set(pairing, { ...person, channel: channelOf(place), ts: reply.value.ts, ...settling() });
    return { pairing, name: person.name };
  }

  /** Who pressed, once they have; undefined for a pairing that is not this connection's. */
  pairing(pairing: string): Promise<{ id: string; name: string }> | undefined {
    return this.#pairings.get(pairing)?.pressed;
  }

  async #pairs(code: string, user: string): Promise<void> {
    const pairing = this.#pairings.get(code);
    if (pairing === undefined || pairing.id !== user) return;
    pairing.press({ id: pairing.id, name: pairing.name });
    const { channel, ts } = pairing;
    await this.api.call("chat.update", { channel, ts, ...renderWord(words("").paired, []) }, answers.nothing);
  }

  #breaks(error: string): void {
    this.#revoked = error;
    this.#parts.log.error("a Slack connection is of no use any more", { team: this.team, error });
  }

  #deaf(): void {
    this.#deafSince = this.#parts.clock.now();
    this.#parts.log.warn("nobody listens to Slack", { team: this.team });
  }

  /** Reads back what was missed, place by place; what cannot be read is noted. */
  async #hearing(since: number | null): Promise<void> {
    const { clock, log, ear: earOf } = this.#parts;
    const ear = earOf();
    if (ear === null) return;
    this.#people.forget();
    try {
      if (since !== null) await ear.away("slack", since, clock.now());
      const all = await ear.standing("slack");
      for (const standing of all.filter(({ place }) => teamOf(place) === this.team)) {
        await catchUp(
          { api: this.api, clock, log, typed: (channel, message) => this.#listener.typed(channel, message) },
          ear,
          standing,
          since ?? standing.since,
        );
      }
    } catch (error) {
      log.error("what was missed could not be read back", { team: this.team, error });
    }
  }
}

interface Pairing {
  id: string;
  name: string;
  channel: string;
  ts: string;
  pressed: Promise<{ id: string; name: string }>;
  press(who: { id: string; name: string }): void;
}

function settling(): Pick<Pairing, "pressed" | "press"> {
  let press: Pairing["press"] = () => {};
  const pressed = new Promise<{ id: string; name: string }>((resolve) => {
    press = resolve;
  });
  return { pressed, press };
}
