/** What stands in Slack, as people read it. */
import type { ChatCard, ChatForm, ChatSaid, Sign } from "../conformance/chat-stage.ts";
import { controlsOf, labelOf } from "../doubles/slack/controls.ts";
import { drawMessage } from "../doubles/slack/draw.ts";
import type { Channel, Message, Workspace } from "../doubles/slack/index.ts";
import type { Modal } from "../doubles/slack/person.ts";
import { optionsOf } from "../doubles/slack/text-objects.ts";
import { isJson, type Json, record, str } from "../doubles/slack/wire.ts";

/** A message of the bot's, in a channel or for one person only. */
export class SeenCard implements ChatCard {
  readonly message: Message;
  readonly #acme: Workspace;

  constructor(message: Message, acme: Workspace) {
    this.message = message;
    this.#acme = acme;
  }

  get gone(): boolean {
    return this.message.gone !== false;
  }

  get isReply(): boolean {
    return this.message.threadTs !== null;
  }

  get text(): string {
    if (this.gone) return "";
    return drawMessage(this.message, { team: this.#acme.team, user: null });
  }

  get url(): string {
    const { channel, ts, threadTs } = this.message;
    const inThread = threadTs === null ? "" : `?thread_ts=${threadTs}&cid=${channel}`;
    return `${this.#acme.url}archives/${channel}/p${ts.replace(".", "")}${inThread}`;
  }

  get buttons(): string[] {
    return this.#controls()
      .filter(({ type }) => type === "button")
      .map(({ element }) => buttonLabel(element));
  }

  get links(): { label: string; url: string }[] {
    return linksIn(this.gone ? [] : this.message.blocks);
  }

  get ids(): string[] {
    return this.#controls().map(({ actionId }) => actionId);
  }

  idOf(label: string): string {
    const found = this.#controls().find(
      ({ element }) =>
        buttonLabel(element) === label || optionsOf(element).some((one) => saysOption(labelOf(one), label)),
    );
    if (found === undefined) throw new Error(`nothing says ${label} there:\n${this.text}`);
    return found.actionId;
  }

  #controls() {
    return this.gone ? [] : controlsOf(this.message.blocks);
  }
}

const buttonLabel = (element: Json): string => str(record(element.text).text);

/** Does an option say this, after its number? */
export const saysOption = (option: string, label: string): boolean =>
  option === label || option.replace(/^\d+ /, "") === label;

function linksIn(value: unknown): { label: string; url: string }[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (!isJson(value)) return [];
  const own =
    value.type === "link" ? [{ label: str(value.text) || str(value.url), url: str(value.url) }] : [];
  return [...own, ...Object.values(value).flatMap(linksIn)];
}

const SIGNS: { [reaction: string]: Sign } = { eyes: "kept", white_check_mark: "delivered" };

/** A message that a person wrote. */
export class Said implements ChatSaid {
  readonly channel: Channel;
  readonly ts: string;
  readonly #whispered: () => readonly Message[];

  /** `whispered`: what its author alone can see there. */
  constructor(channel: Channel, ts: string, whispered: () => readonly Message[]) {
    this.channel = channel;
    this.ts = ts;
    this.#whispered = whispered;
  }

  /** As it stands. */
  get message(): Message {
    const message = this.channel.room.byTs.get(this.ts);
    if (message === undefined) throw new Error(`nothing was written at ${this.ts}`);
    return message;
  }

  get signs(): Sign[] {
    const reacted = this.message.reactions.flatMap(({ name }) => SIGNS[name] ?? []);
    return this.offer === undefined ? reacted : [...reacted, "offered"];
  }

  /** What offers to make it the answer. */
  get offer(): Message | undefined {
    const { threadTs } = this.message;
    return this.#whispered().find(
      (word) =>
        word.threadTs === threadTs &&
        word.ts > this.ts &&
        controlsOf(word.blocks).some(({ actionId }) => actionId.includes(":use:")),
    );
  }
}

export const seenForm = ({ title, blocks, errors }: Modal): ChatForm => ({
  title,
  fields: controlsOf(blocks).map(({ label, element }) => ({
    label: label ?? "",
    value: str(element.initial_value),
    options: optionsOf(element).map(labelOf),
  })),
  complaint: Object.values(errors).join("\n"),
});

/** The bot's messages, each root with its replies behind it. */
export const postsIn = (channel: Channel, { bot }: Pick<Workspace, "bot">): Message[] =>
  channel
    .messages()
    .flatMap((root) => [root, ...channel.thread(root.ts)])
    .filter(({ user, files }) => user === bot.id && files.length === 0);
