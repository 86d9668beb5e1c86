/** What people do in Discord, and the rooms they do it in. */
import type {
  ChatCard,
  ChatForm,
  ChatPerson,
  ChatRoom,
  ChatSaid,
  ChatWord,
} from "../conformance/chat-stage.ts";
import type { Channel, Message, Person } from "../doubles/discord/index.ts";
import type { Deed } from "../doubles/discord/interactions.ts";
import { FLAGS } from "../doubles/discord/limits.ts";
import type { Typing } from "../doubles/discord/person.ts";
import {
  OFFER,
  optionWords,
  postsIn,
  Said,
  SeenCard,
  saysOption,
  seenForm,
  standing,
  type World,
} from "./discord-seen.ts";

class Room implements ChatRoom {
  readonly channel: Channel;
  readonly to: string;
  readonly #world: World;

  constructor(channel: Channel, to: string, world: World) {
    this.channel = channel;
    this.to = to;
    this.#world = world;
  }

  cards(): SeenCard[] {
    return postsIn(this.channel, this.#world).map((message) => new SeenCard(message, this.#world));
  }

  card(words: string): Promise<ChatCard> {
    return this.#only(words, (card) => !card.isReply);
  }

  reply(words: string): Promise<ChatCard> {
    return this.#only(words, (card) => card.isReply);
  }

  shown(words: string): Promise<ChatCard> {
    return this.#only(words, () => true);
  }

  async #only(words: string, is: (card: ChatCard) => boolean): Promise<ChatCard> {
    const those = () => this.cards().filter((card) => is(card) && card.text.includes(words));
    await this.#world.discord.until(() => those().length > 0);
    const [only, ...others] = those();
    if (only === undefined || others.length > 0) throw new Error(`${others.length + 1} say ${words}`);
    return only;
  }

  files(): { name: string; text: string }[] {
    const { bot } = this.#world.discord;
    return standing(this.channel)
      .filter(({ author }) => author.id === bot.id)
      .flatMap(({ attachments }) => attachments)
      .map(({ filename, content }) => ({ name: filename, text: content.toString("utf8") }));
  }
}

export const roomOf = (channel: Channel, to: string, world: World): ChatRoom => new Room(channel, to, world);

class Actor implements ChatPerson {
  readonly name: string;
  readonly id: string;
  readonly account: string;
  readonly #person: Person;
  readonly #world: World;
  /** The button that was pressed last: it may have opened a form. */
  #pressed: { message: Message; label: string } | null = null;
  /** Why the form that was sent last was not taken; "" where it was. */
  #complaint = "";

  constructor(person: Person, world: World) {
    this.name = person.name;
    this.id = `discord:${person.id}`;
    this.account = this.id;
    this.#person = person;
    this.#world = world;
  }

  async picks(card: ChatCard, ...options: string[]): Promise<void> {
    const [first = ""] = options;
    const { message } = ours(card);
    const menu = this.#menu(message, first);
    if (menu === undefined) return this.presses(card, first);
    const labels = options.flatMap((label) => menu.options.find((one) => saysOption(one, label)) ?? []);
    taken(await this.#person.chooses(message, { customId: menu.customId }, ...labels));
  }

  async unpicks(card: ChatCard, option: string): Promise<void> {
    const { message } = ours(card);
    const customId = this.#menu(message, option)?.customId ?? "";
    taken(await this.#person.chooses(message, { customId, values: [] }));
  }

  #menu(message: Message, label: string) {
    return this.#person.sees(message).find(({ options }) => options.some((one) => saysOption(one, label)));
  }

  async presses(on: ChatCard | ChatWord, label: string): Promise<void> {
    const { message } = ours(on);
    this.#pressed = { message, label };
    this.#complaint = "";
    const before = this.#whispers();
    taken(await this.#person.presses(message, label));
    // "Are you sure?" has the same button once more.
    const asked = this.#whispers().find((one) => !before.includes(one) && this.#says(one).includes(label));
    if (asked !== undefined) taken(await this.#person.presses(asked, label));
  }

  #says(message: Message): string[] {
    return new SeenCard(message, this.#world).buttons;
  }

  chosen(card: ChatCard, option: string): string[] {
    return (this.#menu(ours(card).message, option)?.chosen ?? []).map(optionWords);
  }

  async form(): Promise<ChatForm> {
    await this.#reopens();
    if (this.#complaint === "") await this.#world.discord.until(() => this.#person.modal() !== null);
    const modal = this.#person.modal();
    return modal === null
      ? { title: "", fields: [], complaint: this.#complaint }
      : seenForm(modal, this.#complaint);
  }

  /** A form closes when it is sent: what it complains of is a word for its sender alone. */
  async sends(fields: Record<string, string>): Promise<boolean> {
    await this.#reopens();
    const before = this.#whispers();
    const sent = await this.#person.submits(fields);
    if (sent.kind === "failed") throw new Error(`the form failed: ${sent.reason}`);
    if (sent.kind === "errors") {
      this.#complaint = Object.values(sent.errors).join("\n");
      return false;
    }
    const word = this.#whispers().find((one) => !before.includes(one));
    if (word === undefined) return true;
    await this.#world.discord.until(() => (word.flags & FLAGS.loading) === 0);
    this.#complaint = new SeenCard(word, this.#world).text;
    return false;
  }

  /** Whose form was not taken opens it again, where its button still stands. */
  async #reopens(): Promise<void> {
    if (this.#complaint === "" || this.#person.modal() !== null || this.#pressed === null) return;
    const { message, label } = this.#pressed;
    if (!new SeenCard(message, this.#world).buttons.includes(label)) return;
    taken(await this.#person.presses(message, label));
  }

  #whispers(): Message[] {
    const { message } = this.#pressed ?? {};
    return message === undefined ? [] : this.#person.ephemerals(this.#world.discord.room(message.channel));
  }

  async closes(): Promise<void> {
    this.#person.dismisses();
  }

  /** In a direct message, which has no threads, a reply stands for them. */
  async writesUnder(card: ChatCard, text: string): Promise<ChatSaid> {
    const { message } = ours(card);
    const room = this.#world.discord.room(message.channel);
    if (room.room.kind === "dm") return this.repliesTo(card, text);
    if (room.room.parent !== null) return this.#types(room, text);
    const thread = room.thread(message.id) ?? (await this.#person.opensThread(room, message.id, "talk"));
    return this.#types(thread, text);
  }

  repliesTo(to: ChatCard | ChatSaid, text: string): Promise<ChatSaid> {
    const { channel, id } = to instanceof Said ? to.message : ours(to).message;
    return this.#types(this.#world.discord.room(channel), text, { replyTo: id });
  }

  writes(room: ChatRoom, text: string): Promise<ChatSaid> {
    return this.#types(ourRoom(room).channel, text);
  }

  async #types(channel: Channel, text: string, how: Typing = {}): Promise<Said> {
    return new Said(channel, await this.#person.types(channel, text, how), this.#world);
  }

  takesOffer(said: ChatSaid): Promise<void> {
    const { channel, id } = written(said);
    return this.#person.reacts(channel, id, OFFER);
  }

  edits(said: ChatSaid, text: string): Promise<void> {
    const { channel, id } = written(said);
    return this.#person.edits(channel, id, text);
  }

  deletes(said: ChatSaid): Promise<void> {
    const { channel, id } = written(said);
    return this.#person.deletes(channel, id);
  }

  words(room: ChatRoom): ChatWord[] {
    const { channel } = ourRoom(room);
    return [channel, ...channel.threads()]
      .flatMap((one) => this.#person.ephemerals(one))
      .filter(({ flags }) => (flags & FLAGS.loading) === 0)
      .sort((a, b) => a.at - b.at)
      .map((message) => new SeenCard(message, this.#world))
      .filter(({ text }) => text !== "✅");
  }

  notifications(): string[] {
    return this.#person.notifications().map(({ text }) => text);
  }

  async forges(card: ChatCard, id: string, value?: string): Promise<void> {
    // A button of another bot is left to that one, which is not there.
    if (/^v1:(?!st:)/.test(id)) this.#world.discord.expectFailedPress({ maybe: true });
    const values = value === undefined ? {} : { values: [value] };
    taken(await this.#person.forges(ours(card).message, { customId: id, ...values }));
  }

  async leaves(room: ChatRoom): Promise<void> {
    ourRoom(room).channel.kicks(this.#person);
  }
}

export const actorOf = (person: Person, world: World): ChatPerson => new Actor(person, world);

function ours(on: object): SeenCard {
  if (on instanceof SeenCard) return on;
  throw new Error("that does not stand in Discord");
}

function ourRoom(room: ChatRoom): Room {
  if (room instanceof Room) return room;
  throw new Error("that room is not in Discord");
}

function written(said: ChatSaid): Said {
  if (said instanceof Said) return said;
  throw new Error("that was not written in Discord");
}

/** Choosing what is shown already sends nothing, which is nobody's fault. */
function taken(deed: Deed): void {
  if (deed.kind === "failed") throw new Error(`nothing came of it: ${deed.reason}`);
}
