/** The first answer to an interaction: one, in time, and of a kind that fits. */
import { checkModal } from "../components.ts";
import { contentOf, numbered } from "../content.ts";
import { change, post } from "../deeds.ts";
import type { Hub } from "../hub.ts";
import { typeOf } from "../interactions.ts";
import { FLAGS, TYPES } from "../limits.ts";
import { allowedBy } from "../mentions.ts";
import type { Interaction, Message } from "../model.ts";
import { messageJson } from "../payloads.ts";
import { invalid, Refusal, wrong } from "../refusal.ts";
import { type Json, num, record, records, str } from "../wire.ts";
import { type Asked, idOf, type Routes } from "./route.ts";

const REPLY = 4;
const DEFER_REPLY = 5;
const DEFER_UPDATE = 6;
const UPDATE = 7;
const MODAL = 9;

export const callbacks: Routes = {
  "POST /interactions/:interaction/:token/callback": (asked) => {
    const { hub, body, search } = asked;
    const interaction = waiting(asked);
    const type = num(body.type);
    if (!answersOf(interaction).includes(type))
      throw invalid(
        wrong(["type"], "BASE_TYPE_CHOICES", `Value must be one of {${answersOf(interaction).join(", ")}}.`),
      );
    interaction.original = inData(() => perform(asked, interaction, type));
    interaction.answer = type;
    interaction.state = "answered";
    interaction.settle();
    hub.ledger.changed();
    return search.get("with_response") === "true" ? responseOf(hub, interaction, type) : null;
  },
};

/** What is wrong with a message stands under `data`. */
function inData<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal) || error.complaints.length === 0) throw error;
    throw invalid(...error.complaints.map((one) => ({ ...one, path: ["data", ...one.path] })));
  }
}

function waiting(asked: Asked): Interaction {
  const interaction = asked.hub.interactions.get(idOf(asked, "token"));
  if (interaction === undefined || interaction.id !== idOf(asked, "interaction")) throw new Refusal(10062);
  if (interaction.state === "failed") throw new Refusal(10062);
  if (interaction.state === "answered") throw new Refusal(40060);
  return interaction;
}

/** A modal follows no modal, and only what stands on a message can change it. */
function answersOf({ kind, message }: Interaction): number[] {
  const onMessage = message === null ? [] : [DEFER_UPDATE, UPDATE];
  return [REPLY, DEFER_REPLY, ...onMessage, ...(kind === "modal" ? [] : [MODAL])];
}

/** Does it, and gives what `@original` stands for from now on. */
function perform({ hub, body, files }: Asked, interaction: Interaction, type: number): Message | null {
  const data = record(body.data);
  switch (type) {
    case REPLY:
      return answerWith(hub, interaction, { body: data, files });
    case DEFER_REPLY:
      return think(hub, interaction, data);
    case UPDATE:
      return update(hub, interaction, { body: data, files });
    case MODAL:
      return openModal(hub, interaction, data);
    default:
      return interaction.message;
  }
}

function answerWith(
  hub: Hub,
  interaction: Interaction,
  given: { body: Json; files: Asked["files"] },
): Message {
  const content = contentOf(given, "answer", null, hub.id);
  return answerPost(hub, interaction, { ...content, allowed: allowedBy(given.body.allowed_mentions) });
}

/** A message of an interaction: seen by one alone where its flags say so. */
export function answerPost(
  hub: Hub,
  interaction: Interaction,
  given: Omit<Parameters<typeof post>[2], "author">,
): Message {
  const { id, user, room, kind } = interaction;
  const flags = given.flags ?? 0;
  return post(hub, room, {
    ...given,
    author: hub.app.bot,
    type: kind === "command" && interaction.original === null ? TYPES.command : TYPES.plain,
    flags: flags & ~FLAGS.ephemeral,
    only: (flags & FLAGS.ephemeral) === 0 ? null : user,
    interaction: { id, type: typeOf(interaction), user },
  });
}

function think(hub: Hub, interaction: Interaction, { flags }: Json): Message {
  if ((num(flags) & ~FLAGS.ephemeral) !== 0)
    throw invalid(wrong(["flags"], "MESSAGE_FLAGS_INVALID", "Only EPHEMERAL may be set."));
  return answerPost(hub, interaction, { flags: num(flags) | FLAGS.loading });
}

function update(
  hub: Hub,
  { message }: Interaction,
  given: { body: Json; files: Asked["files"] },
): Message | null {
  if (message === null || message.gone) throw new Refusal(10008);
  change(hub, message, contentOf(given, "change", message, hub.id));
  return message;
}

function openModal(hub: Hub, { user, room, message }: Interaction, data: Json): null {
  const complaints = checkModal(data);
  if (complaints.length > 0) throw invalid(...complaints);
  user.modal = {
    customId: str(data.custom_id),
    title: str(data.title),
    components: numbered(records(data.components)),
    errors: {},
    filled: new Map(),
    message,
    room,
  };
  hub.ledger.changed();
  return null;
}

function responseOf(hub: Hub, interaction: Interaction, type: number): Json {
  const { id, original } = interaction;
  const shown = type === MODAL || original === null;
  const message = shown ? {} : { message: messageJson(original, hub, { bot: hub.app.bot, content: true }) };
  return {
    interaction: {
      id,
      type: typeOf(interaction),
      ...(shown
        ? {}
        : {
            response_message_id: original.id,
            response_message_loading: type === DEFER_REPLY,
            response_message_ephemeral: original.only !== null,
          }),
    },
    resource: { type, ...message },
  };
}
