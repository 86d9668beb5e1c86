import { stages, testKills } from "./chat-killed.ts";
import { openSlackPlatform } from "./slack-platform.ts";

testKills(stages(openSlackPlatform));
