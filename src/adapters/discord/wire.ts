/** What Discord sends and answers, as far as it is read here: parsed once, at the edge. */
import { z } from "zod";

const id = z.string();
const maybe = z.string().nullish();

export const user = z.object({
  id,
  username: z.string(),
  global_name: maybe,
  bot: z.boolean().nullish(),
});
export type User = z.infer<typeof user>;

/** `permissions` (in an interaction) are those in the channel that it comes from. */
export const member = z.object({
  user: user.nullish(),
  nick: maybe,
  flags: z.number().nullish(),
  pending: z.boolean().nullish(),
  roles: z.array(id).nullish(),
  permissions: maybe,
});
export type Member = z.infer<typeof member>;

const thread = z.object({
  id,
  last_message_id: maybe,
});

export const message = z.object({
  id,
  channel_id: id,
  guild_id: maybe,
  type: z.number(),
  author: user,
  member: member.nullish(),
  content: z.string(),
  edited_timestamp: maybe,
  webhook_id: maybe,
  mentions: z.array(user.extend({ member: member.nullish() })).nullish(),
  attachments: z.array(z.object({ filename: z.string(), content_type: maybe, url: z.string() })).nullish(),
  message_reference: z.object({ type: z.number().nullish(), message_id: maybe, channel_id: maybe }).nullish(),
  components: z.array(z.object({ id: z.number().nullish() })).nullish(),
  thread: thread.nullish(),
});
export type Message = z.infer<typeof message>;

/** A field of a form that was sent. */
const field = z.object({
  type: z.number(),
  custom_id: z.string().optional(),
  value: maybe,
  values: z.array(z.string()).nullish(),
});

/** Components, forms and commands alike. */
export const interaction = z.object({
  id,
  token: z.string(),
  type: z.number(),
  channel_id: maybe,
  channel: z.object({ type: z.number(), parent_id: maybe }).nullish(),
  guild_id: maybe,
  locale: maybe,
  user: user.nullish(),
  member: member.nullish(),
  message: z.object({ id, flags: z.number().nullish() }).nullish(),
  data: z
    .object({
      custom_id: maybe,
      name: maybe,
      component_type: z.number().nullish(),
      values: z.array(z.string()).nullish(),
      components: z.array(z.object({ type: z.number(), component: field.optional() })).nullish(),
    })
    .nullish(),
});
export type Interaction = z.infer<typeof interaction>;

export const deletion = z.object({ id, channel_id: id, guild_id: maybe });
export type Deletion = z.infer<typeof deletion>;
export const deletions = z.object({ ids: z.array(id), channel_id: id, guild_id: maybe });

export const reaction = z.object({
  user_id: id,
  channel_id: id,
  message_id: id,
  guild_id: maybe,
  member: member.nullish(),
  emoji: z.object({ name: maybe }),
});
export type Reaction = z.infer<typeof reaction>;

export const channel = z.object({
  id,
  type: z.number(),
  guild_id: maybe,
  name: maybe,
  parent_id: maybe,
  recipients: z.array(user).nullish(),
});

export type Channel = z.infer<typeof channel>;

/** Kinds of channels: text and announcements can be asked in, direct messages too; the others are threads. */
export const KIND = { text: 0, direct: 1, news: 5, threads: [10, 11, 12] } as const;

export const answers = {
  nothing: z.unknown(),
  message,
  messages: z.array(message),
  channel,
  member,
  members: z.array(member),
  user,
};
