/** What an interaction's token can do for fifteen minutes: its original answer, and follow-ups. */
import { contentOf } from "../content.ts";
import { change, remove } from "../deeds.ts";
import type { Hub } from "../hub.ts";
import { FLAGS, LIMITS } from "../limits.ts";
import { allowedBy } from "../mentions.ts";
import type { Interaction, Message } from "../model.ts";
import { messageJson } from "../payloads.ts";
import { Refusal } from "../refusal.ts";
import type { Json } from "../wire.ts";
import { answerPost } from "./callbacks.ts";
import { type Asked, idOf, type Routes } from "./route.ts";

const ORIGINAL = "@original";

export const webhooks: Routes = {
  "POST /webhooks/:app/:token": (asked) => {
    const { hub, body } = asked;
    const interaction = answered(asked);
    const { original } = interaction;
    if (original !== null && isLoading(original)) return json(hub, fill(asked, original));
    const content = contentOf(asked, "follow", null, hub.id);
    return json(hub, answerPost(hub, interaction, { ...content, allowed: allowedBy(body.allowed_mentions) }));
  },
  "GET /webhooks/:app/:token/messages/:message": (asked) => json(asked.hub, messageIn(asked)),
  "PATCH /webhooks/:app/:token/messages/:message": (asked) => json(asked.hub, fill(asked, messageIn(asked))),
  "DELETE /webhooks/:app/:token/messages/:message": (asked) => {
    remove(asked.hub, messageIn(asked));
    return null;
  },
};

const json = (hub: Hub, message: Message): Json =>
  messageJson(message, hub, { bot: hub.app.bot, content: true });

const isLoading = ({ flags }: Message): boolean => (flags & FLAGS.loading) !== 0;

function answered(asked: Asked): Interaction {
  const { hub } = asked;
  if (idOf(asked, "app") !== hub.app.id) throw new Refusal(10015);
  const interaction = hub.interactions.get(idOf(asked, "token"));
  if (interaction === undefined) throw new Refusal(50027);
  if (hub.now() - interaction.at > LIMITS.tokenMs) throw new Refusal(50027);
  if (interaction.state !== "answered") throw new Refusal(10015);
  return interaction;
}

/** The original answer, or another message that came of the interaction. */
function messageIn(asked: Asked): Message {
  const interaction = answered(asked);
  const id = idOf(asked, "message");
  const { original, room, user } = interaction;
  const message =
    id === ORIGINAL || id === original?.id
      ? original
      : [...room.log, ...user.ephemerals].find(
          (one) => one.id === id && one.interaction?.id === interaction.id,
        );
  if (message === null || message === undefined || message.gone) throw new Refusal(10008);
  return message;
}

/** Writes into a message; one that showed that the bot thinks does so no more. */
function fill(asked: Asked, message: Message): Message {
  const { hub } = asked;
  const loading = isLoading(message);
  const content = contentOf(asked, loading ? "follow" : "original", message, hub.id);
  change(hub, message, { ...content, flags: content.flags & ~FLAGS.loading & ~FLAGS.ephemeral });
  return message;
}
