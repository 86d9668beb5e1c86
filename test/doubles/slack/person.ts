/** A person in a workspace, and what she can do and see. */
import { type Channel, channelOf } from "./channel.ts";
import { addReaction, change, type Place, post, remove, whisper } from "./deeds.ts";
import { linkOf, newHook, newTrigger } from "./hub.ts";
import { type Deed, type Holder, roomName, settle, username, type Who } from "./interactions.ts";
import { checkedContent } from "./methods/content.ts";
import { newFile } from "./methods/files.ts";
import { closeView, type Filled, type Submitted, submit } from "./modals.ts";
import type { Message, Notification, Room } from "./model.ts";
import { composed } from "./payloads.ts";
import { Refusal } from "./refusal.ts";
import { choose, fill, press, type Seen, seen, type Target } from "./using.ts";
import { type Json, record, str } from "./wire.ts";
import { directRoom, standing } from "./world.ts";

/** A modal as it stands on somebody's screen. */
export interface Modal {
  viewId: string;
  title: string;
  submit: string | null;
  close: string | null;
  blocks: Json[];
  /** Under the inputs, by block id. */
  errors: { [blockId: string]: string };
  callbackId: string;
  privateMetadata: string;
}

export interface Typing {
  /** The ts of the root to reply under. */
  thread?: string;
  files?: { name: string; mimetype: string; content?: string }[];
}

export interface Person {
  readonly id: string;
  readonly name: string;
  /** What she pressed and Slack answered with a warning sign. */
  readonly failedPresses: readonly string[];
  /** The direct channel with the bot. */
  dm(): Channel;
  /** Presses the one button that says this. Resolves once the bot acknowledged or Slack gave up; throws where there is no such button now. */
  presses(on: Message | Modal, what: string | Target, how?: { declines?: boolean }): Promise<Deed>;
  /** Picks in the one select, radio group, overflow or checkbox group that has options starting so. */
  chooses(on: Message | Modal, ...what: (string | Target)[]): Promise<Deed>;
  /** Writes into a text input, by its label or block id, without submitting. */
  fills(on: Message | Modal, what: string | Target, value: string): Promise<Deed>;
  /** Each control as it looks to her: her own picks stay until the ids change. */
  sees(on: Message | Modal): Seen[];
  view(): Modal | null;
  /** Fills in and submits the topmost modal; nothing is sent while the client itself objects. */
  submits(filled?: Filled): Promise<Submitted>;
  closesView(): Promise<void>;
  /** Writes a message, and gives its ts. `<@U…>` calls somebody; all else is escaped as a client does. */
  types(channel: Channel, text: string, how?: Typing): Promise<string>;
  edits(channel: Channel, ts: string, text: string): Promise<void>;
  deletes(channel: Channel, ts: string): Promise<void>;
  reacts(channel: Channel, ts: string, name: string): Promise<void>;
  /** Runs a slash command; gives what only she gets to see as an answer, or null. */
  runs(command: string, text: string, channel: Channel): Promise<Message | null>;
  /** What only she sees in a channel. */
  ephemerals(channel: Channel): Message[];
  notifications(): readonly Notification[];
}

export function personOf(who: Who): Person {
  const { hub, team, user } = who;
  const place = (channel: Channel) => placeOf(who, channel);
  return {
    id: user.id,
    name: user.name,
    get failedPresses() {
      return user.failedPresses;
    },
    dm: () => channelOf(hub, team, directRoom(team, user)),
    presses: async (on, what, how) => press(who, holderOf(who, on), what, how),
    chooses: async (on, ...what) => choose(who, holderOf(who, on), what),
    fills: async (on, what, value) => fill(who, holderOf(who, on), what, value),
    sees: (on) => seen(who, holderOf(who, on)),
    view: () => modalOf(who),
    submits: async (filled = {}) => submit(who, filled),
    closesView: () => closeView(who),
    types: async (channel, text, how = {}) => type(who, place(channel), text, how),
    edits: async (channel, ts, text) => edit(who, place(channel), ts, text),
    deletes: async (channel, ts) => remove(who.hub, place(channel), own(who, place(channel).room, ts)),
    reacts: async (channel, ts, name) => {
      addReaction(who.hub, there(place(channel).room, ts), user.id, name);
    },
    runs: async (command, text, channel) => run(who, channel.room, command, text),
    ephemerals: ({ id }) => user.ephemerals.filter((message) => message.channel === id),
    notifications: () => user.notifications,
  };
}

/** What stands there now for her, or an exception: nobody presses what is gone. */
function holderOf({ team, user }: Who, on: Message | Modal): Holder {
  if ("viewId" in on) {
    const view = user.views.at(-1);
    if (view?.id !== on.viewId) throw new Error("that modal is not the one on top");
    return { kind: "view", view };
  }
  const room = team.rooms.get(on.channel);
  const message = on.ephemeral
    ? user.ephemerals.find((one) => one.ts === on.ts && one.channel === on.channel)
    : room && standing(room, on.ts);
  if (room === undefined || message === undefined)
    throw new Error(`the message ${on.ts} is not there any more`);
  if (!room.members.has(user.id)) throw new Error(`${user.name} is not in ${room.name}`);
  return { kind: "message", room, message };
}

function placeOf({ team, user }: Who, { room }: Channel): Place {
  if (!room.members.has(user.id)) throw new Error(`${user.name} is not in ${room.name}`);
  if (room.archived) throw new Error(`${room.name} is archived`);
  return { team, room };
}

function modalOf({ user }: Who): Modal | null {
  const view = user.views.at(-1);
  if (view === undefined) return null;
  const { body } = view;
  const words = (text: unknown) => (text === undefined ? null : str(record(text).text));
  return {
    viewId: view.id,
    title: str(record(body.title).text),
    submit: words(body.submit),
    close: words(body.close),
    blocks: view.blocks,
    errors: view.errors,
    callbackId: str(body.callback_id),
    privateMetadata: str(body.private_metadata),
  };
}

function type({ hub, team, user }: Who, place: Place, text: string, { thread, files = [] }: Typing): string {
  if (thread !== undefined && place.room.byTs.get(thread)?.threadTs !== null)
    throw new Error(`nothing to reply to at ${thread}`);
  const stored = files.map(({ name, mimetype, content = "" }) => {
    const file = newFile(hub, team, user.id, { name, mimetype, size: Buffer.byteLength(content) });
    file.state = "complete";
    file.content = Buffer.from(content);
    return file;
  });
  const botId = user.bot ? `B${user.id.slice(1)}` : null;
  return post(hub, place, { user, botId, text: composed(text), threadTs: thread ?? null, files: stored }).ts;
}

function there(room: Room, ts: string): Message {
  const message = standing(room, ts);
  if (message === undefined) throw new Error(`nothing stands at ${ts}`);
  return message;
}

function own({ user }: Who, room: Room, ts: string): Message {
  const message = there(room, ts);
  if (message.user !== user.id) throw new Error(`${user.name} did not write ${ts}`);
  return message;
}

function edit(who: Who, place: Place, ts: string, text: string): void {
  const edited = { user: who.user.id, ts: `${Math.floor(who.hub.now() / 1000)}.000000` };
  change(who.hub, place, own(who, place.room, ts), { text: composed(text), edited });
}

async function run(who: Who, room: Room, command: string, text: string): Promise<Message | null> {
  const { hub, team, user } = who;
  const before = user.ephemerals.length;
  const ack = await linkOf(hub, team).deliver({
    type: "slash_commands",
    accepts: true,
    label: `${command} of ${user.name}`,
    payload: {
      token: "verification-token",
      team_id: team.id,
      team_domain: team.domain,
      channel_id: room.id,
      channel_name: roomName(room),
      user_id: user.id,
      user_name: username(user),
      command,
      text: composed(text),
      api_app_id: team.app.id,
      is_enterprise_install: "false",
      response_url: newHook(hub, { team, person: user, room, message: null }),
      trigger_id: newTrigger(hub, team, user),
    },
  });
  settle(who, command, ack);
  if (ack.kind === "acked" && Object.keys(ack.payload).length > 0) answered(who, room, ack.payload);
  return user.ephemerals[before] ?? null;
}

/** What a slash command's acknowledgement says. */
function answered({ hub, team, user }: Who, room: Room, payload: Json): void {
  try {
    const shown = checkedContent(hub, { text: str(payload.text), blocks: payload.blocks });
    const given = { user: team.bot, botId: team.botId, ...shown };
    if (payload.response_type === "in_channel") post(hub, { team, room }, given);
    else whisper(hub, room, user, given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    hub.ledger.violation(`the answer to a command was refused: ${[error.code, ...error.details].join("; ")}`);
  }
}
