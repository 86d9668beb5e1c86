/** Cards as messages in Discord: put up, changed, taken away. Every end of a call is told as what it means for the post. */
import type { Card } from "../../core/card.ts";
import type { Place } from "../../core/people.ts";
import type { Log } from "../../core/ports.ts";
import type { Posting, Sent } from "../../core/surface.ts";
import { channelOf, handleOf, idAt, messageOf, roomOf, threadOf } from "./address.ts";
import { type Announcement, announcement, isSilent } from "./announcement.ts";
import type { Api, Reply } from "./api.ts";
import { attached, fileIn, uploaded } from "./attachment.ts";
import { COMPONENTS_V2, type Message as Drawn } from "./kit.ts";
import { marked, markOf } from "./mark.ts";
import { reason } from "./reasons.ts";
import { mentioned, renderCard, renderFile, renderPlainly } from "./render.ts";
import type { Threads } from "./threads.ts";
import { answers } from "./wire.ts";

/** The platform's clock and ours may differ by so much. */
const SKEW_MS = 5 * 60_000;
const PAGE = 100;
const SUPPRESS_NOTIFICATIONS = 1 << 12;
/** How long a message rests that Discord lets nobody edit so often. */
const WORN_MS = 60_000;
/** No longer does a place rest in one go, for what one call has to wait for holds up others that may pass. */
const REST_MS = 30_000;

const GONE_MESSAGE = 10008;
const GONE_CHANNEL = 10003;
const INVALID = 50035;
const ARCHIVED = 50083;
const WORN = 30046;

export interface PostsParts {
  api: Api;
  threads: Threads;
  log: Log;
  /** The bot's own account. */
  botUser: string;
  /** The token is of no use any more. */
  onFatal(reason: string): void;
  /** A post that others stand under is not there any more. */
  onGone(place: Place, handle: string): void;
}

/** Where a message goes: a channel or thread, and in direct messages what it replies to. */
interface Spot {
  room: string;
  thread: string | null;
  replyTo: string | null;
  /** The post that the thread begins at, where it is this that has to be there. */
  root: string | null;
}

interface Post {
  handle: string;
  nonce: null;
}

/** What went out under this nonce, and may be no card yet. */
interface Announced {
  handle: string;
  nonce: string;
}

type Failed = Exclude<Reply<unknown>, { kind: "ok" }>;

const SOON: Sent = { kind: "later", afterMs: 1_000, unsure: false };

export class Posts {
  readonly #parts: PostsParts;

  constructor(parts: PostsParts) {
    this.#parts = parts;
  }

  async post(place: Place, card: Card, { under, nonce, since }: Posting): Promise<Sent> {
    const spot = await this.#spot(place, card, under);
    if ("kind" in spot) return spot;
    if (since !== null) {
      const there = await this.#look(spot, nonce, since);
      if (there.kind !== "ok") return this.#ended(there);
      // It stands as it was drawn then.
      if (there.value !== null)
        return this.#become(place, card, { handle: handleOf(there.value, spot.thread), nonce });
    }
    const words = announcement(card, renderCard(card));
    const told = words && (await this.#create(spot, card, { drawn: words, nonce }));
    const isWhole = told === null || isCode(told, INVALID);
    const reply = isWhole
      ? await this.#drawn(card, (drawn) => this.#create(spot, card, { drawn, nonce }))
      : told;
    if (reply.kind === "ok") {
      const handle = handleOf(reply.value.id, spot.thread);
      return isWhole ? { kind: "posted", handle } : this.#become(place, card, { handle, nonce });
    }
    return isCode(reply, GONE_CHANNEL) ? this.#astray(place, spot, reply) : this.#ended(reply);
  }

  /** The thread was deleted. A post that Discord gives no second one is put up again, and gets its own. */
  async #astray(place: Place, { thread, root }: Spot, reply: Failed): Promise<Sent> {
    if (thread === null || root === null) return this.#ended(reply);
    if (!this.#parts.threads.forget(thread)) {
      await this.remove(place, root);
      this.#parts.onGone(place, root);
    }
    return SOON;
  }

  /** The post that stands there becomes the card, where it is but an announcement; until then its end is not known. */
  async #become(place: Place, card: Card, post: Announced): Promise<Sent> {
    const sent = await this.#change(place, card, post);
    if (sent.kind === "refused") await this.remove(place, post.handle);
    return sent.kind === "later" ? { ...sent, unsure: true } : sent;
  }

  async #spot(place: Place, { topic }: Card, under: string | null): Promise<Spot | Sent> {
    const channel = channelOf(place);
    if (under === null || place.direct)
      return { room: channel, thread: null, replyTo: under && messageOf(under), root: null };
    const thread = threadOf(under) ?? messageOf(under);
    const root = threadOf(under) === null ? under : null;
    const opened = root === null ? null : await this.#parts.threads.open({ channel, message: thread, topic });
    if (opened === null || opened.kind === "ok") return { room: thread, thread, replyTo: null, root };
    if (!isCode(opened, GONE_MESSAGE)) return this.#ended(opened);
    this.#parts.onGone(place, under);
    return SOON;
  }

  #create(
    { room, replyTo }: Spot,
    card: Card,
    { drawn, nonce }: { drawn: Drawn | Announcement; nonce: string },
  ) {
    const silent = isSilent(card) ? SUPPRESS_NOTIFICATIONS : 0;
    const flags = "flags" in drawn ? drawn.flags : 0;
    const reference = { message_id: replyTo, fail_if_not_exists: false };
    return this.#parts.api.call(
      {
        method: "POST",
        path: `/channels/${room}/messages`,
        body: {
          ...drawn,
          flags: flags | silent,
          components: marked(drawn.components, nonce),
          nonce,
          enforce_nonce: true,
          allowed_mentions: { parse: [], users: mentioned(card) },
          ...(replyTo !== null && { message_reference: reference }),
          ...attached(card),
        },
        ...uploaded(card),
      },
      answers.message,
    );
  }

  update(place: Place, card: Card, handle: string): Promise<Sent> {
    return this.#change(place, card, { handle, nonce: null });
  }

  async #change(place: Place, card: Card, { handle, nonce }: Post | Announced): Promise<Sent> {
    const path = `/channels/${roomOf(place, handle)}/messages/${messageOf(handle)}` as const;
    const becomes = nonce === null ? {} : { content: null, flags: COMPONENTS_V2 };
    const reply = await this.#inThread(handle, () =>
      this.#drawn(card, ({ components }) =>
        this.#parts.api.call(
          {
            method: "PATCH",
            path,
            body: {
              ...becomes,
              components: nonce === null ? components : marked(components, nonce),
              allowed_mentions: { parse: [] },
              ...attached(card),
            },
            ...uploaded(card),
          },
          answers.nothing,
        ),
      ),
    );
    if (reply.kind === "ok") return { kind: "posted", handle };
    if (isCode(reply, WORN)) return { kind: "later", afterMs: WORN_MS, unsure: false };
    return isGone(reply) ? { kind: "gone" } : this.#ended(reply);
  }

  async remove(place: Place, handle: string): Promise<Sent> {
    const path = `/channels/${roomOf(place, handle)}/messages/${messageOf(handle)}` as const;
    const reply = await this.#inThread(handle, () =>
      this.#parts.api.call({ method: "DELETE", path }, answers.nothing),
    );
    return reply.kind === "ok" || isGone(reply) ? { kind: "gone" } : this.#ended(reply);
  }

  /** In an archived thread nothing can be changed: it is opened again. */
  async #inThread<T>(handle: string, act: () => Promise<Reply<T>>): Promise<Reply<T>> {
    const reply = await act();
    const thread = threadOf(handle);
    if (thread === null || !isCode(reply, ARCHIVED)) return reply;
    const opened = await this.#parts.threads.unarchive(thread);
    return opened.kind === "ok" ? act() : opened;
  }

  /** A card that Discord finds too rich is drawn plainly. */
  async #drawn<T>(card: Card, send: (drawn: Drawn) => Promise<Reply<T>>): Promise<Reply<T>> {
    const file = fileIn(card);
    if (file !== null) return send(renderFile(file));
    const reply = await send(renderCard(card));
    if (!isCode(reply, INVALID)) return reply;
    this.#parts.log.warn("Discord refused a card as it was drawn; it is drawn plainly", { card: card.key });
    return send(renderPlainly(card));
  }

  /** The post of an earlier attempt, if it stands there after all. */
  async #look({ room }: Spot, nonce: string, since: number): Promise<Reply<string | null>> {
    let after = idAt(since - SKEW_MS);
    for (;;) {
      const query = { after, limit: String(PAGE) };
      const reply = await this.#parts.api.call(
        { method: "GET", path: `/channels/${room}/messages`, query },
        answers.messages,
      );
      if (reply.kind !== "ok") return reply;
      const found = reply.value.find(
        ({ author, components }) =>
          author.id === this.#parts.botUser && components?.[0]?.id === markOf(nonce),
      );
      if (found !== undefined) return { kind: "ok", value: found.id };
      const [newest] = reply.value
        .map(({ id }) => id)
        .sort(byAge)
        .reverse();
      if (newest === undefined || reply.value.length < PAGE) return { kind: "ok", value: null };
      after = newest;
    }
  }

  #ended(reply: Failed): Sent {
    if (reply.kind === "limited")
      return { kind: "later", afterMs: Math.min(reply.afterMs, REST_MS), unsure: false };
    if (reply.kind === "lost") return { kind: "later", afterMs: reply.afterMs, unsure: true };
    if (reply.status === 401) this.#parts.onFatal(reason(reply));
    return { kind: "refused", reason: reason(reply) };
  }
}

const isCode = (reply: Reply<unknown>, code: number): boolean =>
  reply.kind === "error" && reply.code === code;
const isGone = (reply: Reply<unknown>): boolean => isCode(reply, GONE_MESSAGE) || isCode(reply, GONE_CHANNEL);

const byAge = (one: string, other: string): number => (BigInt(one) < BigInt(other) ? -1 : 1);
