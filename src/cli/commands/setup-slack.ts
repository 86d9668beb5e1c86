/** `setup slack`: the app to make, and its two tokens. */
import { userInfo } from "node:os";
import { manifest } from "../../adapters/slack/manifest.ts";
import type { Prompt } from "../prompt.ts";
import { print, say, toText } from "../shell.ts";
import { SLACK } from "../tokens.ts";
import { type ChatSetup, offerBrowser, type SetupFlags, setUpChat } from "./setup-chat.ts";

export interface SlackFlags extends SetupFlags {
  name?: string;
  manifest?: true;
}

const NEW_APP = "https://api.slack.com/apps?new_app=1";

/** The name of an app that a team shares. */
const SHARED = "askgate";

export async function setupSlack(flags: SlackFlags): Promise<number> {
  if (!flags.manifest) return setUpChat(slackSetup(flags), flags);
  await print(toText(manifest(flags.name ?? SHARED)));
  return 0;
}

const slackSetup = ({ name }: SlackFlags): ChatSetup => ({
  chat: SLACK,
  title: "Slack",
  who: "e-mail, @name or id",
  steps: () => steps(name ?? SHARED),
  guide: async (prompt) => guide(prompt, name ?? (await chooseName(prompt))),
  paste: "Paste the two tokens here; they are not shown.",
  settle: async () => true,
});

async function guide(prompt: Prompt, name: string): Promise<void> {
  for (const line of steps(name)) say(line);
  const filledIn = `${NEW_APP}&manifest_json=${encodeURIComponent(JSON.stringify(manifest(name)))}`;
  await offerBrowser(prompt, "Open step 1 in the browser, the manifest filled in?", filledIn);
}

/** Shared or one's own: only the names differ, so that two apps in one team can be told apart. */
async function chooseName(prompt: Prompt): Promise<string> {
  const own = ownName();
  say("Does your team share one bot, or is this one for your agents alone?");
  say(`  1  my own (app "${own}"): I run it, and anybody in Slack can be asked`);
  say(`  2  the team's (app "${SHARED}"): one machine runs it for everybody's agents`);
  say("An app is for one bot: two that use it steal each other's answers.");
  const answer = await prompt.ask("1 or 2 (1): ");
  if (answer === "2") return SHARED;
  return answer === "" || answer === "1" ? own : chooseName(prompt);
}

const ownName = (): string =>
  `${SHARED}-${userInfo()
    .username.toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")}`.slice(0, 35);

/** Everything to click, and the manifest to paste. */
const steps = (name: string): string[] => [
  "",
  `1  Open ${NEW_APP} · From a manifest · choose the workspace · JSON · paste this:`,
  "",
  JSON.stringify(manifest(name), null, 2),
  "",
  "2  Create it, then Install to Workspace (where apps need one, an admin approves it)",
  `3  ${SLACK.tokens.bot.where}: copy it (xoxb-…)`,
  `4  ${SLACK.tokens.app.where}: generate one with the scope connections:write, copy it (xapp-…)`,
  `5  In Slack, invite the bot to the channels where it should ask:  /invite @${name}`,
];
