/** What stands in Discord, and how it looks. */
import { fileName, renderCard } from "../../src/adapters/discord/render.ts";
import type { Card } from "../../src/core/card.ts";
import type { Discord, Message } from "../doubles/discord/index.ts";
import { FLAGS, TYPES } from "../doubles/discord/limits.ts";
import { isJson, str } from "../doubles/discord/wire.ts";
import { standing } from "../support/discord-seen.ts";
import { stripped, under } from "./chat-looks.ts";
import type { Platform, Post, Sign } from "./chat-platform.ts";

type Scene = "standing" | "says" | "look" | "drawn" | "somewhere" | "linked" | "signs" | "numbers";

export function sceneOf(discord: Discord): Pick<Platform, Scene> {
  const of = (post: Post) => messageOf(discord, post);
  return {
    standing: ({ id }) =>
      standing(discord.room(id))
        .filter((message) => isPost(discord, message))
        .map(({ channel, id: message }) => ({ room: channel, id: message })),
    says: (post) => textIn(of(post)),
    look(post) {
      const root = rootOf(discord, of(post));
      return under(root && seen(root), seen(of(post)));
    },
    drawn: (card, root) => under(root === null ? undefined : drawn(root), drawn(card)),
    somewhere: "https://discord.com/channels/100/1000000000000000000/1000000000000000000",
    linked: (post) => [...textIn(of(post)).matchAll(LINK)].map(([, id]) => id ?? ""),
    signs: (said) => of(said).reactions.map(({ emoji }) => SIGNS[emoji] ?? emoji),
    numbers: ({ id }) => numbersIn(discord, id),
  };
}

/** Not what Discord says in the bot's name. */
const isPost = ({ bot }: Discord, { author, type }: Message): boolean =>
  author.id === bot.id && (type === TYPES.plain || type === TYPES.reply);

const textIn = ({ content, components }: Message): string => JSON.stringify([content, components]);

/** The message that a thread hangs on, or that is replied to. */
function rootOf(discord: Discord, { channel, reference }: Message): Message | undefined {
  const { room, id } = discord.room(channel);
  const log = room.parent === null ? room.log : room.parent.log;
  const root = room.parent === null ? reference?.id : id;
  return log.find((one) => one.id === root);
}

function drawn(card: Card): string {
  const [part] = card.parts;
  if (part?.kind === "file") return `file ${fileName(part.name)} ${part.text}`;
  return bare(renderCard({ ...card, mention: [] }).components);
}

/** Words that have not become a card yet are none. */
function seen({ attachments, flags, content, components }: Message): string {
  const [file] = attachments;
  if (file !== undefined) return `file ${file.filename} ${file.content.toString()}`;
  return (flags & FLAGS.componentsV2) === 0 ? `words ${content}` : bare(components);
}

/** Where a link leads is looked at apart. */
const LINK = /https:\/\/discord\.com\/channels\/[\w@]+\/\d+\/(\d+)/g;
const FILLED_IN = new Set(["id"]);
/** Whom a post called stands before its words. */
const MENTIONS = /^(?:<@\d+> ?)+\n?/;

/** Components without their numbers, and without mentions, which belong to a first post only. */
function bare(components: readonly unknown[]): string {
  const [first, ...others] = components.map((one) => stripped(one, FILLED_IN));
  const called = isJson(first) && typeof first.content === "string";
  const head = called ? { ...first, content: str(first.content).replace(MENTIONS, "") } : first;
  return JSON.stringify([head, ...others]).replaceAll(LINK, "there");
}

const SIGNS: { [emoji: string]: Sign } = { "👀": "kept", "✅": "delivered" };

/** Of all calls that posted something: Discord itself remembers a number for some minutes only. */
const numbersIn = ({ calls, room }: Discord, id: string): string[] =>
  calls.flatMap(({ method, channel, args, error }) => {
    const isThere = channel !== null && (channel === id || room(channel).room.parent?.id === id);
    return method === "POST /channels/:channel/messages" && error === null && isThere
      ? String(args.nonce)
      : [];
  });

export function messageOf(discord: Discord, { room, id }: Post): Message {
  const message = discord.room(room).room.log.find((one) => one.id === id);
  if (message === undefined) throw new Error(`nothing stood at ${id}`);
  return message;
}
