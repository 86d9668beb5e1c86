/** Cards as messages in Slack: put up, changed, taken away. Every end of a call is told as what it means for the post. */
import type { Card } from "../../core/card.ts";
import { clip } from "../../core/fit.ts";
import type { Place } from "../../core/people.ts";
import type { Log } from "../../core/ports.ts";
import type { Posting, Sent } from "../../core/surface.ts";
import { texts } from "../../core/texts.ts";
import { channelOf, fileOf, handleOf, threadOf, tsAt, tsOf } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import type { Files } from "./files.ts";
import type { Message as Drawn } from "./kit.ts";
import { MOST } from "./limits.ts";
import { isFatal, reason, TOO_RICH } from "./reasons.ts";
import { renderCard } from "./render.ts";
import { richText, say, section } from "./rich-text.ts";
import { answers, type Message } from "./wire.ts";

/** The platform's clock and ours may differ by so much. */
const SKEW_MS = 5 * 60_000;
const PAGE = 200;
export const EVENT_TYPE = "askgate_card";

export interface PostsParts {
  api: Api;
  files: Files;
  log: Log;
  /** The connection is of no use any more. */
  onFatal(error: string): void;
}

export class Posts {
  readonly #parts: PostsParts;

  constructor(parts: PostsParts) {
    this.#parts = parts;
  }

  async post(place: Place, card: Card, { under, nonce, since }: Posting): Promise<Sent> {
    const channel = channelOf(place);
    const thread = under === null ? null : (threadOf(under) ?? tsOf(under));
    const file = fileIn(card);
    if (file !== null && thread !== null)
      return this.#ended(await this.#parts.files.put({ channel, thread }, file, since));
    if (since !== null) {
      const there = await this.#look({ channel, thread, nonce, since });
      if (there.kind !== "ok") return this.#ended(there);
      // It stands as it was drawn then.
      if (there.value !== null) return this.update(place, card, handleOf(there.value, thread));
    }
    const args = {
      channel,
      unfurl_links: false,
      unfurl_media: false,
      metadata: { event_type: EVENT_TYPE, event_payload: { nonce } },
      ...(thread === null ? {} : { thread_ts: thread }),
    };
    const reply = await this.#drawn(card, (drawn) =>
      this.#parts.api.call("chat.postMessage", { ...args, ...drawn }, answers.posted),
    );
    return reply.kind === "ok"
      ? { kind: "posted", handle: handleOf(reply.value.ts, thread) }
      : this.#ended(reply);
  }

  async update(place: Place, card: Card, handle: string): Promise<Sent> {
    const channel = channelOf(place);
    const file = fileIn(card);
    const old = fileOf(handle);
    if (file !== null && old !== null)
      return this.#ended(await this.#parts.files.replace(channel, old, file));
    const reply = await this.#drawn(card, (drawn) =>
      this.#parts.api.call("chat.update", { channel, ts: tsOf(handle), ...drawn }, answers.nothing),
    );
    if (reply.kind === "ok") return { kind: "posted", handle };
    return reply.kind === "error" && CANNOT_UPDATE.has(reply.error) ? { kind: "gone" } : this.#ended(reply);
  }

  async remove(place: Place, handle: string): Promise<Sent> {
    const { api, files } = this.#parts;
    const file = fileOf(handle);
    const reply =
      file === null
        ? await api.call("chat.delete", { channel: channelOf(place), ts: tsOf(handle) }, answers.nothing)
        : await files.remove(file.file);
    if (reply.kind === "ok") return { kind: "gone" };
    return reply.kind === "error" && ALREADY_GONE.has(reply.error) ? { kind: "gone" } : this.#ended(reply);
  }

  /** A card that Slack finds too rich is drawn plainly. */
  async #drawn<T>(card: Card, send: (drawn: Drawn) => Promise<Reply<T>>): Promise<Reply<T>> {
    const drawn = renderCard(card);
    const reply = await send(drawn);
    if (reply.kind !== "error" || !TOO_RICH.has(reply.error)) return reply;
    this.#parts.log.warn("Slack refused a card as it was drawn; it is drawn plainly", {
      card: card.key,
      error: reply.error,
      details: reply.details,
    });
    return send(plainly(card, drawn));
  }

  /** The post of an earlier attempt, if it stands there after all. */
  async #look(wanted: Look): Promise<Reply<string | null>> {
    const { api } = this.#parts;
    const { channel, thread, nonce, since } = wanted;
    const where = { channel, oldest: tsAt(since - SKEW_MS), include_all_metadata: true, limit: PAGE };
    let cursor = "";
    do {
      const page = cursor === "" ? {} : { cursor };
      const reply =
        thread === null
          ? await api.call("conversations.history", { ...where, ...page }, answers.messages)
          : await api.call("conversations.replies", { ...where, ...page, ts: thread }, answers.messages);
      if (reply.kind !== "ok") return reply;
      const found = reply.value.messages.find((message) => isNonce(message, nonce));
      if (found !== undefined) return { kind: "ok", value: found.ts };
      cursor = reply.value.response_metadata?.next_cursor ?? "";
    } while (cursor !== "");
    return { kind: "ok", value: null };
  }

  #ended(reply: Reply<unknown>): Sent {
    if (reply.kind === "ok") {
      return typeof reply.value === "string" ? { kind: "posted", handle: reply.value } : { kind: "gone" };
    }
    if (reply.kind === "limited") return { kind: "later", afterMs: reply.afterMs, unsure: false };
    if (reply.kind === "lost") return { kind: "later", afterMs: reply.afterMs, unsure: true };
    if (isFatal(reply.error)) this.#parts.onFatal(reply.error);
    return { kind: "refused", reason: reason(reply.error, reply.needed) };
  }
}

interface Look {
  channel: string;
  thread: string | null;
  nonce: string;
  since: number;
}

/** Nothing can be changed there any more; it is put up anew. */
const CANNOT_UPDATE = new Set(["message_not_found", "cant_update_message", "edit_window_closed"]);
const ALREADY_GONE = new Set(["message_not_found", "file_not_found", "file_deleted"]);

const isNonce = ({ metadata }: Message, nonce: string): boolean => metadata?.event_payload?.nonce === nonce;

function fileIn({ parts: [part, ...others] }: Card) {
  return part?.kind === "file" && others.length === 0 ? part : null;
}

/** All texts without any looks, and the buttons. */
function plainly(card: Card, drawn: Drawn): Drawn {
  const all = card.parts.flatMap(texts).filter(Boolean).join("\n");
  const pieces = [0, 1, 2, 3, 4].map((at) => all.slice(at * MOST.quiet, (at + 1) * MOST.quiet));
  // Rich text, for Slack lets nothing else take its place.
  const shown = richText(pieces.filter(Boolean).map((text) => section(say(text))));
  return {
    text: clip(drawn.text, 2_900),
    blocks: [...shown, ...drawn.blocks.filter(({ type }) => type === "actions")],
  };
}
