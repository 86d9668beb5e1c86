/** Slack does what every chat does. */
import { chatSuite } from "../../conformance/chat-suite.ts";
import { openSlackChat } from "../../support/slack-chat.ts";

chatSuite("Slack", openSlackChat);
