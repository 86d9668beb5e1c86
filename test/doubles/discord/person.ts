/** A person in Discord, and what she can do and see. */
import { type Channel, channelOf } from "./channel.ts";
import { type Options, run } from "./commands.ts";
import { addReaction, change, directRoom, post, remove, removeAll, removeReaction } from "./deeds.ts";
import { isThread } from "./hub.ts";
import type { Deed, Who } from "./interactions.ts";
import { ALL, calledBy } from "./mentions.ts";
import { type Filled, type Modal, type Submitted, shownModal, submit } from "./modals.ts";
import type { Message, Notification, Room } from "./model.ts";
import { may, type Permission } from "./permissions.ts";
import { openThread } from "./threads.ts";
import { choose, forge, press, type Seen, seen, type Target } from "./using.ts";

export interface Typing {
  /** The id of the message to reply to. */
  replyTo?: string;
  files?: { name: string; mimetype: string; content?: string }[];
}

export interface Person {
  readonly id: string;
  readonly name: string;
  /** What she did and Discord said had failed. */
  readonly failedPresses: readonly string[];
  /** The direct channel with the bot. */
  dm(): Channel;
  /** Refuses direct messages from the bot, or takes them again. */
  closesDms(closed?: boolean): void;
  /** Presses the one button that says this. Resolves once the bot answered or Discord gave up; throws where there is no such button now. */
  presses(on: Message, what: string | Target): Promise<Deed>;
  /** Picks these in the one select that has options starting so: the whole choice, not one more. */
  chooses(on: Message, ...what: (string | Target)[]): Promise<Deed>;
  /** Sends a press with any id, whatever stands there, as no client does. */
  forges(on: Message, what: { customId: string; values?: string[] }): Promise<Deed>;
  /** Each control as it looks to her. */
  sees(on: Message): Seen[];
  /** The modal on her screen. */
  modal(): Modal | null;
  /** Fills in and submits it; nothing is sent while the client itself objects. */
  submits(filled?: Filled): Promise<Submitted>;
  /** Closes it; nobody hears of that. */
  dismisses(): void;
  /** Writes a message, and gives its id. `<@id>` calls somebody. */
  types(channel: Channel, text: string, how?: Typing): Promise<string>;
  edits(channel: Channel, id: string, text: string): Promise<void>;
  deletes(channel: Channel, id: string): Promise<void>;
  /** Deletes several messages at once, whosoever they are: for those who manage messages. */
  sweeps(channel: Channel, ids: string[]): Promise<void>;
  reacts(channel: Channel, id: string, emoji: string): Promise<void>;
  unreacts(channel: Channel, id: string, emoji: string): Promise<void>;
  /** Opens a thread on a message. */
  opensThread(channel: Channel, id: string, name: string): Promise<Channel>;
  /** Runs a slash command: `askgate list`. Gives what answered it, or null. */
  runs(command: string, channel: Channel, options?: Options): Promise<Message | null>;
  /** What only she sees in a channel. */
  ephemerals(channel: Channel): Message[];
  notifications(): readonly Notification[];
}

export function personOf(who: Who): Person {
  const { hub, user } = who;
  return {
    id: user.id,
    name: user.name,
    get failedPresses() {
      return user.failedPresses;
    },
    dm: () => channelOf(hub, directRoom(hub, user)),
    closesDms: (closed = true) => {
      user.closed = closed;
    },
    presses: async (on, what) => press(who, on, what),
    chooses: async (on, ...what) => choose(who, on, what),
    forges: async (on, what) => forge(who, on, what),
    sees: (on) => seen(who, on),
    modal: () => (user.modal === null ? null : shownModal(user.modal)),
    submits: async (filled = {}) => submit(who, filled),
    dismisses: () => {
      user.modal = null;
    },
    types: async (channel, text, how = {}) => type(who, visible(who, channel), text, how),
    edits: async (channel, id, text) => edit(who, visible(who, channel), id, text),
    deletes: async (channel, id) => remove(hub, own(who, visible(who, channel), id)),
    sweeps: async (channel, ids) => sweep(who, channel, ids),
    reacts: async (channel, id, emoji) => react(who, visible(who, channel), { id, emoji }),
    unreacts: async (channel, id, emoji) => unreact(who, visible(who, channel), { id, emoji }),
    opensThread: async (channel, id, name) => {
      const room = visible(who, channel);
      return channelOf(hub, openThread(hub, room, { owner: user, name, message: there(room, id) }));
    },
    runs: async (command, channel, options = {}) => run(who, visible(who, channel), command, options),
    ephemerals: ({ id }) => user.ephemerals.filter((one) => one.channel === id && !one.gone),
    notifications: () => user.notifications,
  };
}

function visible({ user }: Who, { room }: Channel): Room {
  if (room.deleted) throw new Error(`${room.name} is deleted`);
  if (!may(user, room, "VIEW_CHANNEL")) throw new Error(`${user.name} does not see ${room.name}`);
  return room;
}

function allowed(who: Who, channel: Channel, permission: Permission): Room {
  const room = visible(who, channel);
  if (!may(who.user, room, permission)) throw new Error(`${who.user.name} has no ${permission} there`);
  return room;
}

function sweep(who: Who, channel: Channel, ids: string[]): void {
  const room = allowed(who, channel, "MANAGE_MESSAGES");
  const messages = ids.map((id) => there(room, id));
  removeAll(who.hub, room, messages);
}

interface Reaction {
  /** Of the message. */
  id: string;
  emoji: string;
}

function react({ hub, user }: Who, room: Room, { id, emoji }: Reaction): void {
  const message = there(room, id);
  const fresh = !message.reactions.some((one) => one.emoji === emoji);
  if (fresh && !may(user, room, "ADD_REACTIONS")) throw new Error(`${user.name} has no ADD_REACTIONS there`);
  addReaction(hub, room, message, user, emoji);
}

function unreact({ hub, user }: Who, room: Room, { id, emoji }: Reaction): void {
  if (!removeReaction(hub, room, there(room, id), user, emoji))
    throw new Error(`${user.name} did not react with ${emoji}`);
}

function type({ hub, user }: Who, room: Room, text: string, { replyTo, files = [] }: Typing): string {
  const permission = isThread(room) ? "SEND_MESSAGES_IN_THREADS" : "SEND_MESSAGES";
  if (room.locked || !may(user, room, permission))
    throw new Error(`${user.name} cannot write in ${room.name}`);
  if (replyTo !== undefined) there(room, replyTo);
  const attachments = files.map(({ name, mimetype, content = "" }) => ({
    id: hub.id(),
    filename: name,
    description: null,
    contentType: mimetype,
    content: Buffer.from(content),
  }));
  const reference = replyTo === undefined ? null : { channel: room.id, id: replyTo };
  return post(hub, room, { author: user, content: text, reference, attachments }).id;
}

function there(room: Room, id: string): Message {
  const message = room.log.find((one) => one.id === id && !one.gone);
  if (message === undefined) throw new Error(`nothing stands at ${id}`);
  return message;
}

function own({ user }: Who, room: Room, id: string): Message {
  const message = there(room, id);
  if (message.author !== user) throw new Error(`${user.name} did not write ${id}`);
  return message;
}

function edit(who: Who, room: Room, id: string, text: string): void {
  const message = own(who, room, id);
  if (room.archived) throw new Error(`${room.name} is archived`);
  message.mentions = calledBy(who.hub, text, who.user, room, ALL).users;
  change(who.hub, message, { content: text });
}
