/** Threads that begin at a post: opened when something has to stand in them, opened again when they were put away. */
import { clip } from "../../core/fit.ts";
import type { Api, Reply } from "./api.ts";
import { answers } from "./wire.ts";

/** The longest that Discord keeps a silent thread open, in minutes. */
const WEEK = 10_080;
const NAME = 100;
const THERE_ALREADY = 160004;
/** Threads that are known to be there; forgetting one costs a call. */
const KNOWN = 10_000;

export class Threads {
  readonly #api: Api;
  /** Thread → whether it was known already when it was asked for last. */
  readonly #known = new Map<string, boolean>();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Sees to it that the thread of a message is there: it has the message's id. */
  async open({
    channel,
    message,
    topic,
  }: {
    channel: string;
    message: string;
    topic: string;
  }): Promise<Reply<unknown>> {
    if (this.#known.has(message)) {
      this.#known.set(message, true);
      return { kind: "ok", value: null };
    }
    const name = clip(topic.replaceAll(/\s+/g, " ").trim(), NAME) || "askgate";
    const reply = await this.#api.call(
      {
        method: "POST",
        path: `/channels/${channel}/messages/${message}/threads`,
        body: { name, auto_archive_duration: WEEK },
      },
      answers.nothing,
    );
    const isThere = reply.kind === "error" && reply.code === THERE_ALREADY;
    if (reply.kind !== "ok" && !isThere) return reply;
    if (this.#known.size >= KNOWN) this.#known.clear();
    this.#known.set(message, false);
    return { kind: "ok", value: null };
  }

  /** It is not there. May opening it again help? Not where that was just done. */
  forget(thread: string): boolean {
    const before = this.#known.get(thread) ?? false;
    this.#known.delete(thread);
    return before;
  }

  unarchive(thread: string): Promise<Reply<unknown>> {
    return this.#api.call(
      { method: "PATCH", path: `/channels/${thread}`, body: { archived: false } },
      answers.nothing,
    );
  }
}
