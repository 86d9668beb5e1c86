/** Discord does what every chat does. */
import { chatSuite } from "../../conformance/chat-suite.ts";
import { openDiscordChat } from "../../support/discord-chat.ts";

chatSuite("Discord", openDiscordChat);
