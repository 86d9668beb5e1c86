/** Who a bot token belongs to, and whether an app token opens sockets: asked before a connection is kept. */
import { AskgateError } from "../../core/error.ts";
import type { Clock, Log } from "../../core/ports.ts";
import type { Credentials, Kept } from "../../core/surface.ts";
import { Api, type Reply } from "./api.ts";
import { failureOf } from "./places.ts";
import { answers } from "./wire.ts";

type Parts = { clock: Clock; log: Log };

/** Throws `connection_refused`, which says what to do. */
export async function identify(
  credentials: Credentials,
  parts: Parts,
): Promise<{ connection: string; kept: Kept }> {
  const { tokens, baseUrl } = credentials;
  const bot = new Api({ token: tokens.bot ?? "", baseUrl, ...parts });
  const identity = required(await bot.call("auth.test", {}, answers.identity), "SLACK_BOT_TOKEN");
  const app = new Api({ token: tokens.app ?? "", baseUrl, ...parts });
  required(await app.call("apps.connections.open", {}, answers.nothing), "SLACK_APP_TOKEN");
  const { team, team_id, user, user_id, url } = identity;
  return {
    connection: team_id,
    kept: {
      credentials,
      label: `${team} (bot ${user})`,
      about: { home: url, botUser: user_id, name: user },
      me: null,
    },
  };
}

function required<T>(reply: Reply<T>, token: string): T {
  if (reply.kind === "ok") return reply.value;
  throw new AskgateError("connection_refused", `${token}: ${failureOf(reply)}`, {
    fields: { token },
    help: "See: askgate setup slack, askgate doctor",
  });
}
