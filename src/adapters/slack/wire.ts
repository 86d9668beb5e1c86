/** What Slack sends and answers, as far as it is read here: parsed once, at the edge. */
import { z } from "zod";

/** An envelope, as the Socket Mode client hands it on. */
export interface Incoming {
  /** Sends the acknowledgement; rejects where the socket is gone. */
  ack(payload?: Record<string, unknown>): Promise<void>;
  type: string;
  body: Record<string, unknown>;
  retry_num?: number;
  retry_reason?: string;
}

/** Bolt types an acknowledgement by what it answers; here it is one function for all. */
export const asAck = (ack: unknown): ((answer?: Record<string, unknown>) => Promise<void>) =>
  ack as (answer?: Record<string, unknown>) => Promise<void>;

const said = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), num_connections: z.number() }),
  z.object({ type: z.literal("disconnect"), reason: z.string().optional() }),
]);

/** What a frame says of the socket itself; null for one that carries something. */
export function notice(frame: unknown): z.infer<typeof said> | null {
  if (typeof frame !== "string" || !/"(hello|disconnect)"/.test(frame)) return null;
  try {
    return said.safeParse(JSON.parse(frame)).data ?? null;
  } catch {
    return null;
  }
}

const text = z.string();
const maybe = text.nullish();
const option = z.object({ value: text });

export const blockActions = z.object({
  trigger_id: text,
  user: z.object({ id: text }),
  container: z.object({ message_ts: maybe, channel_id: maybe, thread_ts: maybe }),
  actions: z.array(
    z.object({
      action_id: text,
      action_ts: maybe,
      selected_option: option.nullish(),
      selected_options: z.array(option).nullish(),
    }),
  ),
});
export type BlockActions = z.infer<typeof blockActions>;

export const viewSubmission = z.object({
  user: z.object({ id: text }),
  view: z.object({
    id: text,
    callback_id: text,
    private_metadata: text,
    blocks: z.array(z.object({ type: text, block_id: maybe })),
    state: z.object({
      values: z.record(text, z.record(text, z.object({ value: maybe, selected_option: option.nullish() }))),
    }),
  }),
});
export type ViewSubmission = z.infer<typeof viewSubmission>;

/** Where a form was opened; travels with it. */
export const formPlace = z.object({ channel: text, thread: text.nullable() });
export type FormPlace = z.infer<typeof formPlace>;

const file = z.object({
  name: maybe,
  title: maybe,
  mimetype: maybe,
  permalink: maybe,
  url_private: maybe,
});

/** A message as events, history and replies have it. */
export const message = z.object({
  ts: text,
  user: maybe,
  bot_id: maybe,
  subtype: maybe,
  text: maybe,
  edited: z.object({ ts: text }).nullish(),
  thread_ts: maybe,
  files: z.array(file).nullish(),
  reply_count: z.number().nullish(),
  latest_reply: maybe,
  metadata: z
    .object({ event_payload: z.record(text, z.unknown()).nullish() })
    .nullish()
    .catch(null),
});
export type Message = z.infer<typeof message>;

export const messageEvent = message.extend({
  ts: text.optional(),
  channel: text,
  channel_type: maybe,
  deleted_ts: maybe,
  message: message.nullish(),
  previous_message: message.nullish(),
});
export type MessageEvent = z.infer<typeof messageEvent>;

export const command = z.object({
  user_id: text,
  channel_id: text,
  team_id: text,
});

export type Command = z.infer<typeof command>;

const cursor = z.object({ next_cursor: maybe }).nullish();

export const answers = {
  nothing: z.object({}),
  identity: z.object({
    url: text,
    team: text,
    team_id: text,
    user: text,
    user_id: text,
    bot_id: maybe,
    response_metadata: z.object({ scopes: z.array(text).optional() }).nullish(),
  }),
  posted: z.object({ ts: text, channel: text }),
  messages: z.object({
    messages: z.array(message),
    has_more: z.boolean().nullish(),
    response_metadata: cursor,
  }),
  conversation: z.object({ channel: z.object({ id: text }) }),
  channel: z.object({
    channel: z.object({
      id: text,
      name: maybe,
      is_im: z.boolean().nullish(),
      user: maybe,
      is_member: z.boolean().nullish(),
      is_archived: z.boolean().nullish(),
    }),
  }),
  channels: z.object({
    channels: z.array(
      z.object({
        id: text,
        name: maybe,
        is_member: z.boolean().nullish(),
        is_archived: z.boolean().nullish(),
      }),
    ),
    response_metadata: cursor,
  }),
  members: z.object({ members: z.array(text), response_metadata: cursor }),
  user: z.object({
    user: z.object({
      id: text,
      team_id: maybe,
      name: maybe,
      real_name: maybe,
      deleted: z.boolean().nullish(),
      is_bot: z.boolean().nullish(),
      is_restricted: z.boolean().nullish(),
      is_ultra_restricted: z.boolean().nullish(),
      is_stranger: z.boolean().nullish(),
      locale: maybe,
      profile: z.object({ display_name: maybe, real_name: maybe }).nullish(),
    }),
  }),
  users: z.object({
    members: z.array(
      z.object({
        id: text,
        name: maybe,
        deleted: z.boolean().nullish(),
        is_bot: z.boolean().nullish(),
        real_name: maybe,
        profile: z.object({ display_name: maybe, real_name: maybe }).nullish(),
      }),
    ),
    response_metadata: cursor,
  }),
  uploadUrl: z.object({ upload_url: text, file_id: text }),
};
export type User = z.infer<typeof answers.user>["user"];
