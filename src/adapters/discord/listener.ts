/** What the gateway tells of what people do: handed on as events, until it is saved. */
import type { Typed } from "../../core/event.ts";
import type { Clock, Log } from "../../core/ports.ts";
import type { Ear, Heard } from "../../core/surface.ts";
import { channelOf, guildOf, handleOf, placeOf, typedId } from "./address.ts";
import type { Gateway } from "./gateway.ts";
import * as parse from "./parse.ts";
import type { People } from "./people.ts";
import type { Presses } from "./presses.ts";
import type { Room, Rooms } from "./rooms.ts";
import * as wire from "./wire.ts";

export interface ListenerParts {
  app: string;
  gateway: Gateway;
  presses: Presses;
  rooms: Rooms;
  people: People;
  clock: Clock;
  log: Log;
  ear(): Ear | null;
  /** A channel or thread was deleted, with all that stood in it. */
  onRoomGone(room: string): Promise<void>;
}

/** The sign that offers a message as the answer; its author takes the offer by adding it too. */
export const OFFER = "❔";
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export class Listener {
  readonly #parts: ListenerParts;
  #stopped = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** One dispatch of the gateway. */
  take(type: string, data: unknown): void {
    void this.#taken(type, data).catch((error) =>
      this.#parts.log.error("what Discord sent could not be taken", { type, error }),
    );
  }

  async #taken(type: string, data: unknown): Promise<void> {
    switch (type) {
      case "INTERACTION_CREATE":
        return this.#parts.presses.take(wire.interaction.parse(data));
      case "MESSAGE_CREATE":
        return this.#written(wire.message.parse(data));
      case "MESSAGE_UPDATE":
        return this.#edited(wire.message.parse(data));
      case "MESSAGE_DELETE":
        return this.#deleted(wire.deletion.parse(data));
      case "MESSAGE_DELETE_BULK": {
        const { ids, ...where } = wire.deletions.parse(data);
        for (const id of ids) await this.#deleted({ ...where, id });
        return;
      }
      case "CHANNEL_DELETE":
        return this.#parts.onRoomGone(wire.channel.parse(data).id);
      case "THREAD_DELETE":
        return this.#threadGone(wire.channel.parse(data));
      case "MESSAGE_REACTION_ADD":
        return this.#reacted(wire.reaction.parse(data));
    }
  }

  async #written(message: wire.Message): Promise<void> {
    if (!parse.isPersons(message)) return;
    const room = await this.#surely(() => this.#parts.rooms.of(message.channel_id, message.guild_id ?? null));
    const { place } = room;
    const anchor = parse.anchorOf(message, room);
    if (anchor === null && !place.direct) return;
    const minds = await this.#surely(
      async () => (await this.#parts.ear()?.minds({ place, anchor })) ?? false,
    );
    if (minds) await this.#kept(this.#typedNow(message, room));
  }

  async #edited(message: wire.Message): Promise<void> {
    if (!parse.isPersons(message) || !message.edited_timestamp) return;
    const room = await this.#surely(() => this.#parts.rooms.of(message.channel_id, message.guild_id ?? null));
    if (parse.anchorOf(message, room) === null && !room.place.direct) return;
    const { id, place, actor, anchor, text, editedAt } = this.#typedNow(message, room);
    await this.#kept({ type: "edited", id, place, actor, anchor, text, editedAt });
  }

  /** Written a moment ago: who wrote there is there. */
  #typedNow(message: wire.Message, room: Room): Typed {
    const member = room.place.direct ? undefined : (message.member ?? {});
    const who = parse.actorOf(message.author, member, true);
    return parse.typed(message, { room, who, roomName: this.#roomName });
  }

  readonly #roomName = (id: string): string | undefined => {
    const channel = this.#parts.gateway.client?.channels.cache.get(id);
    return channel !== undefined && "name" in channel ? (channel.name ?? undefined) : undefined;
  };

  /** A message that is read back; its author may be gone meanwhile. Throws where Discord does not say. */
  async typed(message: wire.Message, room: Room): Promise<Typed> {
    const guild = guildOf(room.place);
    const who =
      guild === null
        ? parse.actorOf(message.author, undefined, true)
        : await this.#parts.people.inChannel(message.author, guild, channelOf(room.place));
    return parse.typed(message, { room, who, roomName: this.#roomName });
  }

  /** Whose it was is not said: a post of the bot's, or a person's words. */
  async #deleted({ id, channel_id, guild_id }: wire.Deletion): Promise<void> {
    const { place, thread } = await this.#surely(() => this.#parts.rooms.of(channel_id, guild_id ?? null));
    const handle = handleOf(id, thread);
    await this.#kept({ type: "unposted", place, handle });
    const anchor = thread === null ? null : { kind: "thread" as const, handle: thread };
    await this.#kept({ type: "deleted", id: typedId(place, handle), place, anchor });
  }

  async #threadGone({ id, guild_id, parent_id }: wire.Channel): Promise<void> {
    if (!guild_id || !parent_id) return;
    const place = placeOf(this.#parts.app, guild_id, parent_id);
    const anchor = { kind: "thread" as const, handle: id };
    const minds = await this.#surely(
      async () => (await this.#parts.ear()?.minds({ place, anchor })) ?? false,
    );
    if (minds) await this.#parts.onRoomGone(id);
  }

  async #reacted({ emoji, member, user_id, ...where }: wire.Reaction): Promise<void> {
    if (emoji.name !== OFFER || !member?.user || user_id === this.#parts.gateway.client?.user.id) return;
    const room = await this.#surely(() => this.#parts.rooms.of(where.channel_id, where.guild_id ?? null));
    const id = typedId(room.place, handleOf(where.message_id, room.thread));
    const actor = parse.actorOf(member.user, member, true);
    await this.#kept({ type: "accepted", id, place: room.place, actor });
  }

  /** Discord does not send it again: while it cannot be saved, it is tried again. */
  #kept(event: Heard): Promise<void> {
    return this.#surely(async () => {
      const answer = await this.#parts.ear()?.hear(event);
      if (answer?.kind === "word" && answer.code === "not_saved") throw new Error("it could not be saved");
    });
  }

  async #surely<T>(act: () => Promise<T>): Promise<T> {
    const { clock, log } = this.#parts;
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(LAST_RETRY_MS, wait * 2)) {
      try {
        return await act();
      } catch (error) {
        if (this.#stopped) throw error;
        log.warn("what somebody wrote could not be taken yet", { error });
        await new Promise<void>((resolve) => clock.at(clock.now() + wait, resolve));
      }
    }
  }
}
