/** What the tests of delivery share: a stage that watches for what must never happen, and a question to Ana's channel. */
import { expect, onTestFinished } from "vitest";
import type { Opened, OpenRequest } from "../../../src/core/gate.ts";
import type { Message } from "../../doubles/slack/index.ts";
import { PLAN } from "../../support/login.ts";
import { type SlackStage, type StageOptions, slackStage } from "../../support/slack-stage.ts";

/** Nothing that goes wrong may end the process, and no token may stand in the log. */
export async function delivery(options: StageOptions = {}): Promise<SlackStage> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const stage = await slackStage({ factor: 100, ...options });
  onTestFinished(() => {
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    expect(stage.logged.filter((line) => /xox[a-z]-|xapp-/.test(line))).toEqual([]);
  });
  return stage;
}

export const blocksOf = (message: Message | undefined): string => JSON.stringify(message?.blocks ?? []);

/** The home message in #plans, once it stands. */
export function home(stage: SlackStage): Message {
  const [first] = stage.team.plans.messages();
  if (first === undefined) throw new Error("nothing stands in #plans");
  return first;
}

/** What was asked stands in #plans. */
export async function asked(stage: SlackStage, more: Partial<OpenRequest> = {}): Promise<Opened> {
  const opened = await stage.open(more);
  expect(opened.result).toBeNull();
  return opened;
}

export const askedPlan = (stage: SlackStage, more: Partial<OpenRequest> = {}): Promise<Opened> =>
  asked(stage, { kind: "plan", payload: PLAN, ...more });

/** Calls of a method, by its end. */
export const calls = (stage: SlackStage, method: string) =>
  stage.slack.calls.filter((call) => call.method === method);

export const shows = (message: Message | undefined, text: string): boolean =>
  blocksOf(message).includes(text);

/** What the round is as JSON, now. */
export const now = async (stage: SlackStage, { round }: Opened) =>
  (await stage.engine().wait(round, 0, false)).result;

export const PASSWORD = "2 Password + magic link";
export const MAGIC = "1 Magic link only";

/** The message in #plans, or in home's thread, that shows this. */
export function showing(stage: SlackStage, text: string): Message {
  const { plans } = stage.team;
  const all = plans.messages().flatMap((message) => [message, ...plans.thread(message.ts)]);
  const found = all.find((message) => shows(message, text));
  if (found === undefined) throw new Error(`nothing shows ${text}`);
  return found;
}

export const bothListen = (stage: SlackStage): Promise<void> =>
  stage.slack.until(() => stage.slack.sockets.count === 2);

/** The bot ends. What Slack is sending it at this moment comes again to its next life. */
export async function stop(stage: SlackStage): Promise<void> {
  stage.slack.expectViolation(/^not acknowledged in time: event/, { maybe: true });
  await stage.stop();
}

/** … and lives again, listening. */
export async function start(stage: SlackStage): Promise<void> {
  await stage.start();
  await bothListen(stage);
}

export function promise(): { done: Promise<void>; release(): void } {
  let release = (): void => {};
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { done, release };
}
