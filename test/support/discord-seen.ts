/** What stands in Discord, as people read it. */
import type { ChatCard, ChatForm, ChatSaid, Sign } from "../conformance/chat-stage.ts";
import { flat } from "../doubles/discord/components.ts";
import { buttonsOf, type Control, labelsOf, selectsOf } from "../doubles/discord/controls.ts";
import type { Channel, Discord, Guild, Message } from "../doubles/discord/index.ts";
import { FLAGS, TYPES } from "../doubles/discord/limits.ts";
import { type Link, readMarkdown } from "../doubles/discord/markdown.ts";
import { textOf } from "../doubles/discord/mentions.ts";
import type { Modal } from "../doubles/discord/modals.ts";
import { str } from "../doubles/discord/wire.ts";

/** A server and the Discord it is on. */
export interface World {
  acme: Guild;
  discord: Discord;
}

/** A message of the bot's, for all or for one person only. */
export class SeenCard implements ChatCard {
  readonly message: Message;
  readonly #discord: Discord;

  constructor(message: Message, { discord }: World) {
    this.message = message;
    this.#discord = discord;
  }

  get gone(): boolean {
    return this.message.gone;
  }

  get #channel(): Channel {
    return this.#discord.room(this.message.channel);
  }

  get isReply(): boolean {
    const { kind, parent } = this.#channel.room;
    return parent !== null || (kind === "dm" && this.message.reference !== null);
  }

  /** Without whose it is, and what it replies to. */
  get text(): string {
    if (this.gone) return "";
    const picture = this.#channel.picture(this.message).replace(/^┌ .*\n/, "");
    return picture.slice(this.#discord.bot.name.length + 2);
  }

  get url(): string {
    const { id, room } = this.#channel;
    return `https://discord.com/channels/${room.guild?.id ?? "@me"}/${id}/${this.message.id}`;
  }

  get buttons(): string[] {
    return this.#controls(buttonsOf).map(({ label }) => label);
  }

  get links(): Link[] {
    if (this.gone) return [];
    const { content, components } = this.message;
    const buttons = flat(components).filter(({ url }) => typeof url === "string");
    return [
      ...readMarkdown(textOf(content, components), (id) => id).links,
      ...buttons.map(({ label, url }) => ({ label: str(label), url: str(url) })),
    ];
  }

  get ids(): string[] {
    return [...this.#controls(selectsOf), ...this.#controls(buttonsOf)].map(({ customId }) => customId);
  }

  idOf(label: string): string {
    const found = [
      ...this.#controls(buttonsOf).filter((button) => button.label === label),
      ...this.#controls(selectsOf).filter((menu) => labelsOf(menu).some((one) => saysOption(one, label))),
    ][0];
    if (found === undefined) throw new Error(`nothing says ${label} there:\n${this.text}`);
    return found.customId;
  }

  /** A button that only leads elsewhere sends nothing. */
  #controls(those: (message: Message) => Control[]): Control[] {
    return this.gone ? [] : those(this.message).filter(({ customId }) => customId !== "");
  }
}

/** What an option says, without its number and its star. */
export const optionWords = (label: string): string => label.replace(/^(?:★ )?\d+ /, "").replace(/ ★$/, "");

export const saysOption = (option: string, label: string): boolean =>
  option === label || optionWords(option) === label;

const SIGNS: { [emoji: string]: Sign } = { "👀": "kept", "✅": "delivered", "❔": "offered" };
export const OFFER = "❔";

/** A message that a person wrote. */
export class Said implements ChatSaid {
  readonly channel: Channel;
  readonly id: string;
  readonly #bot: string;

  constructor(channel: Channel, id: string, { discord }: World) {
    this.channel = channel;
    this.id = id;
    this.#bot = discord.bot.id;
  }

  /** As it stands. */
  get message(): Message {
    const message = this.channel.room.log.find(({ id }) => id === this.id);
    if (message === undefined) throw new Error(`nothing was written at ${this.id}`);
    return message;
  }

  get signs(): Sign[] {
    return this.message.reactions
      .filter(({ users }) => users.includes(this.#bot))
      .flatMap(({ emoji }) => SIGNS[emoji] ?? []);
  }
}

export const seenForm = ({ title, inputs }: Modal, complaint: string): ChatForm => ({
  title,
  fields: inputs.map(({ label, value, options }) => ({
    label,
    value: typeof value === "string" ? value : "",
    options,
  })),
  complaint,
});

/** Everything that stands in a channel, each message with its thread behind it; threads outlive what they hang on. */
export const standing = (channel: Channel): Message[] =>
  channel.room.log
    .flatMap((root) => [root, ...(channel.thread(root.id)?.room.log ?? [])])
    .filter(({ gone }) => !gone);

/** The bot's cards: not what Discord says in its name, and not what only brings a file. */
export const postsIn = (channel: Channel, { discord }: World): Message[] =>
  standing(channel).filter(
    (message) =>
      message.author.id === discord.bot.id &&
      (message.type === TYPES.plain || message.type === TYPES.reply) &&
      (message.flags & FLAGS.loading) === 0 &&
      isWhole(message) &&
      !(message.attachments.length > 0 && bringsOnlyFiles(message)),
  );

/** What goes out as words first, for the notification, becomes a card when it gets its components. */
const isWhole = ({ flags, attachments }: Message): boolean =>
  (flags & FLAGS.componentsV2) !== 0 || attachments.length > 0;

export const bringsOnlyFiles = ({ content, components }: Pick<Message, "content" | "components">): boolean =>
  textOf(content, components).trim() === "";
