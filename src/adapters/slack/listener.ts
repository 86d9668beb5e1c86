/** What people do in one workspace: handed on as events, acknowledged when it is saved, answered privately where there is something to say. */
import { App } from "@slack/bolt";
import type { Answer } from "../../core/effect.ts";
import type { Press, Typed } from "../../core/event.ts";
import { maskedForm, maskText } from "../../core/mask.ts";
import type { Log } from "../../core/ports.ts";
import type { Ear } from "../../core/surface.ts";
import { words } from "../../core/words.ts";
import { listAwaited } from "../shared/awaited.ts";
import { isPairing } from "../shared/pairings.ts";
import { channelOf, placeOf, teamOf } from "./address.ts";
import { type Api, clientOptions, quietLogger, type Reply } from "./api.ts";
import type { Message as Drawn } from "./kit.ts";
import * as parse from "./parse.ts";
import type { People } from "./people.ts";
import { SavingReceiver } from "./receiver.ts";
import { renderWord } from "./render.ts";
import { renderForm } from "./view.ts";
import * as wire from "./wire.ts";

export interface ListenerParts {
  api: Api;
  people: People;
  log: Log;
  team: string;
  botToken: string;
  botUser: string;
  baseUrl: string | null;
  ear(): Ear | null;
  /** A button of a pairing. */
  onPair(button: string, user: string): Promise<void>;
  /** The app was taken out of the workspace. */
  onRevoked(): void;
}

type Ack = (answer?: Record<string, unknown>) => Promise<void>;

/** Where and to whom something is said. */
interface To {
  channel: string;
  thread: string | null;
  user: string;
}

const ANY = /[\s\S]*/;

export class Listener {
  readonly receiver: SavingReceiver;
  readonly #parts: ListenerParts;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.receiver = new SavingReceiver(parts.log);
    this.#register(this.#app());
  }

  #app(): App {
    const { botToken, botUser, team, log } = this.#parts;
    return new App({
      receiver: this.receiver,
      authorize: async () => ({ botToken, botUserId: botUser, teamId: team }),
      ignoreSelf: false,
      clientOptions: clientOptions(this.#parts, 15_000),
      logger: quietLogger(log),
    });
  }

  #register(app: App): void {
    const { people, onRevoked } = this.#parts;
    // The receiver notes what went wrong, once, and does not acknowledge it.
    app.error((error) => Promise.reject(error));
    app.action(ANY, ({ body, ack }) => this.#pressed(wire.blockActions.parse(body), wire.asAck(ack)));
    app.view({ callback_id: ANY, type: "view_submission" }, ({ body, ack }) =>
      this.#submitted(wire.viewSubmission.parse(body), wire.asAck(ack)),
    );
    app.command(ANY, ({ body, ack }) => this.#listed(wire.command.parse(body), wire.asAck(ack)));
    app.event("message", ({ event }) => this.#written(wire.messageEvent.parse(event)));
    app.event("member_joined_channel", ({ event }) => people.joined(event.channel, event.user));
    app.event("member_left_channel", ({ event }) => people.left(event.channel, event.user));
    app.event("app_uninstalled", async () => onRevoked());
    app.event("tokens_revoked", async ({ event }) => {
      if ((event.tokens.bot ?? []).length > 0) onRevoked();
    });
  }

  async #pressed(body: wire.BlockActions, ack: Ack): Promise<void> {
    const { team } = this.#parts;
    const to = {
      channel: body.container.channel_id ?? "",
      thread: body.container.thread_ts ?? null,
      user: body.user.id,
    };
    const pairing = body.actions.find(({ action_id }) => isPairing(action_id));
    if (pairing !== undefined) {
      await this.#sent(ack());
      return this.#parts.onPair(pairing.action_id, to.user);
    }
    const who = await this.#known(to);
    if (who === null) {
      await this.#sent(ack());
      return this.#whisper(to, renderWord(words("").notKnown, []));
    }
    for (const press of parse.presses(team, body, who)) {
      const answer = await this.#heard(press);
      await this.#sent(ack());
      // To whoever is not there Slack shows nothing.
      if (answer !== undefined && (who.actor.inPlace || answer.kind !== "word"))
        await this.#answer(answer, to, { trigger: body.trigger_id, locale: who.locale ?? "" });
    }
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

  async #answer(answer: Answer, to: To, press: { trigger: string; locale: string }): Promise<void> {
    const say = words(press.locale);
    switch (answer.kind) {
      case "done":
        return;
      case "word":
        return this.#whisper(to, renderWord(maskText(answer.text, say), answer.pointers ?? []));
      case "form": {
        const about = JSON.stringify({ channel: to.channel, thread: to.thread } satisfies wire.FormPlace);
        const view = renderForm(maskedForm(answer.form, say), about);
        const reply = await this.#parts.api.call(
          "views.open",
          { trigger_id: press.trigger, view },
          wire.answers.nothing,
          { prompt: true },
        );
        // A press whose trigger is over opens nothing: the next one does.
        if (reply.kind !== "ok") await this.#whisper(to, renderWord(say.tooSlow, []));
      }
    }
  }

  async #submitted(body: wire.ViewSubmission, ack: Ack): Promise<void> {
    const { team } = this.#parts;
    const from = wire.formPlace.parse(JSON.parse(body.view.private_metadata));
    const to = { ...from, user: body.user.id };
    const who = await this.#known(to);
    const answer =
      who === null
        ? ({ kind: "word", code: "not_allowed", text: words("").notKnown } as const)
        : await this.#heard(parse.submission(team, body, from, who));
    // The form stays open with the words in it, so that nobody loses them.
    const field = body.view.blocks.findLast(({ type }) => type === "input")?.block_id ?? "f0";
    if (answer?.kind === "word")
      await this.#sent(ack({ response_action: "errors", errors: { [field]: answer.text } }));
    else await this.#sent(ack());
  }

  async #listed(body: wire.Command, ack: Ack): Promise<void> {
    const { people, team, ear } = this.#parts;
    const who = await this.#known({ channel: body.channel_id, user: body.user_id });
    const say = words(who?.locale ?? "");
    const inPlace = async ({ id }: { id: string }): Promise<boolean> =>
      teamOf({ id }) === team && (await people.isIn(channelOf({ id }), body.user_id).catch(() => false));
    const { text, pointers } =
      who === null
        ? { text: say.notKnown, pointers: [] }
        : await listAwaited(ear(), { actor: who.actor, say, inPlace });
    await this.#sent(ack({ response_type: "ephemeral", ...renderWord(text, pointers) }));
  }

  async #written(event: wire.MessageEvent): Promise<void> {
    const { team, botUser, ear } = this.#parts;
    const what = parse.written(event, botUser);
    const { channel } = event;
    if (what === null || !(await this.#minds(channel, what))) return;
    if (what.kind === "unposted") {
      const handle = what.thread === null ? what.ts : `${what.ts}/${what.thread}`;
      await ear()?.hear({ type: "unposted", place: placeOf(team, channel), handle });
      return;
    }
    const message = await this.typed(channel, what.message);
    const heard = what.kind === "typed" ? message : parse.rewritten(what.kind, message);
    const answer = await ear()?.hear(heard);
    if (answer?.kind !== "word") return;
    // Not acknowledged: Slack sends it again.
    if (answer.code === "not_saved") throw new Error("a message could not be saved");
    const to = { channel, thread: parse.threadOf(what.message), user: what.message.user ?? "" };
    if (what.kind === "typed" && answer.text !== "") await this.#whisper(to, renderWord(answer.text, []));
  }

  /** Nobody is looked up for messages that are none of ours: people talk a lot in channels. */
  async #minds(channel: string, what: parse.Written): Promise<boolean> {
    if (what.kind === "unposted") return true;
    const thread = parse.threadOf(what.message);
    const anchor = thread === null ? null : { kind: "thread" as const, handle: thread };
    return (await this.#parts.ear()?.minds({ place: placeOf(this.#parts.team, channel), anchor })) ?? false;
  }

  /** A message with its author and what it says looked up. Throws where Slack does not say who wrote it. */
  async typed(channel: string, message: wire.Message): Promise<Typed> {
    const { people, team } = this.#parts;
    const text = message.text ?? "";
    const [who] = await Promise.all([
      people.known(message.user ?? "", channel),
      ...parse.mentioned(text).map((user) => people.name(user).catch(() => undefined)),
    ]);
    const plain = parse.plainText(text, (user) => people.knownName(user));
    return parse.typed({ team, channel }, message, who.actor, plain);
  }

  async #known(to: Omit<To, "thread">): Promise<parse.Known | null> {
    try {
      return await this.#parts.people.known(to.user, to.channel);
    } catch (error) {
      this.#parts.log.warn("somebody could not be looked up", { error });
      return null;
    }
  }

  async #whisper(to: To, drawn: Drawn): Promise<void> {
    await whisper(this.#parts.api, to, drawn);
  }

  /** What was saved counts, also when Slack does not hear that it was. */
  async #sent(acknowledged: Promise<void>): Promise<void> {
    await acknowledged.catch((error) => this.#parts.log.warn("an acknowledgement did not arrive", { error }));
  }
}

/** A private word to somebody. */
export function whisper(api: Api, { channel, thread, user }: To, drawn: Drawn): Promise<Reply<object>> {
  const args = { channel, user, ...(thread === null ? {} : { thread_ts: thread }), ...drawn };
  return api.call("chat.postEphemeral", args, wire.answers.nothing);
}
