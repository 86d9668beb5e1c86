/** `setup discord`: the application to make, its token, and the way into a server. */
import { applicationOf, inviteLink } from "../../adapters/discord/invite.ts";
import { type Client, connect } from "../../adapters/link/client.ts";
import type { Check, Connected } from "../../core/surface.ts";
import { UsageError } from "../exit.ts";
import type { Prompt } from "../prompt.ts";
import { harmless, print, say } from "../shell.ts";
import { DISCORD } from "../tokens.ts";
import {
  type ChatSetup,
  givenTokens,
  kept,
  offerBrowser,
  type Setting,
  type SetupFlags,
  setUpChat,
} from "./setup-chat.ts";

export interface DiscordFlags extends SetupFlags {
  invite?: true;
}

const NEW_APPLICATION = "https://discord.com/developers/applications?new_application=true";

export async function setupDiscord(flags: DiscordFlags): Promise<number> {
  if (!flags.invite) return setUpChat(SETUP, flags);
  await print(`${inviteLink(await application())}\n`);
  return 0;
}

const SETUP: ChatSetup = {
  chat: DISCORD,
  title: "Discord",
  who: "@name or id",
  steps: () => STEPS,
  guide,
  paste: "Paste the token here; it is not shown.",
  settle: letIn,
};

const STEPS = [
  "",
  `1  Open ${NEW_APPLICATION} · New Application: its name is the bot's`,
  "   (an application is for one bot: a team shares it, or everybody has their own)",
  "2  Bot · Privileged Gateway Intents · switch Message Content Intent on · Save Changes",
  "3  Bot · Reset Token · copy the token: it is shown once",
];

async function guide(prompt: Prompt): Promise<void> {
  for (const line of STEPS) say(line);
  await offerBrowser(prompt, "Open step 1 in the browser?", NEW_APPLICATION);
}

/** The application of the tokens that are set, else the one that is connected. */
async function application(): Promise<string> {
  const given = givenTokens(DISCORD);
  const named = given === undefined ? null : applicationOf(given.tokens.bot ?? "");
  if (named !== null) return named;
  const client = await connect();
  const [only, ...more] = await kept(DISCORD, client).finally(() => client.close());
  if (only !== undefined && more.length === 0) return only.connection;
  throw new UsageError(
    only === undefined ? "no application is known yet" : "several applications are connected",
    `Set ${DISCORD.tokens.bot.name}, or run askgate setup discord: it shows the link.`,
  );
}

/** Nobody can be asked before the bot is in a server: resolves to whether it is. */
async function letIn({ client, prompt, flags }: Setting, connected: Connected): Promise<boolean> {
  const look = (): Promise<Check> => lookAtServers(client, connected);
  if (await isIn(look)) return true;
  const link = inviteLink(connected.connection);
  say(`\nLet the bot into your server, which you must be allowed to manage:\n  ${link}`);
  if (prompt !== null) return waitForServer(prompt, look, link);
  if (flags.me !== undefined)
    throw new UsageError(
      "the bot is in no server yet: nobody can be asked",
      "Let it in, then run this again.",
    );
  return false;
}

async function waitForServer(prompt: Prompt, look: () => Promise<Check>, link: string): Promise<boolean> {
  await offerBrowser(prompt, "Open it in the browser?", link);
  do {
    const answer = await prompt.ask("Enter once it is in, s to do it later: ");
    if (answer.toLowerCase().startsWith("s")) return false;
  } while (!(await isIn(look)));
  return true;
}

async function isIn(look: () => Promise<Check>): Promise<boolean> {
  const { state, detail } = await look();
  say(`${state === "ok" ? "in " : "not yet: "}${harmless(detail)}`);
  return state === "ok";
}

/** What `doctor` says of the servers, without the rest of it. */
async function lookAtServers(client: Client, { surface, connection }: Connected): Promise<Check> {
  let last: Check = { name: "servers", state: "failed", detail: "not looked at", help: "" };
  for await (const check of client.connections.check({ surface, connection, to: [] })) {
    last = check;
    if (check.name === "servers") break;
  }
  return last;
}
