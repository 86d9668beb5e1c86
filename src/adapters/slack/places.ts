/** Places by name or id: a channel the bot is in, or a direct message with a person. A string says what is in the way. */
import type { Place } from "../../core/people.ts";
import type { Clock } from "../../core/ports.ts";
import { isDirect, placeOf } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import { nameOf, type People } from "./people.ts";
import { reason } from "./reasons.ts";
import { answers } from "./wire.ts";

const PAGE = 200;
/** How long a list of channels or people is good for. */
const FRESH_MS = 5 * 60_000;

interface Channel {
  id: string;
  name: string;
  member: boolean;
  archived: boolean;
}

interface Person {
  id: string;
  names: string[];
}

export interface PlacesParts {
  api: Api;
  people: People;
  team: string;
  clock: Clock;
}

export class Places {
  readonly #parts: PlacesParts;
  #channels: { list: Channel[]; at: number } | null = null;
  #persons: { list: Person[]; at: number } | null = null;

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /** `#name`, `name`, `C…`, `D…`; `@name`, `U…`, an e-mail address. */
  async find(wanted: string): Promise<Place | string> {
    const name = wanted.trim();
    if (/^[CG][A-Z0-9]{2,}$/.test(name)) return this.#channel(name);
    if (isDirect(name) && /^D[A-Z0-9]{2,}$/.test(name)) return this.#channel(name);
    if (isPerson(name)) {
      const user = await this.person(name);
      return typeof user === "string" ? user : this.direct(user.id);
    }
    return this.#named(name.replace(/^#/, "").toLowerCase());
  }

  /** A person by `@name`, id or e-mail; a string says why not. */
  async person(wanted: string): Promise<{ id: string; name: string } | string> {
    const { api, people } = this.#parts;
    if (/^[UW][A-Z0-9]{2,}$/.test(wanted)) {
      try {
        return { id: wanted, name: await people.name(wanted) };
      } catch {
        return `${wanted}: Slack knows no such person`;
      }
    }
    if (wanted.includes("@", 1)) {
      const reply = await api.call("users.lookupByEmail", { email: wanted }, answers.user);
      if (reply.kind === "ok") return { id: reply.value.user.id, name: nameOf(reply.value.user) };
      return `${wanted}: ${failureOf(reply)}`;
    }
    return this.#personNamed(wanted.replace(/^@/, "").toLowerCase());
  }

  /** The direct message with a person. */
  async direct(user: string): Promise<Place | string> {
    const { api, people, team } = this.#parts;
    const label = await people.name(user).catch(() => user);
    const reply = await api.call("conversations.open", { users: user }, answers.conversation);
    if (reply.kind !== "ok") return `${label}: ${failureOf(reply)}`;
    return { ...placeOf(team, reply.value.channel.id), label };
  }

  async #channel(id: string): Promise<Place | string> {
    const { api, people, team } = this.#parts;
    const reply = await api.call("conversations.info", { channel: id }, answers.channel);
    if (reply.kind !== "ok") return `${id}: ${failureOf(reply)}`;
    const { name, is_im, user, is_member, is_archived } = reply.value.channel;
    if (is_im) return { ...placeOf(team, id), label: user ? await people.name(user).catch(() => id) : id };
    return this.#usable({ id, name: name ?? id, member: is_member === true, archived: is_archived === true });
  }

  async #named(name: string): Promise<Place | string> {
    const known = this.#channels?.list.find((channel) => channel.name === name);
    if (known?.member && !known.archived && this.#isFresh(this.#channels)) return this.#usable(known);
    const list = await this.#listChannels();
    if (typeof list === "string") return `#${name}: ${list}`;
    const found = list.filter((channel) => channel.name === name);
    const best = found.find(({ archived }) => !archived) ?? found[0];
    return best === undefined
      ? `#${name}: the bot sees no such channel; is it private? Then invite the bot there with /invite`
      : this.#usable(best);
  }

  #usable({ id, name, member, archived }: Channel): Place | string {
    if (archived) return `#${name}: ${reason("is_archived")}`;
    if (!member) return `#${name}: ${reason("not_in_channel")}`;
    return { ...placeOf(this.#parts.team, id), label: `#${name}` };
  }

  async #listChannels(): Promise<Channel[] | string> {
    const list: Channel[] = [];
    let cursor = "";
    do {
      const args = {
        types: "public_channel,private_channel",
        limit: PAGE,
        ...(cursor === "" ? {} : { cursor }),
      };
      const reply = await this.#parts.api.call("conversations.list", args, answers.channels);
      if (reply.kind !== "ok") return failureOf(reply);
      for (const { id, name, is_member, is_archived } of reply.value.channels) {
        list.push({ id, name: name ?? id, member: is_member === true, archived: is_archived === true });
      }
      cursor = reply.value.response_metadata?.next_cursor ?? "";
    } while (cursor !== "");
    this.#channels = { list, at: this.#parts.clock.now() };
    return list;
  }

  async #personNamed(name: string): Promise<{ id: string; name: string } | string> {
    const list = await this.#listPersons();
    if (typeof list === "string") return `@${name}: ${list}`;
    const [found, ...others] = list.filter(({ names }) =>
      names.some((known) => known.toLowerCase() === name),
    );
    if (found === undefined) return `@${name}: Slack knows nobody of that name; an e-mail address works too`;
    if (others.length > 0)
      return `@${name}: that is the name of several people; use an e-mail address or an id (${[found, ...others].map(({ id }) => id).join(", ")})`;
    return { id: found.id, name: found.names[0] ?? found.id };
  }

  async #listPersons(): Promise<Person[] | string> {
    if (this.#persons !== null && this.#isFresh(this.#persons)) return this.#persons.list;
    const list: Person[] = [];
    let cursor = "";
    do {
      const args = { limit: PAGE, ...(cursor === "" ? {} : { cursor }) };
      const reply = await this.#parts.api.call("users.list", args, answers.users);
      if (reply.kind !== "ok") return failureOf(reply);
      for (const user of reply.value.members) {
        if (user.deleted || user.is_bot || user.id === "USLACKBOT") continue;
        const names = [nameOf(user), user.name, user.real_name, user.profile?.display_name];
        list.push({ id: user.id, names: names.flatMap((name) => name || []) });
      }
      cursor = reply.value.response_metadata?.next_cursor ?? "";
    } while (cursor !== "");
    this.#persons = { list, at: this.#parts.clock.now() };
    return list;
  }

  #isFresh(kept: { at: number } | null): boolean {
    return kept !== null && this.#parts.clock.now() - kept.at < FRESH_MS;
  }
}

const isPerson = (name: string): boolean =>
  name.startsWith("@") || /^[UW][A-Z0-9]{2,}$/.test(name) || /^[^\s@#]+@[^\s@]+$/.test(name);

/** Why a question to Slack had no answer, for people. */
export function failureOf(reply: Exclude<Reply<unknown>, { kind: "ok" }>): string {
  switch (reply.kind) {
    case "error":
      return reason(reply.error, reply.needed);
    case "limited":
      return `Slack wants a pause of ${Math.ceil(reply.afterMs / 1000)} s; try again then`;
    case "lost":
      return `Slack does not answer (${reply.reason})`;
  }
}
