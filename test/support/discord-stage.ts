/** The gate with a Discord of its own, in one process: the real SDK and sockets, a real clock, records in memory. */
import { onTestFinished } from "vitest";
import { openDiscord } from "../../src/adapters/discord/surface.ts";
import { type Discord, type DiscordOptions, type Guild, startDiscord } from "../doubles/discord/index.ts";
import { type Bot, type BotParts, chatBot } from "./chat-bot.ts";

export interface DiscordStage extends Bot {
  discord: Discord;
  team: ReturnType<typeof people>;
}

export type StageOptions = DiscordOptions & Pick<BotParts, "clock" | "around">;

/** Luc reads Discord in French. */
export function people(discord: Discord, acme: Guild = discord.guild({ id: "100", name: "acme" })) {
  const ana = acme.person({ id: "501", name: "Ana" });
  const ben = acme.person({ id: "502", name: "Ben" });
  const cho = acme.person({ id: "503", name: "Cho" });
  const gus = acme.person({ id: "504", name: "Gus", guest: true });
  const sam = acme.person({ id: "505", name: "Sam" });
  const luc = acme.person({ id: "506", name: "Luc", locale: "fr" });
  const plans = acme.channel({ id: "201", name: "plans", members: [ana, ben, cho, gus, luc, acme.bot] });
  return { acme, ana, ben, cho, gus, sam, luc, plans };
}

/** Everything is put away when the test ends, and Discord must have nothing to complain about. */
export async function discordStage({ clock, around, ...options }: StageOptions = {}): Promise<DiscordStage> {
  const discord = await startDiscord(options);
  const bot = chatBot({
    chat: openDiscord,
    credentials: { surface: "discord", tokens: { bot: discord.token }, baseUrl: discord.apiUrl },
    ...(clock !== undefined && { clock }),
    ...(around !== undefined && { around }),
  });
  // A thread that a person opened, or that was there before a restart, is found by trying.
  discord.expectError("POST /channels/:channel/messages/:message/threads", 160004, { maybe: true });
  const team = people(discord);
  onTestFinished(async () => {
    const complaint = await discord.assertClean().catch((error: unknown) => error);
    if (bot.isRunning()) await bot.stop();
    await discord.stop();
    if (complaint !== undefined) throw complaint;
  });
  await bot.start();
  return { ...bot, discord, team };
}
