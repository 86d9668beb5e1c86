/** A chat platform as tests with whole processes need it: what stands there, what people's hands do, what goes wrong. */
import type { Card, Limits } from "../../src/core/card.ts";
import type { Place } from "../../src/core/people.ts";
import type { ChatName, Credentials } from "../../src/core/surface.ts";
import type { Call } from "../doubles/shared/ledger.ts";
import type { Random } from "../support/random.ts";

/** Something that stands in a room; it lives: later changes show in it. */
export interface Post {
  /** The channel or thread that it stands in. */
  readonly room: string;
  readonly id: string;
}

/** A channel or direct message, with its threads. */
export interface Room {
  readonly id: string;
  /** As `--to` names it. */
  readonly to: string;
}

export type Failed = { kind: "failed"; reason: string };
/** `unsent`: the choice was no other. */
export type Deed = { kind: "acked" } | { kind: "unsent" } | Failed;
/** `errors`: what the form says against what was filled in. */
export type Sent = { kind: "closed" } | { kind: "errors"; said: string } | Failed;

/** What can be pressed on a post, or chosen from. */
export interface Control {
  /** As the core knows it. */
  readonly button: string;
  /** The option, where each has a button of its own. */
  readonly option: string | null;
  readonly label: string;
  readonly options: string[];
  presses(): Promise<Deed>;
  /** The whole choice, by values. */
  chooses(values: string[]): Promise<Deed>;
}

export interface Somebody {
  readonly id: string;
  readonly name: string;
  direct(): Room;
  sees(post: Post): Control[];
  hasForm(): boolean;
  closesForm(): Promise<void>;
  /** Fills these words in, and sends it. */
  sendsForm(words: string): Promise<Sent>;
  writes(room: Room, text: string): Promise<Post>;
  /** Writes what is about a card. */
  comments(card: Post, text: string): Promise<Post>;
  /** Writes what is about all that stands under a card. */
  remarks(card: Post, text: string): Promise<Post>;
  edits(said: Post, text: string): Promise<void>;
  deletes(said: Post): Promise<void>;
}

/** Of the bot, on what somebody wrote. */
export type Sign = "kept" | "delivered";

export interface Platform {
  readonly name: ChatName;
  readonly credentials: Credentials;
  /** As a command's environment has them. */
  readonly env: { [name: string]: string };
  readonly limits: Limits;
  readonly calls: readonly Call[];
  /** The call that posts a card. */
  readonly posting: string;
  /** What a call ends with that was limited. */
  readonly limited: string;
  /** What people and kills may bring about in the log: messages that are deleted before their sign, and the like. */
  readonly usual: RegExp;
  /** Whether some bot hears of what people do. */
  readonly listens: boolean;
  changed(): Promise<void>;
  until(condition: () => boolean, patienceMs: number): Promise<void>;
  /** Resolves once the platform has noticed that the bot is gone, which nothing brings back. */
  gone(): Promise<void>;
  person(number: number, name: string): Somebody;
  channel(number: number, name: string, members: Somebody[]): Room;
  isIn(place: Place, room: Room): boolean;
  /** The bot's, as long as nobody took them away: what stands under others behind them. */
  standing(room: Room): Post[];
  /** All that it says, controls included. */
  says(post: Post): string;
  /** Its look and that of what it stands under, as `drawn` gives them. */
  look(post: Post): string;
  drawn(card: Card, root: Card | null): string;
  /** An address for what is drawn; where it leads is looked at apart. */
  readonly somewhere: string;
  /** The ids of the posts that its links lead to. */
  linked(post: Post): string[];
  /** All signs on it; what is no sign of the bot's by its name. */
  signs(said: Post): string[];
  /** What the bot sent into a room, gone or not, by the numbers of its own that it gave. */
  numbers(room: Room): string[];
  /** The platform itself has a bad moment. */
  disturb(random: Random): void;
  /** The next such call never gets through, or its answer never arrives; resolves when it is on its way. */
  holds(call: string, at: "request" | "response"): Promise<void>;
  /** Waits for what is still to be answered; throws if the bot did something wrong. */
  assertClean(): Promise<void>;
  stop(): Promise<void>;
}

export type OpenPlatform = () => Promise<Platform>;
