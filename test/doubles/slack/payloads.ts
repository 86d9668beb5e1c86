/** How things look on the wire. */
import type { Message, Room, StoredFile, Team, User, View } from "./model.ts";
import { compact, type Json } from "./wire.ts";

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What a client sends for typed text: escaped, except mentions; addresses become links. */
export const composed = (text: string): string =>
  text
    .split(/(<[@#!][^>\s]+>|https?:\/\/[^\s<>]+)/)
    .map((part, index) => {
      if (index % 2 === 0) return escaped(part);
      return part.startsWith("<") ? part : `<${escaped(part)}>`;
    })
    .join("");

export function messageJson(team: Team, room: Room, message: Message, metadata = false): Json {
  const replies = room.threads.get(message.ts) ?? [];
  const users = [...new Set(replies.map((reply) => reply.user))];
  const tombstone = message.gone === "tombstone";
  return compact({
    type: "message",
    subtype: tombstone ? "tombstone" : undefined,
    hidden: tombstone || undefined,
    user: tombstone ? "USLACKBOT" : message.user,
    bot_id: message.botId ?? undefined,
    app_id: appOf(team, message),
    bot_profile: message.botId === team.botId && !tombstone ? botProfile(team) : undefined,
    ts: message.ts,
    text: tombstone ? "This message was deleted." : message.text,
    team: team.id,
    blocks: tombstone || message.blocks.length === 0 ? undefined : message.blocks,
    metadata: metadata ? (message.metadata ?? undefined) : undefined,
    edited: message.edited ?? undefined,
    files: message.files.length === 0 ? undefined : message.files.map((file) => fileJson(team, file)),
    upload: message.files.length === 0 ? undefined : false,
    reactions: message.reactions.length === 0 ? undefined : message.reactions.map(reactionJson),
    thread_ts: message.threadTs ?? (replies.length > 0 ? message.ts : undefined),
    parent_user_id: parentUser(room, message),
    ...(replies.length > 0
      ? {
          reply_count: replies.length,
          reply_users_count: users.length,
          reply_users: users.slice(0, 5),
          latest_reply: replies.at(-1)?.ts,
          is_locked: false,
          subscribed: false,
        }
      : {}),
  });
}

function appOf(team: Team, { botId }: Message): string | undefined {
  if (botId === null) return undefined;
  return botId === team.botId ? team.app.id : "A0OTHER";
}

function parentUser(room: Room, message: Message): string | undefined {
  return message.threadTs === null ? undefined : room.byTs.get(message.threadTs)?.user;
}

const botProfile = (team: Team): Json => ({
  id: team.botId,
  app_id: team.app.id,
  name: team.bot.name,
  deleted: false,
  team_id: team.id,
});

const reactionJson = ({ name, users }: Message["reactions"][number]): Json => ({
  name,
  users: [...users],
  count: users.length,
});

export const fileJson = (team: Team, file: StoredFile): Json => ({
  id: file.id,
  name: file.name,
  title: file.title,
  mimetype: file.mimetype,
  filetype: file.name.includes(".") ? file.name.slice(file.name.lastIndexOf(".") + 1) : "text",
  user: file.user,
  user_team: team.id,
  size: file.size,
  mode: "hosted",
  is_external: false,
  is_public: false,
  url_private: `https://files.slack.com/files-pri/${team.id}-${file.id}/${encodeURIComponent(file.name)}`,
  permalink: `https://${team.domain}.slack.com/files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
});

/** `locale` comes only to those who ask for it. */
export const userJson = (user: User, withLocale = false): Json =>
  compact({
    id: user.id,
    team_id: user.teamId,
    name: user.name.toLowerCase().replaceAll(" ", "."),
    real_name: user.name,
    deleted: user.deleted,
    is_bot: user.bot,
    is_restricted: user.guest,
    is_ultra_restricted: false,
    is_stranger: user.external || undefined,
    is_app_user: false,
    is_admin: false,
    is_owner: false,
    locale: withLocale ? user.locale : undefined,
    tz: "Etc/UTC",
    tz_offset: 0,
    updated: 0,
    profile: compact({
      real_name: user.name,
      display_name: user.name,
      real_name_normalized: user.name,
      display_name_normalized: user.name,
      email: user.email ?? undefined,
      team: user.teamId,
    }),
  });

export const roomJson = (room: Room, team: Team): Json =>
  room.kind === "im"
    ? {
        id: room.id,
        created: 0,
        is_im: true,
        is_org_shared: false,
        is_archived: room.archived,
        user: [...room.members.keys()].find((id) => id !== team.bot.id),
        context_team_id: team.id,
      }
    : {
        id: room.id,
        name: room.name,
        name_normalized: room.name,
        is_channel: room.kind === "channel",
        is_group: room.kind === "group",
        is_im: false,
        is_mpim: false,
        is_private: room.kind === "group",
        created: 0,
        is_archived: room.archived,
        is_general: false,
        is_shared: false,
        is_ext_shared: false,
        is_org_shared: false,
        is_member: room.members.has(team.bot.id),
        context_team_id: team.id,
        topic: { value: "", creator: "", last_set: 0 },
        purpose: { value: "", creator: "", last_set: 0 },
      };

export const viewJson = (team: Team, view: View, values: Json): Json => ({
  id: view.id,
  team_id: team.id,
  type: "modal",
  private_metadata: "",
  callback_id: "",
  close: null,
  submit: null,
  external_id: "",
  clear_on_close: false,
  notify_on_close: false,
  ...view.body,
  blocks: view.blocks,
  state: { values },
  hash: view.hash,
  previous_view_id: view.previousId,
  root_view_id: view.rootId,
  app_id: team.app.id,
  app_installed_team_id: team.id,
  bot_id: team.botId,
});
