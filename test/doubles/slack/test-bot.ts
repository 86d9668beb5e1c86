/** A bot for the double's own tests: the real Socket Mode client, and one answer to what people do. */
import { SocketModeClient } from "@slack/socket-mode";
import type { Slack, Workspace } from "./index.ts";
import { quiet } from "./testing.ts";
import { type Json, record } from "./wire.ts";

export interface TestBot {
  /** The interactive and command payloads, in order. */
  payloads: Json[];
  /** What to acknowledge the next ones with; null never acknowledges. */
  answer: (payload: Json) => Promise<Json | undefined | null> | Json | undefined | null;
  last(): Json;
  stop(): Promise<void>;
}

export async function testBot(slack: Slack, workspace: Workspace): Promise<TestBot> {
  const client = new SocketModeClient({
    appToken: workspace.appToken,
    logger: quiet,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
  const bot: TestBot = {
    payloads: [],
    answer: () => undefined,
    last: () => record(bot.payloads.at(-1)),
    stop: () => client.disconnect(),
  };
  client.on("slack_event", async ({ ack, type, body }) => {
    const interactive = type === "interactive" || type === "slash_commands";
    if (interactive) bot.payloads.push(record(body));
    const said = interactive ? await bot.answer(record(body)) : undefined;
    if (said !== null) await ack(said);
  });
  await client.start();
  return bot;
}
