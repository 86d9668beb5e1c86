import { test } from "vitest";
import { expectToSurvive } from "./chat-chaos.ts";
import { openSlackPlatform } from "./slack-platform.ts";

test("a bot in Slack that is killed at 100 random moments loses nothing and posts nothing twice", async ({
  annotate,
}) => {
  await annotate(await expectToSurvive(openSlackPlatform));
}, 600_000);
