/** What people do where one bot is: handed on as events, answered when it is saved, once. */
import type { Answer } from "../../core/effect.ts";
import type { Press, Typed } from "../../core/event.ts";
import { maskedForm, maskText } from "../../core/mask.ts";
import type { Clock, Ear, Heard, Log } from "../../core/ports.ts";
import { words } from "../../core/words.ts";
import { isPairing } from "../shared/pairings.ts";
import { appOf, channelOf, guildOf, handleOf, placeOf, typedId } from "./address.ts";
import type { Api } from "./api.ts";
import { askedOf, entryAction } from "./buttons.ts";
import type { Gateway } from "./gateway.ts";
import * as parse from "./parse.ts";
import type { People } from "./people.ts";
import type { Places } from "./places.ts";
import { renderOffer, renderWord } from "./render.ts";
import type { Room, Rooms } from "./rooms.ts";
import { renderForm } from "./view.ts";
import * as wire from "./wire.ts";

export interface ListenerParts {
  app: string;
  api: Api;
  gateway: Gateway;
  rooms: Rooms;
  people: People;
  places: Places;
  clock: Clock;
  log: Log;
  ear(): Ear | null;
  /** A button of a pairing. */
  onPair(button: string, user: string): Promise<void>;
  /** A channel or thread was deleted, with all that stood in it. */
  onRoomGone(room: string): Promise<void>;
}

/** How an interaction is answered; each once. */
const ANSWER = { message: 4, nothing: 6, change: 7, form: 9 } as const;
const KIND = { command: 2, component: 3, form: 5 } as const;
const SELECT = 3;
const EPHEMERAL = 1 << 6;
/** The sign that offers a message as the answer; its author takes the offer by adding it too. */
export const OFFER = "❔";
/** In the place of a question for one person's eyes that was answered. */
const DONE = { type: ANSWER.change, data: { components: [{ type: 10, content: "✅" }] } };
/** Interactions that were answered, so that a replay is not. */
const REMEMBERED = 1_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export class Listener {
  readonly #parts: ListenerParts;
  readonly #answered = new Set<string>();
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
        return this.#interaction(wire.interaction.parse(data));
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

  async #interaction(one: wire.Interaction): Promise<void> {
    if (this.#answered.has(one.id)) return;
    this.#remember(one.id);
    const who = parse.actor(one);
    if (who === null || !one.channel_id) return;
    const room = await this.#parts.rooms.of(one.channel_id, one.guild_id ?? null, one.channel);
    if (one.type === KIND.command) return this.#listed(one, who, room);
    if (one.type !== KIND.component && one.type !== KIND.form) return;
    const press = parse.press(one, room, who);
    if (isPairing(press.button)) {
      await this.#answer(one, { type: ANSWER.nothing });
      return this.#parts.onPair(press.button, one.user?.id ?? one.member?.user?.id ?? "");
    }
    const sure = askedOf(press.button);
    return sure === null
      ? this.#pressed(one, press, room)
      : this.#asked(one, { ...press, button: sure }, room);
  }

  /** Discord has no dialog that asks whether somebody is sure; all that asks is *Cancel*. */
  async #asked(
    one: wire.Interaction,
    { button, locale = "" }: Press,
    { place, thread }: Room,
  ): Promise<void> {
    const handle = handleOf(one.message?.id ?? "", thread);
    if (!(await this.#parts.ear()?.minds({ place, anchor: { kind: "reply", handle } }))) return;
    const say = words(locale);
    const data = privately(renderOffer(say.cancelSure, button, say.cancel));
    await this.#answer(one, { type: ANSWER.message, data });
  }

  #remember(id: string): void {
    this.#answered.add(id);
    const [oldest] = this.#answered;
    if (this.#answered.size > REMEMBERED && oldest !== undefined) this.#answered.delete(oldest);
  }

  async #pressed(one: wire.Interaction, press: Press, { place, thread }: Room): Promise<void> {
    const answer = isBlank(one, press) ? blank(press) : await this.#heard(press);
    // Every bot of this application hears of it; another one's buttons are for that one to answer.
    if (answer === undefined || (answer.kind === "word" && answer.code === "other_store")) return;
    const isPrivate = ((one.message?.flags ?? 0) & EPHEMERAL) !== 0;
    await this.#answer(one, answer.kind === "done" && isPrivate ? DONE : answerOf(answer, press));
    // The menu shows what was chosen, though it does not count; choosing it again would send nothing.
    if (answer.kind === "word" && one.data?.component_type === SELECT && one.message)
      await this.#parts.ear()?.hear({ type: "misdrawn", place, handle: handleOf(one.message.id, thread) });
  }

  /** Whoever presses hears of it when it could not be taken. */
  async #heard(press: Press): Promise<Answer | undefined> {
    try {
      return await this.#parts.ear()?.hear(press);
    } catch (error) {
      this.#parts.log.error("a press could not be taken", { error });
      return { kind: "word", code: "not_saved", text: words(press.locale ?? "").notSaved };
    }
  }

  /** What was saved counts, also when nobody sees that it was. */
  async #answer({ id, token }: wire.Interaction, body: object): Promise<void> {
    const reply = await this.#parts.api.call(
      { method: "POST", path: `/interactions/${id}/${token}/callback`, body, prompt: true },
      wire.answers.nothing,
    );
    if (reply.kind !== "ok") this.#parts.log.warn("an answer to a press did not arrive", { ...reply });
  }

  async #listed(one: wire.Interaction, who: Typed["actor"], room: Room): Promise<void> {
    const { app, ear } = this.#parts;
    const say = words(one.locale ?? "");
    const inPlace = async (id: string): Promise<boolean> =>
      appOf({ id }) === app && (await this.#isIn(one, id, room).catch(() => false));
    const waiting = (await ear()?.awaited(who, ({ id }) => inPlace(id))) ?? [];
    const pointers = waiting.slice(0, 20).map(({ title, wanted, origin, url }) => ({
      key: url,
      label: [maskText(title, say), wanted, origin].filter(Boolean).join(" · "),
      url: url || null,
    }));
    const text = waiting.length === 0 ? say.nothingWaits : say.waitsForYou(waiting.length);
    await this.#answer(one, { type: ANSWER.message, data: privately(renderWord(text, pointers)) });
  }

  async #isIn({ user, member }: wire.Interaction, id: string, { place }: Room): Promise<boolean> {
    if (id === place.id) return true;
    const someone = member?.user ?? user;
    const guild = guildOf({ id });
    if (!someone) return false;
    if (guild === null) return (await this.#parts.places.directChannel(someone.id)) === channelOf({ id });
    return (await this.#parts.people.inChannel(someone, guild, channelOf({ id }))).inPlace;
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

/** Fields for words are all required; Discord is content with a blank. */
const isBlank = ({ type }: wire.Interaction, { words: filled }: Press): boolean =>
  type === KIND.form && filled !== null && filled.trim() === "";

const blank = ({ locale = "" }: Press): Answer => ({
  kind: "word",
  code: "blank",
  text: words(locale).blank,
});

/** As Discord wants to have it said. */
function answerOf(answer: Answer, { id, locale = "" }: Press): object {
  const say = words(locale);
  switch (answer.kind) {
    case "done":
      return { type: ANSWER.nothing };
    case "word": {
      const drawn = renderWord(maskText(answer.text, say), answer.pointers ?? []);
      return { type: ANSWER.message, data: privately(drawn) };
    }
    case "form": {
      const drawn = renderForm(maskedForm(answer.form, say));
      // Comes back when it is sent, so that a form that is sent twice is recognised.
      return { type: ANSWER.form, data: { ...drawn, custom_id: entryAction(drawn.custom_id, id) } };
    }
  }
}

/** For the eyes of whoever pressed, and calling nobody. */
const privately = (drawn: ReturnType<typeof renderWord>) => ({
  ...drawn,
  flags: drawn.flags | EPHEMERAL,
  allowed_mentions: { parse: [] },
});
