/** Which place a channel or thread belongs to. */
import { AskgateError } from "../../core/error.ts";
import { placeOf } from "./address.ts";
import type { Api } from "./api.ts";
import type { Gateway } from "./gateway.ts";
import { answers, type Channel, KIND } from "./wire.ts";

/** A thread belongs to the place of its channel. */
export interface Room {
  place: ReturnType<typeof placeOf>;
  thread: string | null;
}

type Said = Pick<Channel, "type" | "parent_id">;

export class Rooms {
  readonly #app: string;
  readonly #api: Api;
  readonly #gateway: Gateway;
  /** Thread → its channel, of those that the gateway has not told of. */
  readonly #parents = new Map<string, string | null>();

  constructor({ app, api, gateway }: { app: string; api: Api; gateway: Gateway }) {
    this.#app = app;
    this.#api = api;
    this.#gateway = gateway;
  }

  /** `said`: what Discord says of it by itself. Throws `not_looked_up` when it does not say. */
  async of(channel: string, guild: string | null, said?: Said | null): Promise<Room> {
    if (said) this.#parents.set(channel, parentIn(said));
    const parent = guild === null ? null : await this.#parentOf(channel);
    return parent === null
      ? { place: placeOf(this.#app, guild, channel), thread: null }
      : { place: placeOf(this.#app, guild, parent), thread: channel };
  }

  /** The channel of a thread, null for a channel. */
  async #parentOf(channel: string): Promise<string | null> {
    const known = this.#gateway.client?.channels.cache.get(channel);
    if (known !== undefined) return known.isThread() ? known.parentId : null;
    const parent = this.#parents.get(channel);
    return parent === undefined ? this.#asked(channel) : parent;
  }

  async #asked(channel: string): Promise<string | null> {
    const reply = await this.#api.call({ method: "GET", path: `/channels/${channel}` }, answers.channel);
    // What the bot cannot see is no thread of its own.
    if (reply.kind === "error") return null;
    if (reply.kind !== "ok")
      throw new AskgateError("not_looked_up", "Discord does not say which channel that is.");
    const parent = parentIn(reply.value);
    this.#parents.set(channel, parent);
    return parent;
  }
}

const parentIn = ({ type, parent_id }: Said): string | null =>
  KIND.threads.some((one) => one === type) ? (parent_id ?? null) : null;
