/** A chat with a bot that may be killed at any moment, and people in it who press again what they see has failed. */
import { setTimeout as pause } from "node:timers/promises";
import type { Credentials } from "../../src/core/surface.ts";
import type { Life } from "./books.ts";
import type { Deed, OpenPlatform, Platform, Post, Room, Sent, Somebody } from "./chat-platform.ts";
import type { MortalBot, Stubborn } from "./mortal-bot.ts";

/** What a bot that is gone is not blamed for: its last presses, and the time until the chat's side has noticed. */
const GRACE_MS = 500;
const PATIENCE_MS = 30_000;

export interface World {
  platform: Platform;
  /** Everything that has happened in the chat, counted. */
  ticks: number;
  over: boolean;
  /** When each bot was gone, in epoch milliseconds. */
  kills: number[];
  stop(): Promise<void>;
}

export async function openWorld(open: OpenPlatform): Promise<World> {
  const platform = await open();
  const stop = () => platform.stop();
  const world: World = { platform, ticks: 0, over: false, kills: [], stop };
  const count = (): void => {
    world.ticks += 1;
    if (!world.over) void platform.changed().then(count);
  };
  count();
  return world;
}

/** One life: what people do in one channel or direct message. */
export interface ChatLife extends Life {
  world: World;
  people: [Somebody, ...Somebody[]];
  room: Room;
  /** Presses that people saw had failed. */
  failures: number;
  /** Typed messages that stand, and whether the agent has them. */
  typed: { said: Post; delivered: boolean }[];
}

/** For a command that asks there. */
export const inChat = ({ world, room }: ChatLife) => ({ via: [world.platform.name], to: [room.to] });

/** The agent is done with it. */
export async function down(life: ChatLife, session: string): Promise<null> {
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

/** Resolves as soon as somebody listens to the chat. */
export const heard = (world: World): Promise<void> =>
  eventually(world, () => {
    if (!world.platform.listens) throw new Error("nobody listens");
  });

/** Does something once. It may fail where nobody listens or the bot was killed, and at no other time. */
export async function tried<Done extends Deed | Sent>(
  life: ChatLife,
  deed: () => Promise<Done>,
): Promise<Done> {
  const { world } = life;
  const began = Date.now();
  const deaf = !world.platform.listens;
  life.begins();
  life.presses += 1;
  const done = await deed();
  if (done.kind !== "failed") return done;
  life.failures += 1;
  const killed = (world.kills.at(-1) ?? 0) > began - GRACE_MS;
  if (!killed && !deaf) throw new Error(`failed, and no bot was killed meanwhile: ${done.reason}`);
  await heard(world);
  return done;
}

/**
 * Waits until it holds, for so long after the bot was killed last: one that is killed begins anew. Looks again when something
 * happens in the chat, and now and then.
 */
export async function eventually<T>(world: World, holds: () => Promise<T> | T): Promise<T> {
  const began = Date.now();
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      const since = Math.max(began, world.kills.at(-1) ?? 0);
      if (Date.now() - since > PATIENCE_MS) throw error;
    }
    await Promise.race([world.platform.changed(), pause(250)]);
  }
}

export const appears = <T>(world: World, find: () => T | undefined): Promise<T> =>
  eventually(world, () => {
    const found = find();
    if (found === undefined) throw new Error(`it does not appear: ${find}`);
    return found;
  });

/** Kills the bot, and notes when it was gone. */
export async function kill(world: World, bot: MortalBot): Promise<void> {
  await bot.kill();
  world.kills.push(Date.now());
  await world.platform.gone();
}
