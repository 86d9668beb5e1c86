/** What Discord keeps: servers with people, channels, threads and messages, and interactions on their way. */
import type { Permission } from "./permissions.ts";
import type { Json } from "./wire.ts";

export interface App {
  id: string;
  name: string;
  token: string;
  bot: User;
  /** What the developer portal grants. */
  granted: { messageContent: boolean; members: boolean; presences: boolean };
  /** Global ones under "", those of a server under its id. */
  commands: Map<string, Json[]>;
  /** Every call is refused with 401 and sockets are closed with 4004. */
  revoked: boolean;
}

export interface User {
  id: string;
  name: string;
  bot: boolean;
  /** Came by an invitation for guests. */
  guest: boolean;
  /** Has not agreed to the rules of the server yet. */
  pending: boolean;
  /** As the client says it: `en-US`, `fr`. */
  locale: string;
  /** Refuses direct messages from the bot. */
  closed: boolean;
  dm: Room | null;
  notifications: Notification[];
  failedPresses: string[];
  ephemerals: Message[];
  modal: OpenModal | null;
  /** What was picked in this person's client since the message last changed, by message and custom id. */
  picks: Map<string, string[]>;
}

/** What made a phone buzz. */
export interface Notification {
  channel: string;
  id: string;
  text: string;
  why: "mention" | "everyone" | "reply" | "direct";
}

export interface Guild {
  id: string;
  name: string;
  members: Map<string, User>;
  everyone: Set<Permission>;
  botRole: Set<Permission>;
  /** Whether the bot is in it. */
  joined: boolean;
}

export interface Overwrite {
  allow: Set<Permission>;
  deny: Set<Permission>;
}

export interface Room {
  id: string;
  name: string;
  kind: "text" | "thread" | "private_thread" | "dm";
  guild: Guild | null;
  /** The channel a thread is in. */
  parent: Room | null;
  /** Of direct channels and threads. */
  members: Map<string, User>;
  /** By user id, and by the server's id for everybody. */
  overwrites: Map<string, Overwrite>;
  ownerId: string;
  archived: boolean;
  locked: boolean;
  autoArchive: number;
  archivedAt: number;
  deleted: boolean;
  /** In order of ids; deleted ones stay with `gone`. */
  log: Message[];
  /** When messages older than an hour were edited. */
  oldEdits: number[];
}

export interface Message {
  id: string;
  channel: string;
  author: User;
  /** One of `TYPES`. */
  type: number;
  content: string;
  embeds: Json[];
  components: Json[];
  attachments: Attachment[];
  flags: number;
  mentions: User[];
  mentionsEveryone: boolean;
  nonce: string | number | null;
  at: number;
  editedAt: number | null;
  /** The message that is replied to. */
  reference: { channel: string; id: string } | null;
  thread: Room | null;
  reactions: { emoji: string; users: string[] }[];
  /** The interaction it answers. */
  interaction: { id: string; type: number; user: User } | null;
  /** Who alone sees it. */
  only: User | null;
  gone: boolean;
}

export interface Attachment {
  id: string;
  filename: string;
  description: string | null;
  contentType: string;
  content: Buffer;
}

/** A modal on somebody's screen. */
export interface OpenModal {
  customId: string;
  title: string;
  components: Json[];
  /** Under the inputs, by custom id. */
  errors: { [customId: string]: string };
  /** What was filled in so far, by custom id. */
  filled: Map<string, string | string[] | boolean>;
  /** The message the control stood on that opened it. */
  message: Message | null;
  room: Room;
}

export interface Interaction {
  id: string;
  token: string;
  kind: "command" | "component" | "modal";
  user: User;
  room: Room;
  /** The message the control stood on. */
  message: Message | null;
  at: number;
  /** `failed`: nothing came in time. */
  state: "waiting" | "answered" | "failed";
  /** The callback that answered it. */
  answer: number | null;
  original: Message | null;
  label: string;
  settle: () => void;
}
