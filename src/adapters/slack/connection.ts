/** The bot in one workspace: its sockets, what it says there, and what it hears. */
import type { Card } from "../../core/card.ts";
import type { Place } from "../../core/people.ts";
import type { Clock, Connected, Credentials, Ear, Kept, Log, Posting, Sent, Told } from "../../core/ports.ts";
import type { Tell } from "../../core/session.ts";
import { words } from "../../core/words.ts";
import { type Job, Outbox } from "../shared/outbox.ts";
import { channelOf, messageOf, userOf } from "./address.ts";
import { Api, type Reply } from "./api.ts";
import { CatchUp } from "./catch-up.ts";
import { Files } from "./files.ts";
import type { Message as Drawn } from "./kit.ts";
import { Listener, whisper } from "./listener.ts";
import { Pairings } from "./pairings.ts";
import { People } from "./people.ts";
import { Places } from "./places.ts";
import { Posts } from "./posts.ts";
import { isFatal, reason } from "./reasons.ts";
import { renderOffer, renderWord } from "./render.ts";
import { Sockets } from "./sockets.ts";
import { answers } from "./wire.ts";

const TOLD: Told = { kind: "told" };
const SIGNS = { kept: "eyes", delivered: "white_check_mark" };
/** Slack likes one new message a second in a channel, and takes short bursts. */
const PACE = { burst: 4, everyMs: 1_000 };
/** What cannot go out because the connection is broken is tried again this often. */
const BROKEN_MS = 30_000;
/** What had not begun when a connection was replaced goes out on the new one. */
const RENEWED_MS = 1_000;
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
  readonly #outbox: Outbox<Sent>;
  readonly pairings: Pairings;
  readonly #catchUp: CatchUp;
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
    this.pairings = new Pairings({ api: this.api, places: this.places });
    this.#outbox = new Outbox(clock, PACE, { kind: "later", afterMs: RENEWED_MS, unsure: false });
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
      onPair: (code, user) => this.pairings.press(code, user),
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
    this.#catchUp = new CatchUp({
      api: this.api,
      clock,
      log,
      team,
      ear: parts.ear,
      typed: (channel, message) => this.#listener.typed(channel, message),
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
    if (this.sockets.strangers.sure)
      return "another process uses this Slack app and takes some of the answers; stop it, use your own app (askgate setup slack), or set ASKGATE_URL";
    const deaf = this.sockets.listening === 0 && clock.now() - this.#deafSince >= DEAF_MS;
    return deaf ? "Slack cannot be reached" : "";
  }

  /** Looks whether another process uses the app: before rounds are refused for that, and when it was not looked for long. */
  async lookAround(): Promise<void> {
    const { strangers } = this.sockets;
    if (strangers.sure) await this.sockets.look();
    else if (this.#parts.clock.now() - strangers.at > LOOK_MS) void this.sockets.look();
  }

  get isBroken(): boolean {
    return this.#revoked !== "" || this.sockets.fault !== "";
  }

  /** Resolves when it listens, or with the reason why it will not. */
  start(): Promise<string> {
    return this.sockets.start();
  }

  async stop(): Promise<void> {
    this.#catchUp.stop();
    this.#outbox.stop();
    await this.sockets.stop();
  }

  post(place: Place, card: Card, how: Posting): Promise<Sent> {
    // Known by the time that somebody presses.
    void this.#people.isIn(channelOf(place), "").catch(() => {});
    const isHead = card.key === card.round;
    return this.#send(
      place,
      { urgent: how.under !== null, post: true, run: () => this.#posts.post(place, card, how) },
      isHead,
    );
  }

  update(place: Place, card: Card, handle: string): Promise<Sent> {
    const run = () => this.#posts.update(place, card, handle);
    return this.#send(place, { urgent: true, post: false, run });
  }

  remove(place: Place, handle: string): Promise<Sent> {
    const run = () => this.#posts.remove(place, handle);
    return this.#send(place, { urgent: true, post: false, run });
  }

  /** While the connection is of no use, what stands already waits for a new one; `isHead`: what begins a round is refused. */
  async #send(place: Place, job: Job<Sent>, isHead = false): Promise<Sent> {
    const sent = this.#revoked === "" ? await this.#outbox.send(place.id, job) : null;
    if (sent !== null && (sent.kind !== "refused" || this.#revoked === "")) return sent;
    return isHead
      ? { kind: "refused", reason: reason(this.#revoked) }
      : { kind: "later", afterMs: BROKEN_MS, unsure: false };
  }

  /** A small sign on a message, or a private word below it. */
  async tell(place: Place, tell: Tell): Promise<Told> {
    const about = messageOf(tell.about);
    if (about === null) return TOLD;
    if (this.#revoked !== "") return { kind: "later", afterMs: BROKEN_MS };
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
    if (this.#revoked === error) return;
    this.#revoked = error;
    this.#parts.log.error("a Slack connection is of no use any more", { team: this.team, error });
  }

  #deaf(): void {
    this.#deafSince = this.#parts.clock.now();
    this.#parts.log.warn("nobody listens to Slack", { team: this.team });
  }

  #hears(since: number | null): void {
    this.#people.forget();
    void this.#catchUp.run(since);
  }
}

const drawnWord = ({ text, button, label }: Tell): Drawn =>
  button === undefined ? renderWord(text, []) : renderOffer(text, button, label ?? words("").useAnswer);
