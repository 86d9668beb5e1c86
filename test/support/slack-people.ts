/** What people do in Slack, and the rooms they do it in. */
import type {
  ChatCard,
  ChatForm,
  ChatPerson,
  ChatRoom,
  ChatSaid,
  ChatWord,
} from "../conformance/chat-stage.ts";
import type { Channel, Message, Person, Slack, Workspace } from "../doubles/slack/index.ts";
import type { Deed } from "../doubles/slack/interactions.ts";
import type { Json } from "../doubles/slack/wire.ts";
import { postsIn, Said, SeenCard, saysOption, seenForm } from "./slack-seen.ts";

/** A workspace and the server it is on. */
export interface World {
  acme: Workspace;
  slack: Slack;
}

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
    const { acme } = this.#world;
    return postsIn(this.channel, acme).map((message) => new SeenCard(message, acme));
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
    await this.#world.slack.until(() => those().length > 0);
    const [only, ...others] = those();
    if (only === undefined || others.length > 0) throw new Error(`${others.length + 1} say ${words}`);
    return only;
  }

  files(): { name: string; text: string }[] {
    const all = this.channel.messages().flatMap((root) => [root, ...this.channel.thread(root.ts)]);
    return all.flatMap(({ files }) =>
      files.map(({ name, content }) => ({ name, text: content.toString("utf8") })),
    );
  }
}

export const roomOf = (channel: Channel, to: string, world: World): ChatRoom => new Room(channel, to, world);

class Actor implements ChatPerson {
  readonly name: string;
  readonly id: string;
  readonly account: string;
  readonly #person: Person;
  readonly #world: World;

  constructor(person: Person, world: World) {
    this.name = person.name;
    this.id = `slack:${world.acme.id}/${person.id}`;
    this.account = `slack:${person.id}`;
    this.#person = person;
    this.#world = world;
  }

  async picks(card: ChatCard, ...options: string[]): Promise<void> {
    const [first = ""] = options;
    const { message } = ours(card);
    const menu = this.#menu(message, first);
    if (menu === undefined) return this.presses(card, first);
    const labels = options.flatMap((label) => menu.options.find((one) => saysOption(one, label)) ?? []);
    taken(await this.#person.chooses(message, { actionId: menu.actionId }, ...labels));
  }

  async unpicks(card: ChatCard, option: string): Promise<void> {
    const { message } = ours(card);
    const actionId = this.#menu(message, option)?.actionId ?? "";
    taken(await this.#person.chooses(message, { actionId, values: [] }));
  }

  #menu(message: Message, label: string) {
    return this.#person
      .sees(message)
      .find(({ type, options }) => type !== "button" && options.some((one) => saysOption(one, label)));
  }

  async presses(on: ChatCard | ChatWord, label: string): Promise<void> {
    taken(await this.#person.presses(ours(on).message, label));
  }

  chosen(card: ChatCard, option: string): string[] {
    return (this.#menu(ours(card).message, option)?.chosen ?? []).map((label) => label.replace(/^\d+ /, ""));
  }

  async form(): Promise<ChatForm> {
    await this.#world.slack.until(() => this.#person.view() !== null);
    const view = this.#person.view();
    if (view === null) throw new Error("the form was closed");
    return seenForm(view);
  }

  async sends(fields: Record<string, string>): Promise<boolean> {
    const sent = await this.#person.submits(fields);
    if (sent.kind === "failed") throw new Error(`the form failed: ${sent.reason}`);
    return sent.kind === "closed";
  }

  closes(): Promise<void> {
    return this.#person.closesView();
  }

  writesUnder(card: ChatCard, text: string): Promise<ChatSaid> {
    return this.repliesTo(card, text);
  }

  /** In Slack one answers in the thread, and nowhere else. */
  async repliesTo(to: ChatCard | ChatSaid, text: string): Promise<ChatSaid> {
    const { channel, ts, threadTs } = to instanceof Said ? to.message : ours(to).message;
    const room = this.#world.acme.room(channel);
    return this.#said(room, await this.#person.types(room, text, { thread: threadTs ?? ts }));
  }

  async writes(room: ChatRoom, text: string): Promise<ChatSaid> {
    const { channel } = ourRoom(room);
    return this.#said(channel, await this.#person.types(channel, text));
  }

  #said(channel: Channel, ts: string): Said {
    return new Said(channel, ts, () => this.#person.ephemerals(channel));
  }

  async takesOffer(said: ChatSaid): Promise<void> {
    const { offer } = written(said);
    if (offer === undefined) throw new Error("nothing was offered");
    taken(await this.#person.presses(offer, "Use as my answer"));
  }

  edits(said: ChatSaid, text: string): Promise<void> {
    const { channel, ts } = written(said);
    return this.#person.edits(channel, ts, text);
  }

  deletes(said: ChatSaid): Promise<void> {
    const { channel, ts } = written(said);
    return this.#person.deletes(channel, ts);
  }

  words(room: ChatRoom): ChatWord[] {
    return this.#person
      .ephemerals(ourRoom(room).channel)
      .map((message) => new SeenCard(message, this.#world.acme));
  }

  notifications(): string[] {
    return this.#person.notifications().map(({ text }) => text);
  }

  /** What stands there is another thing for the moment of the press, and so is who is there. */
  async forges(card: ChatCard, id: string, value?: string): Promise<void> {
    const { message } = ours(card);
    const { members } = this.#world.acme.room(message.channel).room;
    const user = this.#world.acme.team.users.get(this.#person.id);
    const { blocks } = message;
    const isMember = members.has(this.#person.id);
    if (user !== undefined) members.set(this.#person.id, user);
    message.blocks = [forged(id, value)];
    const deed =
      value === undefined
        ? this.#person.presses(message, { actionId: id })
        : this.#person.chooses(message, { actionId: id, values: [value] });
    message.blocks = blocks;
    if (!isMember) members.delete(this.#person.id);
    taken(await deed);
  }

  async leaves(room: ChatRoom): Promise<void> {
    ourRoom(room).channel.kicks(this.#person);
  }
}

export const actorOf = (person: Person, world: World): ChatPerson => new Actor(person, world);

const plain = (text: string) => ({ type: "plain_text", text });

const forged = (id: string, value: string | undefined): Json => ({
  type: "actions",
  block_id: "forged",
  elements: [
    value === undefined
      ? { type: "button", action_id: id, text: plain("forged") }
      : { type: "static_select", action_id: id, options: [{ text: plain("forged"), value }] },
  ],
});

function ours(on: object): SeenCard {
  if (on instanceof SeenCard) return on;
  throw new Error("that does not stand in Slack");
}

function ourRoom(room: ChatRoom): Room {
  if (room instanceof Room) return room;
  throw new Error("that room is not in Slack");
}

function written(said: ChatSaid): Said {
  if (said instanceof Said) return said;
  throw new Error("that was not written in Slack");
}

function taken(deed: Deed): void {
  if (deed.kind !== "acked") throw new Error(`nothing came of it: ${JSON.stringify(deed)}`);
}
