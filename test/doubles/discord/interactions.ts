/** What a press, a pick, a submit or a command sends to the bot, and what comes of the answer. */
import type { Hub } from "./hub.ts";
import type { Interaction, Message, Room, User } from "./model.ts";
import { memberJson, messageJson, userJson } from "./payloads.ts";
import { permissionsJson, roomJson } from "./places.ts";
import { compact, copied, type Json } from "./wire.ts";

export interface Who {
  hub: Hub;
  user: User;
}

/** The end of what somebody did, as she sees it. */
export type Deed =
  | { kind: "acked" }
  /** Discord says that the interaction failed. */
  | { kind: "failed"; reason: string }
  /** Nothing was sent: the choice was no other. */
  | { kind: "unsent" };

const TYPES = { command: 2, component: 3, modal: 5 } as const;

export const typeOf = ({ kind }: Interaction): number => TYPES[kind];

export interface Act {
  kind: Interaction["kind"];
  room: Room;
  message: Message | null;
  data: Json;
  /** What was done, in a person's words. */
  label: string;
}

/** Tells every session of the app, and waits for the first answer. */
export async function interact(who: Who, act: Act): Promise<{ deed: Deed; interaction: Interaction }> {
  const { hub, user } = who;
  const { kind, room, message, label } = act;
  const interaction: Interaction = {
    id: hub.id(),
    token: `aW50ZXJhY3Rpb246${hub.id()}`,
    kind,
    user,
    room,
    message,
    at: hub.now(),
    state: "waiting",
    answer: null,
    original: null,
    label,
    settle: () => {},
  };
  hub.interactions.set(interaction.token, interaction);
  const answered = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), hub.settings.ackMs);
    interaction.settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
  hub.gateway.emit({
    t: "INTERACTION_CREATE",
    intents: 0,
    d: () => interactionJson(hub, interaction, act.data),
  });
  const deed: Deed = (await answered) ? { kind: "acked" } : failed(who, interaction);
  hub.ledger.changed();
  return { deed, interaction };
}

/** The person sees that it failed, which is the bot's fault unless a test said so. */
function failed({ hub, user }: Who, interaction: Interaction): Deed {
  interaction.state = "failed";
  const reason = `no answer within ${hub.settings.ackMs} ms`;
  user.failedPresses.push(interaction.label);
  hub.ledger.violation(`failed for ${user.name}: ${interaction.label}: ${reason}`);
  return { kind: "failed", reason };
}

function interactionJson(hub: Hub, interaction: Interaction, data: Json): Json {
  const { room, user, message } = interaction;
  const { guild } = room;
  const { bot } = hub.app;
  return copied(
    compact({
      id: interaction.id,
      application_id: hub.app.id,
      type: typeOf(interaction),
      data,
      token: interaction.token,
      version: 1,
      guild_id: guild?.id,
      guild: guild === null ? undefined : { id: guild.id, locale: "en-US", features: [] },
      guild_locale: guild === null ? undefined : "en-US",
      channel_id: room.id,
      channel: { ...roomJson(room, hub), permissions: permissionsJson(user, room) },
      member:
        guild === null
          ? undefined
          : {
              ...memberJson(guild, user),
              user: userJson(user),
              permissions: permissionsJson(user, room),
            },
      user: guild === null ? userJson(user) : undefined,
      message: message === null ? undefined : messageJson(message, hub, { bot, content: true }),
      app_permissions: permissionsJson(bot, room),
      locale: user.locale,
      entitlements: [],
      authorizing_integration_owners: { "0": guild?.id ?? "0" },
      context: guild === null ? 1 : 0,
      attachment_size_limit: 10_485_760,
    }),
  );
}
