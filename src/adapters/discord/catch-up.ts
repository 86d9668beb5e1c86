/**
 * What people wrote while nobody listened: one reading of the channel from the first post on, then only of threads that have
 * something new, or words that are kept and may have been edited or deleted.
 */
import type { Typed } from "../../core/event.ts";
import type { Clock, Log } from "../../core/ports.ts";
import type { Standing } from "../../core/surface.ts";
import { type Missed, PAUSE_MS, patiently } from "../shared/catch-up.ts";
import { channelOf, handleIn, idAt, threadOf, timeOf } from "./address.ts";
import type { Api } from "./api.ts";
import { anchorOf, isPersons } from "./parse.ts";
import type { Room } from "./rooms.ts";
import { answers, type Message } from "./wire.ts";

const PAGE = 100;
/** A thread that was deleted, with all that stood in it. */
const GONE = 10003;

export interface ReadingParts {
  api: Api;
  clock: Clock;
  log: Log;
  /** Whose message it is, and what it says. */
  typed(message: Message, room: Room): Promise<Typed>;
}

/** Null where Discord did not answer in full. */
export async function readBack(
  parts: ReadingParts,
  { place, since, handles, words }: Standing,
  missed: Missed,
): Promise<Typed[] | null> {
  const asking = { ...parts, isOver: missed.isOver };
  const room: Room = { place: placed(place), thread: null };
  const top = await readAll(asking, channelOf(place), idAt(since - PAUSE_MS));
  if (top === null) return null;
  if (isBlind(top, handles)) {
    parts.log.warn("a place could not be read back", { place: place.label });
    return null;
  }
  const standing = new Set(handles);
  const kept = words.flatMap((id) => handleIn(id) ?? []);
  const isOurs = (message: Message): boolean =>
    place.direct || kept.includes(message.id) || standing.has(anchorOf(message, room)?.handle ?? "");
  const found = top
    .filter((message) => isPersons(message) && isOurs(message))
    .map((message) => ({ message, room }));
  for (const thread of threadsOf({ top, standing, kept }, missed.deafSince)) {
    const inside = await readAll(asking, thread, thread, GONE);
    if (inside === null) return null;
    const there: Room = { place: room.place, thread };
    found.push(...inside.filter(isPersons).map((message) => ({ message, room: there })));
  }
  return Promise.all(found.map(({ message, room: where }) => parts.typed(message, where)));
}

/** Without Read Message History a channel looks as if nothing had ever been written there. */
const isBlind = (top: Message[], handles: string[]): boolean =>
  top.length === 0 && handles.some((handle) => threadOf(handle) === null);

const placed = ({ id, direct }: Standing["place"]): Room["place"] => ({ surface: "discord", id, direct });

/** Those with something new, those where something kept may have changed, and those that lost their beginning. */
function threadsOf(
  { top, standing, kept }: { top: Message[]; standing: Set<string>; kept: string[] },
  deafSince: number,
): string[] {
  const isNew = ({ id, thread }: Message): boolean =>
    standing.has(id) &&
    Boolean(thread?.last_message_id) &&
    timeOf(thread?.last_message_id ?? "0") >= deafSince - PAUSE_MS;
  const withNews = top.filter(isNew).map(({ id }) => id);
  const there = new Set(top.map(({ id }) => id));
  const orphans = [...standing].flatMap((handle) => threadOf(handle) ?? []).filter((id) => !there.has(id));
  return [...new Set([...withNews, ...orphans, ...kept.flatMap((handle) => threadOf(handle) ?? [])])];
}

/** All messages of a channel or thread after one, oldest first; an error of the code `empty` means that there are none. */
async function readAll(
  parts: Pick<ReadingParts, "api" | "clock" | "log"> & Pick<Missed, "isOver">,
  channel: string,
  from: string,
  empty: number | null = null,
): Promise<Message[] | null> {
  const all: Message[] = [];
  let after = from;
  for (;;) {
    const request = {
      method: "GET",
      path: `/channels/${channel}/messages`,
      query: { after, limit: String(PAGE) },
    } as const;
    const page = await patiently(async () => {
      const reply = await parts.api.call(request, answers.messages);
      return reply.kind === "error" && reply.code === empty ? { kind: "ok", value: [] } : reply;
    }, parts);
    if (page === null) return null;
    all.push(...page.sort(byAge));
    const newest = page.at(-1);
    if (newest === undefined || page.length < PAGE) return all;
    after = newest.id;
  }
}

/** Several may be written in one millisecond. */
const byAge = (one: Message, other: Message): number => (BigInt(one.id) < BigInt(other.id) ? -1 : 1);
