/** What the double's own tests share. */

import { LogLevel, WebAPIPlatformError, WebClient } from "@slack/web-api";
import { type Slack, type SlackOptions, startSlack, type Workspace } from "./index.ts";
import { record } from "./wire.ts";

export interface Scene {
  slack: Slack;
  acme: Workspace;
  web: WebClient;
}

/** A Slack with a workspace `acme` and the real client with its bot token, without retries. */
export async function scene(
  options?: SlackOptions,
  more: { events?: string[]; moreScopes?: string[] } = {},
): Promise<Scene> {
  const slack = await startSlack(options);
  const acme = slack.workspace({ id: "T1", name: "acme", domain: "acme", ...more });
  return { slack, acme, web: client(slack, acme.botToken) };
}

export const client = (slack: Slack, token: string): WebClient =>
  new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
    logger: quiet,
  });

const nothing = () => {};
/** Refusals are what these tests are about; the client need not print them. */
export const quiet = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => LogLevel.ERROR,
};

/** The error that Slack answers, or null where the call went well. */
export async function refusal(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof WebAPIPlatformError) return error.data.error;
    throw error;
  }
}

/** All that Slack answers with an error. */
export async function refused(call: Promise<unknown>): Promise<{ [key: string]: unknown }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof WebAPIPlatformError) return record(error.data);
    throw error;
  }
  throw new Error("it was not refused");
}
