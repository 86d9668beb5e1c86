/**
 * A chat as the people in it see it: what stands there, what each of them can do, and what the bot did. The suite speaks of
 * nothing else, so that it reads the same for every platform.
 */
import type { Opened, OpenRequest, Result } from "../../src/core/gate.ts";
import type { Engine } from "../../src/core/ports.ts";
import type { ChatName } from "../../src/core/surface.ts";

/** Something that the bot put up. It lives: later changes show in it. */
export interface ChatCard {
  /** What one reads there, controls included; `@Ana` where somebody is called. "" once it is gone. */
  readonly text: string;
  readonly gone: boolean;
  /** Does it stand in a thread, or answer another message? */
  readonly isReply: boolean;
  readonly url: string;
  readonly buttons: string[];
  readonly links: { label: string; url: string }[];
  /** The ids that its controls send. */
  readonly ids: string[];
  /** The id that a button or a menu sends: by the button's label, or by that of an option. */
  idOf(label: string): string;
}

/** Something for one person's eyes only. */
export type ChatWord = Pick<ChatCard, "text" | "buttons" | "links">;

export interface ChatForm {
  title: string;
  fields: { label: string; value: string; options: string[] }[];
  /** What it objects to, under its fields. */
  complaint: string;
}

/** `offered`: its author, and nobody else, can make it the answer. */
export type Sign = "kept" | "delivered" | "offered";

/** What somebody wrote. */
export interface ChatSaid {
  /** Signs of the bot for its author. */
  readonly signs: Sign[];
}

export interface ChatRoom {
  /** As `--to` names it. */
  readonly to: string;
  /** What the bot put up, in order; replies right behind what they belong to. */
  cards(): ChatCard[];
  /** Waits for the one card that says this and is no reply. */
  card(words: string): Promise<ChatCard>;
  /** Waits for the one reply that says this. */
  reply(words: string): Promise<ChatCard>;
  /** Waits for the one card that says this, wherever it stands. */
  shown(words: string): Promise<ChatCard>;
  files(): { name: string; text: string }[];
}

export interface ChatPerson {
  readonly name: string;
  /** `slack:T1/U7`: as results name them. */
  readonly id: string;
  /** `slack:U7`: as `--reviewers` names them. */
  readonly account: string;
  /** Presses an option's button, or chooses in the menu that has it; where several are taken, all of them. */
  picks(card: ChatCard, ...options: string[]): Promise<void>;
  /** Takes all options of the menu that has this one back. */
  unpicks(card: ChatCard, option: string): Promise<void>;
  presses(on: ChatCard | ChatWord, label: string): Promise<void>;
  /** What the menu that has this option shows them as chosen. */
  chosen(card: ChatCard, option: string): string[];
  /** Waits for the form that a press opens; shows it as it is. */
  form(): Promise<ChatForm>;
  /** Fills in and sends the open form; false where it stays open. */
  sends(fields: Record<string, string>): Promise<boolean>;
  closes(): Promise<void>;
  /** Writes where words about a card go that answer nothing in particular: in its thread, which is opened where there is none. */
  writesUnder(card: ChatCard, text: string): Promise<ChatSaid>;
  /** Replies to a card or a message itself; where that is not another thing, in its thread. */
  repliesTo(to: ChatCard | ChatSaid, text: string): Promise<ChatSaid>;
  /** Makes a message of theirs that was offered as the answer just that. */
  takesOffer(said: ChatSaid): Promise<void>;
  /** Writes a plain message. */
  writes(room: ChatRoom, text: string): Promise<ChatSaid>;
  edits(said: ChatSaid, text: string): Promise<void>;
  deletes(said: ChatSaid): Promise<void>;
  /** What only they can see, oldest first. */
  words(room: ChatRoom): ChatWord[];
  notifications(): string[];
  /** Sends a press with any id and values, whatever stands on the card, and though they may not be in the room. */
  forges(card: ChatCard, id: string, value?: string): Promise<void>;
  leaves(room: ChatRoom): Promise<void>;
}

/** A call that changed what people see. */
export type Change = "post" | "update" | "remove" | "file" | "unfile" | "word" | "sign";

/** The bot's store is called `st`: presses are forged with it. */
export interface ChatStage {
  readonly surface: ChatName;
  /** As cards call it: "Slack". */
  readonly label: string;
  /** Where the blocks of a plan stand in a channel: each in the channel itself, or all in the thread of its header. */
  readonly blocksStand: "place" | "thread";
  /** A press on a button of another store is refused, or left to another bot, where all bots of an app hear of each press. */
  readonly othersButtons: "refused" | "left";
  readonly ana: ChatPerson;
  readonly ben: ChatPerson;
  readonly cho: ChatPerson;
  /** A guest. */
  readonly gus: ChatPerson;
  /** Not in the channel. */
  readonly sam: ChatPerson;
  /** Reads the chat in French. */
  readonly luc: ChatPerson;
  /** Everybody but Sam is in it. */
  readonly channel: ChatRoom;
  /** A person's direct messages with the bot. */
  direct(person: ChatPerson): ChatRoom;
  /** Asks in the channel, unless said otherwise. */
  open(more?: Partial<OpenRequest>): Promise<Opened>;
  /** The outcome of a round, once it has one. */
  outcome(opened: Opened): Promise<Result>;
  engine(): Engine;
  restart(): Promise<void>;
  /** Lets the bot end what it has begun, and stops it. */
  stop(): Promise<void>;
  /** All calls that went well, in order. */
  changes(): Change[];
  /** Holds the next change of this kind on its way, until the function returned is called. */
  hold(change: "post" | "update"): { held: Promise<void>; release: () => void };
  /** Resolves once this holds. */
  until(condition: () => boolean): Promise<void>;
}

export interface StageSettings {
  /** Time passes so many times as fast for the bot: it keeps its pace of posts, and nobody waits for it. */
  haste?: number;
  /** No rate limits. */
  unlimited?: boolean;
}

export type OpenStage = (settings?: StageSettings) => Promise<ChatStage>;
