/** `bot run|start|stop|status|logs`. What a command does is imported when it runs. */
import { Command, InvalidArgumentError, Option } from "commander";

export function botCommand(): Command {
  const bot = new Command("bot").description(
    "the process that keeps the questions; commands start it when they need it",
  );
  bot
    .command("run")
    .description("run it here, in the foreground, until ^C")
    .addOption(new Option("--detached", "started by a command: ends when nobody needs it").hideHelp())
    .action(async (flags: { detached?: true }) => {
      const { botRun } = await import("./bot-run.ts");
      await botRun(flags.detached ?? false);
    });
  bot
    .command("start")
    .description("start it in the background")
    .option("--json", "as JSON")
    .action(async (flags: { json?: true }) => {
      const { botStart } = await import("./bot-status.ts");
      await botStart(flags);
    });
  bot
    .command("stop")
    .description("stop it; open questions stay open")
    .action(async () => {
      const { botStop } = await import("./bot-status.ts");
      await botStop();
    });
  bot
    .command("status")
    .description("whether it runs, since when, and for whom")
    .option("--json", "as JSON")
    .action(async (flags: { json?: true }) => {
      const { botStatus } = await import("./bot-status.ts");
      await botStatus(flags);
    });
  bot
    .command("logs")
    .description("what it did and what went wrong")
    .option("-f, --follow", "go on as it writes")
    .option("-n, --lines <n>", "how many of the last lines", lineCount, 50)
    .option("--json", "as it is written, one JSON object a line")
    .action(async (flags: { follow?: true; lines: number; json?: true }) => {
      const { botLogs } = await import("./bot-logs.ts");
      await botLogs(flags);
    });
  return bot;
}

function lineCount(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError("It is a number of lines, such as 50.");
  return Number(text);
}
