/** conversations.*: finding channels, who is in them, and reading what stands there. */
import { family, historyScope } from "../deeds.ts";
import type { Message, Room, Team } from "../model.ts";
import { messageJson, roomJson } from "../payloads.ts";
import { Refusal } from "../refusal.ts";
import type { Json } from "../wire.ts";
import { directRoom } from "../world.ts";
import { arg, knownRoom, knownUser, type Method, memberRoom, method, needScope, page } from "./method.ts";

const readScope = (room: Pick<Room, "kind">): string => `${family(room)}:read`;

const open = method(
  ["im:write"],
  { users: arg.text, channel: arg.text, return_im: arg.flag, prevent_creation: arg.flag },
  ({ team }, args) => {
    const ids = (args.users ?? "").split(",").filter((id) => id !== "");
    const [id] = ids;
    if (id === undefined) throw new Refusal("users_list_not_supplied");
    if (ids.length > 1) throw new Refusal("double_knows_no_group_messages");
    const person = knownUser(team, id);
    if (person.bot) throw new Refusal("cannot_dm_bot");
    const there = team.directs.has(person.id);
    const room = directRoom(team, person);
    const state = there ? { no_op: true, already_open: true } : {};
    return { ...state, channel: args.return_im === true ? roomJson(room, team) : { id: room.id } };
  },
);

const info = method(
  [],
  { channel: arg.must, include_num_members: arg.flag, include_locale: arg.flag },
  ({ team }, args) => {
    const room = knownRoom(team, args.channel);
    needScope(team, readScope(room));
    const counted = args.include_num_members === true ? { num_members: room.members.size } : {};
    return { channel: { ...roomJson(room, team), ...counted } };
  },
);

const listing = {
  types: arg.text,
  exclude_archived: arg.flag,
  cursor: arg.text,
  limit: arg.count,
  team_id: arg.text,
};

const KINDS: { [type: string]: { kind: Room["kind"] | null; scope: string } } = {
  public_channel: { kind: "channel", scope: "channels:read" },
  private_channel: { kind: "group", scope: "groups:read" },
  im: { kind: "im", scope: "im:read" },
  // There are none here.
  mpim: { kind: null, scope: "mpim:read" },
};

interface Listing {
  types?: string | undefined;
  exclude_archived?: boolean | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

export function listRooms(team: Team, args: Listing, seen: (room: Room) => boolean): Json {
  const wanted = (args.types ?? "public_channel").split(",").map((type) => {
    const known = KINDS[type.trim()];
    if (known === undefined) throw new Refusal("invalid_types");
    needScope(team, known.scope);
    return known.kind;
  });
  const rooms = [...team.rooms.values()].filter(
    (room) => wanted.includes(room.kind) && seen(room) && !(args.exclude_archived === true && room.archived),
  );
  const { items, next } = page(rooms, args.cursor, args.limit ?? 100);
  return {
    channels: items.map((room) => roomJson(room, team)),
    response_metadata: { next_cursor: next },
  };
}

const list = method([], listing, ({ team }, args) =>
  listRooms(team, args, (room) => room.kind === "channel" || room.members.has(team.bot.id)),
);

const members = method([], { channel: arg.must, cursor: arg.text, limit: arg.count }, ({ team }, args) => {
  const room = knownRoom(team, args.channel);
  needScope(team, readScope(room));
  const { items, next } = page([...room.members.keys()], args.cursor, args.limit ?? 100);
  return { members: items, response_metadata: { next_cursor: next } };
});

const reading = {
  channel: arg.must,
  cursor: arg.text,
  limit: arg.count,
  oldest: arg.text,
  latest: arg.text,
  inclusive: arg.flag,
  include_all_metadata: arg.flag,
};

interface Span {
  oldest?: string | undefined;
  latest?: string | undefined;
  inclusive?: boolean | undefined;
}

function within({ ts }: Message, { oldest, latest, inclusive = false }: Span): boolean {
  if (inclusive && (ts === oldest || ts === latest)) return true;
  return (oldest === undefined || before(oldest, ts)) && (latest === undefined || before(ts, latest));
}

/** Timestamps compare by number; they are strings for their digits. */
const before = (one: string, other: string): boolean => Number(one) < Number(other);

const history = method([], reading, ({ team }, args) => {
  const room = readable(team, args.channel);
  const limit = Math.max(1, args.limit ?? 100);
  const latest = args.cursor === undefined || args.cursor === "" ? args.latest : fromTsCursor(args.cursor);
  const span = { ...args, latest, inclusive: args.inclusive === true && latest === args.latest };
  const found: Message[] = [];
  let more = false;
  for (let index = lastBefore(room.log, latest); index >= 0; index -= 1) {
    const message = room.log[index];
    if (message === undefined || (args.oldest !== undefined && before(message.ts, args.oldest))) break;
    if (message.threadTs !== null || message.gone === "deleted" || !within(message, span)) continue;
    more = found.length === limit;
    if (more) break;
    found.push(message);
  }
  const last = found.at(-1)?.ts ?? "";
  return {
    messages: found.map((message) => messageJson(team, room, message, args.include_all_metadata)),
    has_more: more,
    pin_count: 0,
    ...(more ? { response_metadata: { next_cursor: toTsCursor(last) } } : {}),
  };
});

const toTsCursor = (ts: string): string => Buffer.from(`next_ts:${ts}`).toString("base64");

function fromTsCursor(cursor: string): string {
  const read = /^next_ts:(\d+\.\d{6})$/.exec(Buffer.from(cursor, "base64").toString());
  if (read?.[1] === undefined) throw new Refusal("invalid_cursor");
  return read[1];
}

/** Where to begin going backwards: the last that is not after `latest`, found by halving. */
function lastBefore(log: readonly Message[], latest: string | undefined): number {
  if (latest === undefined) return log.length - 1;
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(latest, log[middle]?.ts ?? "")) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

function readable(team: Team, id: string): Room {
  const room = memberRoom(team, id);
  needScope(team, historyScope(room));
  return room;
}

const replies = method([], { ...reading, ts: arg.must }, ({ team }, args) => {
  const room = readable(team, args.channel);
  const root = room.byTs.get(args.ts);
  if (root === undefined) throw new Refusal("thread_not_found");
  const thread = (room.threads.get(root.ts) ?? []).filter((reply) => within(reply, args));
  const { items, next } = page([root, ...thread], args.cursor, args.limit ?? 1000);
  return {
    messages: items.map((message) => messageJson(team, room, message, args.include_all_metadata)),
    has_more: next !== "",
    ...(next === "" ? {} : { response_metadata: { next_cursor: next } }),
  };
});

export const conversations: { [name: string]: Method } = {
  "conversations.open": open,
  "conversations.info": info,
  "conversations.list": list,
  "conversations.members": members,
  "conversations.history": history,
  "conversations.replies": replies,
};
