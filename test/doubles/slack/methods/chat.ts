/** chat.*: posting, changing and deleting messages. */
import { change, type Place, post, remove, rootFor, whisper } from "../deeds.ts";
import type { Message, Room, Team } from "../model.ts";
import { messageJson } from "../payloads.ts";
import { Refusal } from "../refusal.ts";
import type { Json } from "../wire.ts";
import { directRoom } from "../world.ts";
import { checkedBlocks, checkedContent, checkedMetadata, checkedText } from "./content.ts";
import {
  type Asked,
  arg,
  knownMessage,
  knownRoom,
  knownUser,
  type Method,
  memberRoom,
  method,
} from "./method.ts";

const content = {
  channel: arg.must,
  text: arg.text,
  blocks: arg.json,
  link_names: arg.flag,
  parse: arg.text,
};

const postMessage = method(
  ["chat:write"],
  {
    ...content,
    metadata: arg.json,
    thread_ts: arg.text,
    reply_broadcast: arg.flag,
    unfurl_links: arg.flag,
    unfurl_media: arg.flag,
    mrkdwn: arg.flag,
  },
  (asked, args) => {
    const { hub, team } = asked;
    const room = writable(team, args.channel);
    const threadTs = threadOf(room, args.thread_ts);
    const message = post(
      hub,
      { team, room },
      {
        user: team.bot,
        botId: team.botId,
        ...checkedContent(hub, args),
        metadata: checkedMetadata(args.metadata),
        threadTs,
      },
    );
    return { channel: room.id, ts: message.ts, message: messageJson(team, room, message, true) };
  },
);

/** Where the bot may write: a channel it is in, or a person, which means the direct channel. */
function writable(team: Team, id: string): Room {
  const person = team.users.get(id);
  const room = person === undefined || person.bot ? memberRoom(team, id) : directRoom(team, person);
  if (room.archived) throw new Refusal("is_archived");
  return room;
}

function threadOf(room: Room, threadTs: string | undefined): string | null {
  if (threadTs === undefined) return null;
  const root = rootFor(room, threadTs);
  if (typeof root === "string") throw new Refusal(root);
  return root.ts;
}

const update = method(
  ["chat:write"],
  { ...content, ts: arg.must, metadata: arg.json, reply_broadcast: arg.flag, as_user: arg.flag },
  ({ hub, team }, args) => {
    const room = memberRoom(team, args.channel);
    if (room.archived) throw new Refusal("is_archived");
    const message = knownMessage(room, args.ts);
    if (message.user !== team.bot.id) throw new Refusal("cant_update_message");
    const to = changesOf({ hub, team }, message, args);
    const edited = { user: team.bot.id, ts: `${Math.floor(hub.now() / 1000)}.000000` };
    change(hub, { team, room }, message, { ...to, edited });
    return {
      channel: room.id,
      ts: message.ts,
      text: message.text,
      message: messageJson(team, room, message, true),
    };
  },
);

interface Changes {
  text?: string | undefined;
  blocks?: unknown;
  metadata?: unknown;
}

function changesOf({ hub }: Asked, message: Message, args: Changes): Partial<Message> {
  if (args.text === undefined && args.blocks === undefined && args.metadata === undefined)
    throw new Refusal("no_text");
  const to: Partial<Message> = {};
  if (args.text !== undefined) to.text = checkedText(args.text);
  if (args.blocks !== undefined) to.blocks = checkedBlocks(hub, args.blocks);
  else if (message.blocks.length > 0)
    hub.ledger.violation(
      "chat.update without blocks on a message with blocks: sources differ on what becomes of them",
    );
  if (args.metadata !== undefined) to.metadata = checkedMetadata(args.metadata);
  if (to.blocks?.length === 0 && (to.text ?? message.text) === "") throw new Refusal("no_text");
  if (to.blocks !== undefined && to.blocks.length > 0 && isRich(message.blocks) && !isRich(to.blocks))
    throw new Refusal("block_mismatch");
  return to;
}

const isRich = (blocks: Json[]): boolean => blocks.some((block) => block.type === "rich_text");

const deleteMessage = method(
  ["chat:write"],
  { channel: arg.must, ts: arg.must, as_user: arg.flag },
  ({ hub, team }, args) => {
    const room = memberRoom(team, args.channel);
    const message = knownMessage(room, args.ts);
    if (message.user !== team.bot.id) throw new Refusal("cant_delete_message");
    remove(hub, { team, room }, message);
    return { channel: room.id, ts: message.ts };
  },
);

const postEphemeral = method(
  ["chat:write"],
  { ...content, user: arg.must, thread_ts: arg.text },
  ({ hub, team }, args) => {
    const room = memberRoom(team, args.channel);
    if (room.archived) throw new Refusal("is_archived");
    const person = knownUser(team, args.user);
    if (!room.members.has(person.id)) throw new Refusal("user_not_in_channel");
    const threadTs = threadOf(room, args.thread_ts);
    const shown = checkedContent(hub, args);
    const message = whisper(hub, room, person, { user: team.bot, botId: team.botId, ...shown, threadTs });
    return { message_ts: message.ts };
  },
);

const getPermalink = method([], { channel: arg.must, message_ts: arg.must }, ({ team }, args) => {
  const room = knownRoom(team, args.channel);
  const message = knownMessage(room, args.message_ts);
  return { channel: room.id, permalink: permalink({ team, room }, message) };
});

export function permalink({ team, room }: Place, message: Message): string {
  const address = `https://${team.domain}.slack.com/archives/${room.id}/p${message.ts.replace(".", "")}`;
  return message.threadTs === null ? address : `${address}?thread_ts=${message.threadTs}&cid=${room.id}`;
}

export const chat: { [name: string]: Method } = {
  "chat.postMessage": postMessage,
  "chat.update": update,
  "chat.delete": deleteMessage,
  "chat.postEphemeral": postEphemeral,
  "chat.getPermalink": getPermalink,
};
