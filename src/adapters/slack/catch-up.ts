/**
 * What people wrote while nobody listened: one reading of the place from the first post on, then only of threads that have
 * something new, or words that are kept and may have been edited or deleted.
 */
import type { Typed } from "../../core/event.ts";
import type { Place } from "../../core/people.ts";
import type { Clock, Ear, Log, Standing } from "../../core/ports.ts";
import { channelOf, messageOf, teamOf, threadOf as threadOfHandle, timeOf, tsAt, tsOf } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import { isPersons } from "./parse.ts";
import { answers, type Message } from "./wire.ts";

const PAGE = 200;

/** A place that could not be read because of its messages' authors is tried again after so long. */
const AGAIN_MS = 30_000;

export interface CatchUpParts {
  api: Api;
  clock: Clock;
  log: Log;
  team: string;
  ear(): Ear | null;
  /** Whose message it is, and what it says. */
  typed(channel: string, message: Message): Promise<Typed>;
}

interface Reading {
  ear: Ear;
  standing: Standing;
  deafSince: number;
  isOver: () => boolean;
}

export class CatchUp {
  readonly #parts: CatchUpParts;
  #runs = 0;
  /** Since when something may be unread; null: nothing is; −1: since whatever was heard last. */
  #unread: number | null = null;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /** Reads back what was missed since then (null: before the start). A later run does what this one did not get done. */
  async run(since: number | null): Promise<void> {
    const { clock, log, team, ear: earOf } = this.#parts;
    const ear = earOf();
    if (ear === null) return;
    this.#runs += 1;
    const run = this.#runs;
    const isOver = () => run !== this.#runs;
    const unread = Math.min(since ?? -1, this.#unread ?? Number.POSITIVE_INFINITY);
    this.#unread = unread;
    const isMine = (place: Place) => teamOf(place) === team;
    try {
      const all = await ear.standing("slack");
      if (since !== null) await ear.away({ surface: "slack", from: since, until: clock.now() }, isMine);
      for (const standing of all.filter(({ place }) => isMine(place))) {
        const deafSince = unread < 0 ? standing.heard : unread;
        await this.#place({ ear, standing, deafSince, isOver });
      }
      if (!isOver()) this.#unread = null;
    } catch (error) {
      log.error("what was missed could not be read back", { team, error });
    }
  }

  stop(): void {
    this.#runs += 1;
  }

  async #place(reading: Reading): Promise<void> {
    const { clock, log } = this.#parts;
    while (!reading.isOver()) {
      try {
        return await this.#read(reading);
      } catch (error) {
        log.warn("a place could not be read back yet", { place: reading.standing.place.label, error });
        await new Promise<void>((resolve) => clock.at(clock.now() + AGAIN_MS, resolve));
      }
    }
  }

  /** Nothing is told where Slack did not answer in full: what is not read is not known to be gone. */
  async #read({ ear, standing, deafSince, isOver }: Reading): Promise<void> {
    const { place, since, handles, words } = standing;
    const parts = { ...this.#parts, isOver };
    const channel = channelOf(place);
    const top = await readAll(parts, "conversations.history", { channel, oldest: tsAt(since - PAUSE_MS) });
    if (top === null) return;
    const roots = new Set(handles.filter((handle) => threadOfHandle(handle) === null).map(tsOf));
    const kept = new Set(words.flatMap((id) => messageOf(id)?.thread ?? []));
    const isNew = ({ reply_count, latest_reply }: Message) =>
      (reply_count ?? 0) > 0 && timeOf(latest_reply ?? "0") >= deafSince - PAUSE_MS;
    const threads = top.filter((root) => kept.has(root.ts) || (roots.has(root.ts) && isNew(root)));
    const messages = new Map(
      place.direct ? top.filter(isPersons).map((message) => [message.ts, message]) : [],
    );
    for (const { ts } of threads) {
      const replies = await readAll(parts, "conversations.replies", { channel, ts });
      if (replies === null) return;
      for (const reply of replies) if (reply.ts !== ts && isPersons(reply)) messages.set(reply.ts, reply);
    }
    const typed = [...messages.values()].map((message) => this.#parts.typed(channel, message));
    const read = await Promise.all(typed);
    await ear.reread({ place, from: since, messages: read.sort((a, b) => a.at - b.at) });
  }
}

/** The clocks of Slack and this machine may differ by so much. */
const PAUSE_MS = 60_000;

type Asking = Pick<CatchUpParts, "api" | "clock" | "log"> & Pick<Reading, "isOver">;

async function readAll(
  parts: Asking,
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

/** Asks until there is an answer, as seldom as Slack wishes; null when it refuses, or nobody needs to know any more. */
async function patiently<T>({ clock, log, isOver }: Asking, ask: () => Promise<Reply<T>>): Promise<T | null> {
  while (!isOver()) {
    const reply = await ask();
    if (reply.kind === "ok") return reply.value;
    if (reply.kind === "error") {
      log.warn("a place could not be read back", { error: reply.error });
      return null;
    }
    await new Promise<void>((resolve) => clock.at(clock.now() + reply.afterMs, resolve));
  }
  return null;
}
