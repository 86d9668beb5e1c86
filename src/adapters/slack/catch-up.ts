/**
 * What people wrote while nobody listened: one reading of the place from the first post on, then only of threads that have
 * something new, or words that are kept and may have been edited or deleted.
 */
import type { Typed } from "../../core/event.ts";
import type { Clock, Log } from "../../core/ports.ts";
import type { Standing } from "../../core/surface.ts";
import { type Missed, PAUSE_MS, patiently } from "../shared/catch-up.ts";
import { channelOf, messageOf, threadOf as threadOfHandle, timeOf, tsAt, tsOf } from "./address.ts";
import type { Api } from "./api.ts";
import { isPersons } from "./parse.ts";
import { answers, type Message } from "./wire.ts";

const PAGE = 200;

export interface ReadingParts {
  api: Api;
  clock: Clock;
  log: Log;
  /** Whose message it is, and what it says. */
  typed(channel: string, message: Message): Promise<Typed>;
}

/** Null where Slack did not answer in full. */
export async function readBack(
  parts: ReadingParts,
  { place, since, handles, words }: Standing,
  missed: Missed,
): Promise<Typed[] | null> {
  const asking = { ...parts, isOver: missed.isOver };
  const channel = channelOf(place);
  const top = await readAll(asking, "conversations.history", { channel, oldest: tsAt(since - PAUSE_MS) });
  if (top === null) return null;
  const roots = new Set(handles.filter((handle) => threadOfHandle(handle) === null).map(tsOf));
  const kept = new Set(words.flatMap((id) => messageOf(id)?.thread ?? []));
  const isNew = ({ reply_count, latest_reply }: Message) =>
    (reply_count ?? 0) > 0 && timeOf(latest_reply ?? "0") >= missed.deafSince - PAUSE_MS;
  const threads = top.filter((root) => kept.has(root.ts) || (roots.has(root.ts) && isNew(root)));
  const messages = new Map(place.direct ? top.filter(isPersons).map((message) => [message.ts, message]) : []);
  for (const { ts } of threads) {
    const replies = await readAll(asking, "conversations.replies", { channel, ts });
    if (replies === null) return null;
    for (const reply of replies) if (reply.ts !== ts && isPersons(reply)) messages.set(reply.ts, reply);
  }
  return Promise.all([...messages.values()].map((message) => parts.typed(channel, message)));
}

async function readAll(
  parts: Pick<ReadingParts, "api" | "clock" | "log"> & Pick<Missed, "isOver">,
  method: string,
  args: Record<string, unknown>,
): Promise<Message[] | null> {
  const all: Message[] = [];
  let cursor = "";
  do {
    const page = cursor === "" ? {} : { cursor };
    const asked = { ...args, limit: PAGE, ...page };
    const read = await patiently(() => parts.api.call(method, asked, answers.messages), parts);
    if (read === null) return null;
    all.push(...read.messages);
    cursor = read.response_metadata?.next_cursor ?? "";
  } while (cursor !== "");
  return all;
}
