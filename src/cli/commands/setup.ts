/** `setup slack|discord`. What a command does is imported when it runs. */
import { Command, InvalidArgumentError, Option } from "commander";
import { SETUP_DISCORD, SETUP_SLACK } from "../help.ts";
import type { DiscordFlags } from "./setup-discord.ts";
import type { SlackFlags } from "./setup-slack.ts";

export function setupCommand(finish: (code: number) => void): Command {
  const setup = new Command("setup").description("connect a chat, from nothing");
  setup
    .command("slack")
    .description("make the Slack app, connect it, say who you are")
    .option("--name <name>", "the app's name in Slack", appName)
    .option("--me <who>", "who you are in Slack: e-mail, @name or id; else you are asked")
    .addOption(new Option("--manifest", "print the app's manifest and nothing else").conflicts("me"))
    .option("--json", "the result as JSON")
    .addHelpText("after", SETUP_SLACK)
    .action(async (flags: SlackFlags) => {
      const { setupSlack } = await import("./setup-slack.ts");
      finish(await setupSlack(flags));
    });
  setup
    .command("discord")
    .description("make the Discord bot, connect it, say who you are")
    .option("--me <who>", "who you are in Discord: @name or id; else you are asked")
    .addOption(new Option("--invite", "print the link that lets the bot into a server").conflicts("me"))
    .option("--json", "the result as JSON")
    .addHelpText("after", SETUP_DISCORD)
    .action(async (flags: DiscordFlags) => {
      const { setupDiscord } = await import("./setup-discord.ts");
      finish(await setupDiscord(flags));
    });
  return setup;
}

/** What Slack takes for the app and for its bot user. */
function appName(text: string): string {
  if (/^[a-z0-9._-]{1,35}$/.test(text)) return text;
  throw new InvalidArgumentError("It may have 35 characters of a-z, 0-9, -, _ and . in it.");
}
