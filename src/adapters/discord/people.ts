/** Who somebody is and where they belong, as Discord says with what they do, or asked and remembered for a while. */
import { DiscordAPIError, type GuildMember, PermissionFlagsBits } from "discord.js";
import { AskgateError } from "../../core/error.ts";
import type { Actor } from "../../core/people.ts";
import type { Clock } from "../../core/ports.ts";
import { Remembered } from "../shared/remembered.ts";
import type { Gateway } from "./gateway.ts";
import { actorOf } from "./parse.ts";
import type { User } from "./wire.ts";

/** How long what Discord said of a person counts. */
const FRESH_MS = 10 * 60_000;
const NO_MEMBER = new Set<number | string>([10007, 10013]);

export class People {
  readonly #gateway: Gateway;
  readonly #members: Remembered<GuildMember | null>;

  constructor({ gateway, clock }: { gateway: Gateway; clock: Clock }) {
    this.#gateway = gateway;
    this.#members = new Remembered(clock, FRESH_MS);
  }

  /** Somebody who is in a channel of a server, or not. Throws `not_looked_up` when Discord does not say. */
  async inChannel(user: User, guild: string, channel: string): Promise<Actor> {
    const member = await this.#member(guild, user.id);
    const room = this.#gateway.client?.channels.cache.get(channel);
    const inPlace =
      member !== null &&
      room !== undefined &&
      "permissionsFor" in room &&
      room.permissionsFor(member).has(PermissionFlagsBits.ViewChannel);
    const as = member && { nick: member.nickname, flags: member.flags.bitfield, pending: member.pending };
    return actorOf(user, as, inPlace);
  }

  #member(guild: string, user: string): Promise<GuildMember | null> {
    return this.#members.get(`${guild}/${user}`, async () => {
      const there = this.#gateway.client?.guilds.cache.get(guild);
      if (there === undefined) throw unknown(null);
      return there.members.fetch({ user, force: true, cache: false }).catch((error) => {
        if (error instanceof DiscordAPIError && NO_MEMBER.has(error.code)) return null;
        throw unknown(error);
      });
    });
  }
}

const unknown = (cause: unknown): AskgateError =>
  new AskgateError("not_looked_up", "Discord does not say who it is.", { cause });
