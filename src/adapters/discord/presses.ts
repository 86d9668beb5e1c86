/** What people press, choose, send as a form or ask for by a command: handed on, and answered once, when it is saved. */
import type { Answer } from "../../core/effect.ts";
import type { Press, Typed } from "../../core/event.ts";
import { maskedForm, maskText } from "../../core/mask.ts";
import type { Log } from "../../core/ports.ts";
import type { Ear } from "../../core/surface.ts";
import { words } from "../../core/words.ts";
import { listAwaited } from "../shared/awaited.ts";
import { isPairing } from "../shared/pairings.ts";
import { appOf, channelOf, guildOf, handleOf } from "./address.ts";
import type { Api } from "./api.ts";
import { askedOf, entryAction } from "./buttons.ts";
import * as parse from "./parse.ts";
import type { People } from "./people.ts";
import type { Places } from "./places.ts";
import { renderOffer, renderWord } from "./render.ts";
import type { Room, Rooms } from "./rooms.ts";
import { renderForm } from "./view.ts";
import * as wire from "./wire.ts";

export interface PressesParts {
  app: string;
  api: Api;
  rooms: Rooms;
  people: People;
  places: Places;
  log: Log;
  ear(): Ear | null;
  /** A button of a pairing. */
  onPair(button: string, user: string): Promise<void>;
}

/** How an interaction is answered; each once. */
const ANSWER = { message: 4, nothing: 6, change: 7, form: 9 } as const;
const KIND = { command: 2, component: 3, form: 5 } as const;
const SELECT = 3;
const EPHEMERAL = 1 << 6;
/** In the place of a question for one person's eyes that was answered. */
const DONE = { type: ANSWER.change, data: { components: [{ type: 10, content: "✅" }] } };
/** Interactions that were answered, so that a replay is not. */
const REMEMBERED = 1_000;

export class Presses {
  readonly #parts: PressesParts;
  readonly #answered = new Set<string>();

  constructor(parts: PressesParts) {
    this.#parts = parts;
  }

  async take(one: wire.Interaction): Promise<void> {
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
    const inPlace = async ({ id }: { id: string }): Promise<boolean> =>
      appOf({ id }) === app && (await this.#isIn(one, id, room).catch(() => false));
    const { text, pointers } = await listAwaited(ear(), { actor: who, say, inPlace });
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
