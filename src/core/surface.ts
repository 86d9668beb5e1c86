/**
 * What the engine needs of a chat, and what a chat may tell and ask it. Types only; every method is required, differences
 * between surfaces are data (`limits`).
 */
import type { Card, Limits } from "./card.ts";
import type { Answer } from "./effect.ts";
import type { Accepted, Press, Rewritten, Typed } from "./event.ts";
import type { Actor, Place } from "./people.ts";
import type { Tell } from "./session.ts";

/** What a chat surface hears, before the session is known: it is found from the button, or from where a message stands. */
export type Heard =
  | Press
  | Typed
  | Rewritten
  | Accepted
  /** Somebody deleted one of the bot's own posts. */
  | { type: "unposted"; place: Pick<Place, "surface" | "id">; handle: string }
  /** What somebody sees there is not what stands there: it is drawn anew. */
  | { type: "misdrawn"; place: Pick<Place, "surface" | "id">; handle: string };

/** All that people have written in a place since `from` (epoch milliseconds), oldest first: read back after a gap. */
export interface Reread {
  place: Place;
  from: number;
  messages: Typed[];
}

/** What sessions that are not over have in a place of a surface. */
export interface Standing {
  place: Place;
  /** Since when something stands there, in epoch milliseconds. */
  since: number;
  /** Up to when what people wrote there was heard; `since` where nobody wrote. */
  heard: number;
  /** Handles of all posts that stand there. */
  handles: string[];
  /** Ids of the typed messages that were kept and may still be edited or deleted. */
  words: string[];
}

/** Something that waits for a person. */
export interface Awaited {
  title: string;
  wanted: string;
  /** From where: repo, branch, agent. */
  origin: string;
  url: string;
}

/** When nobody listened, in epoch milliseconds. */
export interface Gap {
  surface: ChatName;
  from: number;
  until: number;
}

/** What a surface may tell and ask the engine. */
export interface Ear {
  hear(event: Heard): Promise<Answer>;
  /**
   * May what somebody writes there be for anybody? Asked before it is looked up who wrote it. Throws `not_known_yet`: it must
   * be asked again later.
   */
  minds(where: Pick<Typed, "place" | "anchor">): Promise<boolean>;
  /** Takes what was missed, and says what was edited or deleted meanwhile. */
  reread(read: Reread): Promise<void>;
  /** Asked at once when somebody listens again: what is heard from then on does not count as what was missed. */
  standing(surface: ChatName): Promise<Standing[]>;
  /** The open rounds that this person may answer on this surface, newest first. `inPlace`: are they in that place? */
  awaited(actor: Actor, inPlace: (place: Place) => Promise<boolean>): Promise<Awaited[]>;
  /** Nobody listened to these places between these times (epoch milliseconds): open cards say so. */
  away(gap: Gap, isThere: (place: Place) => boolean): Promise<void>;
}

/** How a card is put up. */
export interface Posting {
  /** The post whose thread it belongs to; null: the place itself. */
  under: string | null;
  /** Makes the post recognisable. */
  nonce: string;
  /**
   * When the same post was tried before without hearing its end (epoch milliseconds): look before posting again, and change
   * what stands there to the card as it is now. Else null.
   */
  since: number | null;
}

/** How an attempt to change a platform ended. */
export type Sent =
  | { kind: "posted"; handle: string }
  | { kind: "refused"; reason: string }
  | { kind: "gone" }
  /** `unsure`: the answer was lost, it may have happened. */
  | { kind: "later"; afterMs: number; unsure: boolean };

/** How telling somebody ended: also done when it cannot be. */
export type Told = { kind: "told" } | { kind: "later"; afterMs: number };

/** A chat platform: renders cards, sends operations, parses what people do into events. */
export interface Surface {
  name: ChatName;
  limits: Limits;
  /** Begins to listen; every event is passed on once and its answer awaited before it is acknowledged. */
  start(ear: Ear): Promise<void>;
  /** Finds a place by name or id on a connection (null: the only one); a string says why it cannot be used and what to do. */
  resolve(place: string, connection: string | null): Promise<Place | string>;
  /** Finds a person by id, `@name` or e-mail; `id` is an actor's. A string says why not. */
  person(who: string, connection: string | null): Promise<{ id: string; name: string } | string>;
  post(place: Place, card: Card, how: Posting): Promise<Sent>;
  update(place: Place, card: Card, handle: string): Promise<Sent>;
  remove(place: Place, handle: string): Promise<Sent>;
  tell(place: Place, tell: Tell): Promise<Told>;
  /** The address of a post, for people. */
  url(place: Place, handle: string): string;
  stop(): Promise<void>;
}

/** Surfaces that need a connection to a platform. */
export type ChatName = "slack" | "discord";

/** Access to a platform app, as a caller hands it over: never logged, never shown. */
export interface Credentials {
  surface: ChatName;
  /** Slack: `bot` and `app`. Discord: `bot`. */
  tokens: Record<string, string>;
  /** Another server than the platform's own; from the same source as the tokens. */
  baseUrl: string | null;
}

/** A connection that works. */
export interface Connected {
  surface: ChatName;
  /** As the platform names it: `T1`. */
  connection: string;
  /** "acme (bot askgate)" */
  label: string;
  /** The person who paired, by name; null: nobody yet. */
  me: string | null;
}

/** One thing that `doctor` looked at. */
export interface Check {
  /** "bot token", "scopes", "#plans" … */
  name: string;
  state: "ok" | "failed" | "skipped";
  detail: string;
  /** What to do about it; "" when it is ok. */
  help: string;
}

/** A connection as it is kept, in a file that only the user can read. */
export interface Kept {
  credentials: Credentials;
  label: string;
  /** What the surface knows of it without asking: addresses, its own account. */
  about: Record<string, string>;
  /** The paired person's id on the platform, and name. */
  me: { id: string; name: string } | null;
}

/** Where connections are kept: connection → what is known of it. */
export interface Vault {
  list(surface: ChatName): Record<string, Kept>;
  put(surface: ChatName, connection: string, kept: Kept): Promise<void>;
}

/** A surface with connections. */
export interface Chat extends Surface {
  name: ChatName;
  /** Adds or renews a connection. Throws `connection_refused`, whose help says what to do. */
  connect(credentials: Credentials): Promise<Connected>;
  connections(): Connected[];
  /** Asks somebody (`@name`, id, e-mail) by a button in a direct message whether they are `me`. Throws `not_found`. */
  pair(connection: string, who: string): Promise<{ pairing: string; name: string }>;
  /** Resolves to true once they pressed, to false when `patienceMs` is over. */
  paired(pairing: string, patienceMs: number): Promise<boolean>;
  /** Looks at everything that a connection needs; `to` are places to look at as well. */
  check(connection: string, to: string[]): AsyncIterable<Check>;
}
