import { test } from "vitest";
import { expectToSurvive } from "./chat-chaos.ts";
import { openDiscordPlatform } from "./discord-platform.ts";

test("a bot in Discord that is killed at 100 random moments loses nothing and posts nothing twice", async ({
  annotate,
}) => {
  await annotate(await expectToSurvive(openDiscordPlatform));
}, 600_000);
