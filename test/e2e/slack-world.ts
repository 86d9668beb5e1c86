/** A Slack with a bot that may be killed at any moment, and people in it who press again what Slack says has failed. */
import { setTimeout as pause } from "node:timers/promises";
import type { Credentials } from "../../src/core/ports.ts";
import {
  type Channel,
  type Message,
  type Person,
  type Slack,
  startSlack,
  type Workspace,
} from "../doubles/slack/index.ts";
import type { Life } from "./books.ts";
import type { MortalBot, Stubborn } from "./mortal-bot.ts";

/** How long an acknowledgement may take, on a machine that does much else. */
const ACK_MS = 4_000;
/** What a bot that is gone is not blamed for: its last presses, and the time until Slack's side has noticed. */
const GRACE_MS = 500;
const PATIENCE_MS = 30_000;

export interface SlackWorld {
  slack: Slack;
  acme: Workspace;
  credentials: Credentials;
  /** Everything that has happened in Slack, counted. */
  ticks: number;
  over: boolean;
  /** When each bot was gone, in epoch milliseconds. */
  kills: number[];
  stop(): Promise<void>;
}

export async function openWorld(): Promise<SlackWorld> {
  const slack = await startSlack({
    factor: 50,
    ackMs: ACK_MS,
    retryMs: Array.from({ length: 100 }, () => 200),
  });
  const acme = slack.workspace({ id: "T1", name: "acme", domain: "acme" });
  expectKills(slack);
  const tokens = { bot: acme.botToken, app: acme.appToken };
  const world: SlackWorld = {
    slack,
    acme,
    credentials: { surface: "slack", tokens, baseUrl: slack.apiUrl },
    ticks: 0,
    over: false,
    kills: [],
    stop: () => slack.stop(),
  };
  const count = (): void => {
    world.ticks += 1;
    if (!world.over) void slack.changed().then(count);
  };
  count();
  return world;
}

/** What Slack sees of a bot that is killed, and of the one that comes after it; `tried` and `expectObedience` look closer. */
function expectKills(slack: Slack): void {
  slack.expectFailedPress({ maybe: true });
  slack.expectViolation(/^not acknowledged in time: event message/, { maybe: true });
  slack.expectViolation(/before its Retry-After had passed/, { maybe: true });
  slack.expectError("reactions.add", "already_reacted", { maybe: true });
  // Somebody deletes a message before its sign is there; a card was taken away, and nobody noted it.
  slack.expectError("reactions.add", "message_not_found", { maybe: true });
  slack.expectError("chat.delete", "message_not_found", { maybe: true });
}

/** One life: what people do in one channel or direct message. */
export interface SlackLife extends Life {
  world: SlackWorld;
  people: [Person, ...Person[]];
  channel: Channel;
  /** What `--to` says. */
  to: string;
  /** Presses that Slack said had failed. */
  failures: number;
  /** Typed messages that stand, and whether the agent has them. */
  typed: { ts: string; delivered: boolean }[];
}

/** For a command that asks there. */
export const inSlack = ({ to }: SlackLife) => ({ via: ["slack" as const], to: [to] });

/** The agent is done with it. */
export async function down(life: SlackLife, session: string): Promise<null> {
  life.begins();
  await life.client.insist((gate) => gate.down({ project: "/shop", session, agentSession: null }));
  return null;
}

/** A client whose commands have the tokens in their environment. */
export const withTokens = (client: Stubborn, credentials: Credentials): Stubborn => ({
  ...client,
  insist: (call) =>
    client.insist((gate) => call({ ...gate, open: (request) => gate.open(request, [credentials]) })),
});

/** Resolves as soon as somebody listens to Slack. */
export const heard = ({ slack }: SlackWorld): Promise<void> =>
  slack.until(() => slack.sockets.count > 0, PATIENCE_MS);

/** Does something once. It may fail where nobody listens or the bot was killed, and at no other time. */
export async function tried<Done extends { kind: string }>(
  life: SlackLife,
  deed: () => Promise<Done | { kind: "failed"; reason: string }>,
): Promise<Done | { kind: "failed"; reason: string }> {
  const began = Date.now();
  life.begins();
  life.presses += 1;
  const done = await deed();
  if (done.kind !== "failed" || !("reason" in done)) return done;
  life.failures += 1;
  const killed = (life.world.kills.at(-1) ?? 0) > began - GRACE_MS;
  if (!killed && done.reason !== "no connection is open")
    throw new Error(`failed, and no bot was killed meanwhile: ${done.reason}`);
  await heard(life.world);
  return done;
}

/** Waits until it holds; looks again when something happens in Slack, and now and then. */
export async function eventually(world: SlackWorld, holds: () => Promise<void> | void): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await Promise.race([world.slack.changed(), pause(250)]);
  }
}

/** What the bot has put up in a channel and nobody took away. */
export const standing = ({ acme }: SlackWorld, { room }: Channel): Message[] =>
  room.log.filter(({ user, gone }) => user === acme.botUserId && gone === false);

export async function appears<T>(world: SlackWorld, find: () => T | undefined): Promise<T> {
  let found: T | undefined;
  await world.slack.until(() => {
    found = find();
    return found !== undefined;
  }, PATIENCE_MS);
  if (found === undefined) throw new Error("it was there");
  return found;
}

/** Kills the bot, and notes when it was gone. */
export async function kill(world: SlackWorld, bot: MortalBot): Promise<void> {
  await bot.kill();
  world.kills.push(Date.now());
}
