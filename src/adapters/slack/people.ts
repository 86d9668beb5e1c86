/** Who somebody is and where they belong, asked of Slack and remembered for a while; whoever Slack does not know stays unknown. */
import { AskgateError } from "../../core/error.ts";
import type { Actor } from "../../core/people.ts";
import type { Clock } from "../../core/ports.ts";
import { Remembered } from "../shared/remembered.ts";
import { personId } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import type { Known } from "./parse.ts";
import { answers, type User } from "./wire.ts";

/** How long what Slack said of a person or a channel's members counts; joins and leaves are heard meanwhile. */
const FRESH_MS = 10 * 60_000;
const PAGE = 1000;

export class People {
  readonly #api: Api;
  readonly #team: string;
  readonly #users: Remembered<User>;
  readonly #members: Remembered<Set<string>>;
  /** Names by id, of all that were looked up. */
  readonly #names = new Map<string, string>();

  constructor({ api, team, clock }: { api: Api; team: string; clock: Clock }) {
    this.#api = api;
    this.#team = team;
    this.#users = new Remembered(clock, FRESH_MS);
    this.#members = new Remembered(clock, FRESH_MS);
  }

  /** Throws `not_looked_up` when Slack does not say who it is. */
  async known(user: string, channel: string): Promise<Known> {
    const [found, inPlace] = await Promise.all([this.#user(user), this.isIn(channel, user)]);
    const actor: Actor = {
      id: personId(this.#team, user),
      name: nameOf(found),
      kind: this.#kindOf(found),
      inPlace,
    };
    return { actor, locale: found.locale ?? undefined };
  }

  async isIn(channel: string, user: string): Promise<boolean> {
    return channel !== "" && (await this.#membersOf(channel)).has(user);
  }

  async name(user: string): Promise<string> {
    return nameOf(await this.#user(user));
  }

  /** The name of somebody who was looked up before. */
  knownName(user: string): string | undefined {
    return this.#names.get(user);
  }

  async joined(channel: string, user: string): Promise<void> {
    const there = await this.#members.peek(channel)?.catch(() => undefined);
    there?.add(user);
  }

  async left(channel: string, user: string): Promise<void> {
    const there = await this.#members.peek(channel)?.catch(() => undefined);
    there?.delete(user);
  }

  /** After a gap: who joined or left meanwhile was not heard. */
  forget(): void {
    this.#members.clear();
  }

  #kindOf(user: User): Actor["kind"] {
    if (user.is_bot) return "bot";
    const foreign = user.is_stranger || user.deleted || (user.team_id ?? this.#team) !== this.#team;
    if (foreign) return "external";
    return user.is_restricted || user.is_ultra_restricted ? "guest" : "member";
  }

  #user(id: string): Promise<User> {
    return this.#users.get(id, async () => {
      const reply = await this.#api.call("users.info", { user: id, include_locale: true }, answers.user);
      const { user } = answerOf(reply);
      this.#names.set(id, nameOf(user));
      return user;
    });
  }

  #membersOf(channel: string): Promise<Set<string>> {
    return this.#members.get(channel, async () => {
      const members = new Set<string>();
      let cursor = "";
      do {
        const args = { channel, limit: PAGE, ...(cursor === "" ? {} : { cursor }) };
        const page = answerOf(await this.#api.call("conversations.members", args, answers.members));
        for (const member of page.members) members.add(member);
        cursor = page.response_metadata?.next_cursor ?? "";
      } while (cursor !== "");
      return members;
    });
  }
}

function answerOf<T>(reply: Reply<T>): T {
  if (reply.kind === "ok") return reply.value;
  throw new AskgateError("not_looked_up", "Slack does not say who it is.", { fields: { reply: reply.kind } });
}

export const nameOf = ({
  id,
  name,
  real_name,
  profile,
}: Pick<User, "id" | "name" | "real_name" | "profile">) =>
  profile?.display_name || profile?.real_name || real_name || name || id;
