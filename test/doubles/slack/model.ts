/** What Slack keeps: workspaces with people, channels, messages, files and open modals. */
import type { Json } from "./wire.ts";

export interface App {
  id: string;
  token: string;
  /** What apps.connections.open answers instead, once the token is taken away. */
  refusal: string | null;
}

export interface Team {
  id: string;
  name: string;
  domain: string;
  app: App;
  botToken: string;
  botId: string;
  bot: User;
  scopes: Set<string>;
  /** As manifests name them: `message.im`. */
  events: Set<string>;
  /** `token_revoked` or `account_inactive`, once the bot's token is taken away. */
  refusal: string | null;
  users: Map<string, User>;
  byEmail: Map<string, User>;
  rooms: Map<string, Room>;
  /** The direct channels with the bot, by person. */
  directs: Map<string, Room>;
  files: Map<string, StoredFile>;
  views: Map<string, View>;
}

export interface User {
  id: string;
  name: string;
  email: string | null;
  /** Another workspace's for those who come in by a shared channel. */
  teamId: string;
  guest: boolean;
  external: boolean;
  bot: boolean;
  locale: string;
  deleted: boolean;
  notifications: Notification[];
  failedPresses: string[];
  ephemerals: Message[];
  /** The modals that are open, the topmost last. */
  views: View[];
  /** What was picked in this person's client and stays shown until the ids change. */
  picks: Map<string, Pick>;
}

/** What a control shows: chosen options, or the text that was filled in. */
export type Pick = { options: Json[] } | { value: string };

/** What made a phone buzz. */
export interface Notification {
  channel: string;
  ts: string;
  text: string;
  why: "mention" | "broadcast" | "direct";
}

export interface Room {
  id: string;
  name: string;
  kind: "channel" | "group" | "im";
  members: Map<string, User>;
  archived: boolean;
  /** In order of `ts`; deleted ones stay with `gone`. */
  log: Message[];
  byTs: Map<string, Message>;
  threads: Map<string, Message[]>;
  lastTs: number;
}

export interface Message {
  channel: string;
  ts: string;
  user: string;
  /** Set on what apps post. */
  botId: string | null;
  text: string;
  blocks: Json[];
  metadata: Json | null;
  threadTs: string | null;
  reactions: { name: string; users: string[] }[];
  files: StoredFile[];
  edited: { user: string; ts: string } | null;
  ephemeral: boolean;
  /** `tombstone`: a deleted root whose replies still stand. */
  gone: false | "deleted" | "tombstone";
}

export interface StoredFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  user: string;
  content: Buffer;
  /** `announced`: an upload address was asked for, nothing came yet. */
  state: "announced" | "uploaded" | "complete" | "deleted";
  shares: { channel: string; ts: string }[];
}

export interface View {
  id: string;
  hash: string;
  person: User;
  /** As given, with ids filled in. */
  body: Json;
  blocks: Json[];
  errors: { [blockId: string]: string };
  open: boolean;
  rootId: string;
  previousId: string | null;
  picks: Map<string, Pick>;
}
