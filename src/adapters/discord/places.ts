/** Places by name or id: a channel that the bot may use, or a direct message with a person. A string says what is in the way. */
import type { GuildBasedChannel } from "discord.js";
import type { z } from "zod";
import type { Place } from "../../core/people.ts";
import type { Clock } from "../../core/ports.ts";
import { placeOf } from "./address.ts";
import type { Api, Reply, Request } from "./api.ts";
import type { Gateway } from "./gateway.ts";
import { PERMISSIONS } from "./invite.ts";
import { nameOf } from "./parse.ts";
import { failureOf } from "./reasons.ts";
import type * as wire from "./wire.ts";
import { answers, KIND } from "./wire.ts";

export interface PlacesParts {
  app: string;
  api: Api;
  gateway: Gateway;
  clock: Clock;
}

/** For so long a command waits until Discord answers. */
const PATIENCE_MS = 5_000;

export class Places {
  readonly #parts: PlacesParts;
  /** Person → their direct messages with the bot. */
  readonly #direct = new Map<string, string>();

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /** `#name`, `name`, `server/#name`, a channel's id; `@name`, a person's id. */
  async find(wanted: string): Promise<Place | string> {
    const name = wanted.trim().replace(/^<([#@])!?(\d+)>$/, "$2");
    if (/^\d{1,20}$/.test(name)) return this.#byId(name);
    if (!name.startsWith("@")) return this.#named(name);
    const person = await this.person(name);
    return typeof person === "string" ? person : this.direct(person.id);
  }

  async #byId(id: string): Promise<Place | string> {
    const channel = this.#parts.gateway.client?.channels.cache.get(id);
    if (channel !== undefined)
      return channel.isDMBased() ? `${id}: name the person, not the channel` : this.#usable(channel);
    const reply = await this.#user(id);
    if (reply.kind === "ok") return this.direct(reply.value.id);
    const why = reply.kind === "error" ? "Discord knows no such person" : failureOf(reply);
    return `${id}: the bot sees no such channel, and ${why}`;
  }

  #named(wanted: string): Place | string {
    const [, server = null, name = ""] = /^(?:(.+)\/)?#?([^/]+)$/.exec(wanted) ?? [];
    const all = this.#servers().filter((guild) => server === null || isNamed(guild, server));
    if (this.#servers().length === 0) return "the bot is in no server yet: invite it (askgate setup discord)";
    const found = all.flatMap((guild) =>
      [...guild.channels.cache.values()].filter((channel) => isNamed(channel, name) && !channel.isThread()),
    );
    const [only, ...others] = found;
    if (only === undefined)
      return `#${name}: the bot sees no such channel; is it private? Then give the bot's role View Channel there`;
    if (others.length === 0) return this.#usable(only);
    const names = found.map(({ guild, id }) => `${guild.name}/#${name} (${id})`).join(", ");
    return `#${name}: there are several: ${names}; name the server too, or use the id`;
  }

  #servers() {
    return [...(this.#parts.gateway.client?.guilds.cache.values() ?? [])];
  }

  #usable(channel: GuildBasedChannel): Place | string {
    const label = `#${channel.name}`;
    if (channel.isThread()) return `${label} is a thread: name the channel that it belongs to`;
    if (channel.type !== KIND.text && channel.type !== KIND.news)
      return `${label} is no text channel: messages there have no threads`;
    const missing = this.missing(channel);
    if (missing.length > 0)
      return `${label}: the bot may not ${missing.join(", ")}: give its role these permissions there`;
    return { ...placeOf(this.#parts.app, channel.guild.id, channel.id), label };
  }

  /** The permissions that the bot lacks in a channel, by name. */
  missing(channel: GuildBasedChannel): string[] {
    const { me } = channel.guild.members;
    const allowed = me === null ? null : channel.permissionsFor(me);
    return Object.entries(PERMISSIONS).flatMap(([name, bit]) => (allowed?.has(bit) ? [] : name));
  }

  /** A person by `@name` or id; a string says why not. */
  async person(wanted: string): Promise<{ id: string; name: string } | string> {
    const who = wanted.trim().replace(/^<@!?(\d+)>$/, "$1");
    if (/^\d{1,20}$/.test(who)) {
      const reply = await this.#user(who);
      if (reply.kind !== "ok") return `${who}: ${failureOf(reply)}`;
      const { id, global_name, username } = reply.value;
      return { id, name: global_name ?? username };
    }
    return this.#personNamed(who.replace(/^@/, ""));
  }

  #user(id: string): Promise<Reply<wire.User>> {
    return this.#patiently({ method: "GET", path: `/users/${id}` }, answers.user);
  }

  /** A command waits for the answer: what Discord puts off for a moment is asked again. */
  async #patiently<T>(request: Request, answer: z.ZodType<T>): Promise<Reply<T>> {
    const { api, clock } = this.#parts;
    const end = clock.now() + PATIENCE_MS;
    for (;;) {
      const reply = await api.call(request, answer);
      if (reply.kind === "ok" || reply.kind === "error") return reply;
      const when = clock.now() + reply.afterMs;
      if (when > end) return reply;
      await new Promise<void>((resolve) => clock.at(when, resolve));
    }
  }

  async #personNamed(name: string): Promise<{ id: string; name: string } | string> {
    if (name === "") return "@: a name is missing";
    const servers = this.#servers();
    if (servers.length === 0)
      return `@${name}: the bot is in no server yet: invite it (askgate setup discord)`;
    const found = new Map<string, string>();
    let unheard = "";
    for (const { id } of servers) {
      const reply = await this.#search(id, name);
      if (reply.kind !== "ok") unheard = failureOf(reply);
      for (const { user, nick } of reply.kind === "ok" ? reply.value : [])
        if (user && goesBy(user, nick, name)) found.set(user.id, nameOf(user, { nick }));
    }
    const [only, ...others] = found;
    if (only === undefined)
      return `@${name}: ${unheard || "nobody in the bot's servers has that name; an id works too"}`;
    if (others.length === 0) return { id: only[0], name: only[1] };
    return `@${name}: there are several: ${[...found].map(([id, called]) => `${called} (${id})`).join(", ")}`;
  }

  #search(guild: string, query: string): Promise<Reply<wire.Member[]>> {
    const path = `/guilds/${guild}/members/search` as const;
    return this.#patiently({ method: "GET", path, query: { query, limit: "100" } }, answers.members);
  }

  /** The direct message with a person. */
  async direct(user: string): Promise<Place | string> {
    const person = await this.person(user);
    if (typeof person === "string") return person;
    const channel = await this.directChannel(user);
    if (typeof channel !== "string") return `${person.name}: ${failureOf(channel)}`;
    return { ...placeOf(this.#parts.app, null, channel), label: person.name };
  }

  async directChannel(user: string) {
    const known = this.#direct.get(user);
    if (known !== undefined) return known;
    const reply = await this.#patiently(
      { method: "POST", path: "/users/@me/channels", body: { recipient_id: user } },
      answers.channel,
    );
    if (reply.kind !== "ok") return reply;
    this.#direct.set(user, reply.value.id);
    return reply.value.id;
  }
}

const isNamed = ({ name }: { name: string }, wanted: string): boolean =>
  name.toLowerCase() === wanted.toLowerCase();

const goesBy = (user: wire.User, nick: string | null | undefined, name: string): boolean =>
  [user.username, user.global_name, nick].some((one) => one?.toLowerCase() === name.toLowerCase());
