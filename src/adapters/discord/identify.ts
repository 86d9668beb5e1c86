/** Who a token belongs to, and whether its application hears what people write: asked before a connection is kept. */
import { z } from "zod";
import { AskgateError } from "../../core/error.ts";
import type { Log } from "../../core/ports.ts";
import type { Credentials, Kept } from "../../core/surface.ts";
import { Api, type Reply } from "./api.ts";
import { failureOf } from "./reasons.ts";

/** What lists the open questions of whoever uses it; in a server and in a direct message with the bot. */
export const COMMAND = {
  name: "askgate",
  description: "Your open questions",
  description_localizations: {
    fr: "Vos questions en attente",
    "es-ES": "Sus preguntas pendientes",
    "es-419": "Sus preguntas pendientes",
    "zh-CN": "等待您处理的问题",
  },
  contexts: [0, 1],
};

export const account = z.object({ id: z.string(), username: z.string() });
export const application = z.object({ id: z.string(), flags: z.number().default(0) });

/** Granted by Discord's review, or switched on for an application in few servers. */
const MESSAGE_CONTENT = (1 << 18) | (1 << 19);

export const hearsMessages = ({ flags }: z.infer<typeof application>): boolean =>
  (flags & MESSAGE_CONTENT) !== 0;

export const intentHelp = (app: string): string =>
  `Open https://discord.com/developers/applications/${app}/bot · Privileged Gateway Intents · switch Message Content Intent on · Save Changes. Then run this again.`;

/** Throws `connection_refused`, which says what to do. */
export async function identify(
  credentials: Credentials,
  { log }: { log: Log },
): Promise<{ connection: string; kept: Kept }> {
  const { tokens, baseUrl } = credentials;
  const api = new Api({ token: tokens.bot ?? "", baseUrl, log });
  try {
    const bot = required(await api.call({ method: "GET", path: "/users/@me" }, account));
    const app = required(await api.call({ method: "GET", path: "/applications/@me" }, application));
    if (!hearsMessages(app))
      throw refused(`${bot.username}: Message Content Intent is switched off`, intentHelp(app.id));
    const registered = await register(api, app.id);
    // Without it all else works, and doctor makes up for it.
    if (registered.kind !== "ok") log.warn("the command is not registered", { app: app.id });
    const { username: name } = bot;
    const about = { app: app.id, botUser: bot.id, name };
    return { connection: app.id, kept: { credentials, label: name, about, me: null } };
  } finally {
    api.stop();
  }
}

function required<T>(reply: Reply<T>): T {
  if (reply.kind === "ok") return reply.value;
  if (reply.kind === "error" && reply.status === 401)
    throw refused("DISCORD_TOKEN: Discord does not know this token", TOKEN_HELP);
  throw refused(`DISCORD_TOKEN: ${failureOf(reply)}`, "See: askgate setup discord, askgate doctor");
}

const TOKEN_HELP =
  "Resetting a token ends the one before. A new one: https://discord.com/developers/applications · the application · Bot · Reset Token";

const refused = (message: string, help: string): AskgateError =>
  new AskgateError("connection_refused", message, { help });

/** In place of what was registered under the name before. */
export const register = (api: Api, app: string): Promise<Reply<unknown>> =>
  api.call({ method: "POST", path: `/applications/${app}/commands`, body: COMMAND }, z.unknown());
