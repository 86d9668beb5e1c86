/** Slack as a surface: any number of workspaces, each with a connection of its own. The SDK is loaded with the first one. */
import type { Clock, Log } from "../../core/ports.ts";
import type { Chat, Vault } from "../../core/surface.ts";
import { openChat } from "../shared/chat.ts";
import { channelOf, permalink, personId, teamOf } from "./address.ts";
import { SLACK_LIMITS } from "./limits.ts";

export interface SlackParts {
  vault: Vault;
  clock: Clock;
  log: Log;
}

export function openSlack({ vault, clock, log }: SlackParts): Chat {
  return openChat(
    {
      name: "slack",
      label: "Slack",
      limits: SLACK_LIMITS,
      async identify(credentials) {
        const { identify } = await import("./identify.ts");
        return identify(credentials, { clock, log });
      },
      async open(team, kept, ear) {
        const { SlackConnection } = await import("./connection.ts");
        return new SlackConnection({ team, kept, clock, log, ear });
      },
      connectionOf: teamOf,
      personId,
      personIn(who) {
        const [, connection = null, user = who] = /^(T[A-Z0-9]+)\/(.+)$/.exec(who) ?? [];
        return { connection, who: user };
      },
      url: (place, handle, kept) =>
        permalink(kept?.about.home ?? "https://slack.com/", channelOf(place), handle),
    },
    vault,
  );
}
