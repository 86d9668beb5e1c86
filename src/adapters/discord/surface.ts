/** Discord as a surface: any number of applications, each with a bot of its own. The SDK is loaded with the first one. */
import type { Clock, Log } from "../../core/ports.ts";
import type { Chat, Vault } from "../../core/surface.ts";
import { openChat } from "../shared/chat.ts";
import { appOf, permalink, personId } from "./address.ts";
import { DISCORD_LIMITS } from "./limits.ts";

export interface DiscordParts {
  vault: Vault;
  clock: Clock;
  log: Log;
}

export function openDiscord({ vault, clock, log }: DiscordParts): Chat {
  return openChat(
    {
      name: "discord",
      label: "Discord",
      limits: DISCORD_LIMITS,
      async identify(credentials) {
        const { identify } = await import("./identify.ts");
        return identify(credentials, { log });
      },
      async open(app, kept, ear) {
        const { DiscordConnection } = await import("./connection.ts");
        return new DiscordConnection({ app, kept, clock, log, ear });
      },
      connectionOf: appOf,
      personId,
      personIn: (who) => ({ connection: null, who }),
      url: permalink,
    },
    vault,
  );
}
