/**
 * What people wrote while nobody listened: one reading of the place from the first post on, then only of threads that have
 * something new, or words that are kept and may have been edited or deleted.
 */
import type { Typed } from "../../core/event.ts";
import type { Clock, Ear, Log, Standing } from "../../core/ports.ts";
import { channelOf, messageOf, threadOf as threadOfHandle, timeOf, tsAt, tsOf } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import { isPersons } from "./parse.ts";
import { answers, type Message } from "./wire.ts";

const PAGE = 200;
const RETRY_MS = 2_000;
const TRIES = 5;

export interface CatchUpParts {
  api: Api;
  clock: Clock;
  log: Log;
  /** Whose message it is, and what it says. */
  typed(channel: string, message: Message): Promise<Typed>;
}

/** Reads one place back. Nothing is told where Slack did not answer in full: what is not read is not known to be gone. */
export async function catchUp(
  parts: CatchUpParts,
  ear: Ear,
  standing: Standing,
  deafSince: number,
): Promise<void> {
  const { place, since, handles, words } = standing;
  const channel = channelOf(place);
  const top = await readAll(parts, "conversations.history", { channel, oldest: tsAt(since - PAUSE_MS) });
  if (top === null) return;
  const roots = new Set(handles.filter((handle) => threadOfHandle(handle) === null).map(tsOf));
  const kept = new Set(words.flatMap((id) => messageOf(id)?.thread ?? []));
  const threads = top.filter(
    ({ ts, reply_count, latest_reply }) =>
      roots.has(ts) &&
      (kept.has(ts) || ((reply_count ?? 0) > 0 && timeOf(latest_reply ?? "0") >= deafSince - PAUSE_MS)),
  );
  const messages = place.direct ? top.filter(isPersons) : [];
  for (const { ts } of threads) {
    const replies = await readAll(parts, "conversations.replies", { channel, ts });
    if (replies === null) return;
    messages.push(...replies.filter((message) => message.ts !== ts && isPersons(message)));
  }
  const read = await Promise.all(messages.map((message) => parts.typed(channel, message)));
  await ear.reread({ place, from: since, messages: read.sort((a, b) => a.at - b.at) });
}

/** The clocks of Slack and this machine may differ by so much. */
const PAUSE_MS = 60_000;

async function readAll(
  parts: CatchUpParts,
  method: string,
  args: Record<string, unknown>,
): Promise<Message[] | null> {
  const all: Message[] = [];
  let cursor = "";
  do {
    const page = await patiently(parts, () =>
      parts.api.call(
        method,
        { ...args, limit: PAGE, ...(cursor === "" ? {} : { cursor }) },
        answers.messages,
      ),
    );
    if (page === null) return null;
    all.push(...page.messages);
    cursor = page.response_metadata?.next_cursor ?? "";
  } while (cursor !== "");
  return all;
}

/** Waits as long as Slack says; null when it refuses, or does not answer at all. */
async function patiently<T>({ clock, log }: CatchUpParts, ask: () => Promise<Reply<T>>): Promise<T | null> {
  let lost = 0;
  for (;;) {
    const reply = await ask();
    if (reply.kind === "ok") return reply.value;
    if (reply.kind === "lost") lost += 1;
    if (reply.kind === "error" || lost >= TRIES) {
      log.warn("a place could not be read back", { reply });
      return null;
    }
    const ms = reply.kind === "limited" ? reply.afterMs : RETRY_MS;
    await new Promise<void>((resolve) => clock.at(clock.now() + ms, resolve));
  }
}
