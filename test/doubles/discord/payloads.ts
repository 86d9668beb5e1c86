/** People, messages and the application as they go over the wire. */
import type { Hub } from "./hub.ts";
import { FLAGS, TYPES } from "./limits.ts";
import type { App, Attachment, Guild, Message, User } from "./model.ts";
import { roleIdOf, roomJson } from "./places.ts";
import { compact, type Json } from "./wire.ts";

/** The flags of an app in few servers; those without LIMITED come with Discord's review. */
const PRESENCES_LIMITED = 1 << 13;
const MEMBERS_LIMITED = 1 << 15;
const CONTENT_LIMITED = 1 << 19;

const IS_GUEST = 1 << 4;

export const iso = (at: number): string => new Date(at).toISOString().replace("Z", "000+00:00");

export const userJson = (user: User): Json => ({
  id: user.id,
  username: user.name.toLowerCase().replaceAll(" ", "."),
  discriminator: user.bot ? "0001" : "0",
  global_name: user.bot ? null : user.name,
  avatar: null,
  bot: user.bot,
  public_flags: 0,
});

export const memberJson = (guild: Guild, user: User): Json => ({
  nick: null,
  avatar: null,
  roles: user.bot ? [roleIdOf(guild)] : [],
  joined_at: iso(Date.UTC(2026, 0, 1)),
  premium_since: null,
  deaf: false,
  mute: false,
  flags: user.guest ? IS_GUEST : 0,
  pending: user.pending,
  communication_disabled_until: null,
});

/** Who reads a message: without the intent, content stays blank. */
export interface Reader {
  bot: User;
  content: boolean;
}

export function messageJson(message: Message, hub: Hub, { bot, content }: Reader): Json {
  const room = hub.rooms.get(message.channel);
  const open = content || message.author === bot || room?.kind === "dm" || message.mentions.includes(bot);
  const { only, interaction, reference } = message;
  return compact({
    id: message.id,
    channel_id: message.channel,
    type: message.type,
    author: userJson(message.author),
    content: open ? message.content : "",
    embeds: open ? message.embeds : [],
    components: open ? message.components : [],
    attachments: open ? message.attachments.map((one) => attachmentJson(one, message.channel, hub)) : [],
    timestamp: iso(message.at),
    edited_timestamp: message.editedAt === null ? null : iso(message.editedAt),
    flags:
      message.flags | (message.thread === null ? 0 : FLAGS.hasThread) | (only === null ? 0 : FLAGS.ephemeral),
    tts: false,
    pinned: false,
    mention_everyone: message.mentionsEveryone,
    mentions: message.mentions.map(userJson),
    mention_roles: [],
    nonce: message.nonce ?? undefined,
    application_id: message.interaction === null ? undefined : hub.app.id,
    webhook_id: message.interaction === null ? undefined : hub.app.id,
    interaction_metadata:
      interaction === null
        ? undefined
        : {
            id: interaction.id,
            type: interaction.type,
            user: userJson(interaction.user),
            authorizing_integration_owners: { "0": room?.guild?.id ?? "0" },
          },
    reactions: reactionsOf(message, bot),
    message_reference:
      reference === null
        ? undefined
        : compact({
            type: 0,
            channel_id: reference.channel,
            message_id: reference.id,
            guild_id: room?.guild?.id,
          }),
    referenced_message: referenced(message, hub, { bot, content }),
    thread: message.thread === null ? undefined : roomJson(message.thread, hub),
  });
}

function referenced({ type, reference }: Message, hub: Hub, reader: Reader): Json | null | undefined {
  if (reference === null || (type !== TYPES.reply && type !== TYPES.starter)) return undefined;
  const found = hub.rooms.get(reference.channel)?.log.find((one) => one.id === reference.id && !one.gone);
  return found === undefined ? null : messageJson({ ...found, reference: null }, hub, reader);
}

const reactionsOf = ({ reactions }: Message, bot: User): Json[] | undefined =>
  reactions.length === 0
    ? undefined
    : reactions.map(({ emoji, users }) => ({
        emoji: { id: null, name: emoji },
        count: users.length,
        count_details: { burst: 0, normal: users.length },
        me: users.includes(bot.id),
        me_burst: false,
        burst_colors: [],
      }));

export const attachmentUrl = ({ id, filename }: Attachment, channel: string, hub: Hub): string =>
  `${hub.origin()}/attachments/${channel}/${id}/${encodeURIComponent(filename)}`;

const attachmentJson = (one: Attachment, channel: string, hub: Hub): Json =>
  compact({
    id: one.id,
    filename: one.filename,
    size: one.content.length,
    url: attachmentUrl(one, channel, hub),
    proxy_url: attachmentUrl(one, channel, hub),
    content_type: one.contentType,
    description: one.description ?? undefined,
  });

/** The application with the flags for what the portal grants. */
export const appJson = (app: App): Json => ({
  id: app.id,
  name: app.name,
  icon: null,
  description: "",
  bot_public: false,
  bot_require_code_grant: false,
  summary: "",
  verify_key: "00",
  owner: userJson(app.bot),
  team: null,
  bot: userJson(app.bot),
  flags:
    (app.granted.messageContent ? CONTENT_LIMITED : 0) |
    (app.granted.members ? MEMBERS_LIMITED : 0) |
    (app.granted.presences ? PRESENCES_LIMITED : 0),
});
