/** The gate with a Slack of its own, in one process: real SDKs and sockets, a real clock, records in memory. */
import { onTestFinished } from "vitest";
import { openSlack } from "../../src/adapters/slack/surface.ts";
import { type Slack, type SlackOptions, startSlack, type Workspace } from "../doubles/slack/index.ts";
import { type Bot, type BotParts, chatBot } from "./chat-bot.ts";

export interface SlackStage extends Bot {
  slack: Slack;
  team: ReturnType<typeof people>;
}

export type StageOptions = SlackOptions & Pick<BotParts, "clock" | "around">;

export function people(
  slack: Slack,
  acme: Workspace = slack.workspace({ id: "T1", name: "acme", domain: "acme" }),
) {
  const ana = acme.person({ id: "U0ANA", name: "Ana", email: "ana@acme.test" });
  const ben = acme.person({ id: "U0BEN", name: "Ben", email: "ben@acme.test" });
  const cho = acme.person({ id: "U0CHO", name: "Cho", email: "cho@acme.test" });
  const gus = acme.person({ id: "U0GUS", name: "Gus", guest: true });
  const sam = acme.person({ id: "U0SAM", name: "Sam" });
  const plans = acme.channel({ id: "C0PLANS", name: "plans", members: [ana, ben, cho, gus, acme.bot] });
  return { acme, ana, ben, cho, gus, sam, plans };
}

/** Everything is put away when the test ends, and Slack must have nothing to complain about. */
export async function slackStage({ clock, around, ...options }: StageOptions = {}): Promise<SlackStage> {
  const slack = await startSlack(options);
  const team = people(slack);
  const { botToken, appToken } = team.acme;
  const bot = chatBot({
    chat: openSlack,
    credentials: { surface: "slack", tokens: { bot: botToken, app: appToken }, baseUrl: slack.apiUrl },
    ...(clock !== undefined && { clock }),
    ...(around !== undefined && { around }),
  });
  onTestFinished(async () => {
    const complaint = await slack.assertClean().catch((error: unknown) => error);
    if (bot.isRunning()) await bot.stop();
    await slack.stop();
    if (complaint !== undefined) throw complaint;
  });
  await bot.start();
  return { ...bot, slack, team };
}
