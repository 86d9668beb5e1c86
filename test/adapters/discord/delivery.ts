/** What the tests of delivery share: a stage that watches for what must never happen, and a question to Ana's channel. */
import { expect, onTestFinished } from "vitest";
import type { Opened, OpenRequest } from "../../../src/core/gate.ts";
import type { Store } from "../../../src/core/ports.ts";
import type { Message } from "../../doubles/discord/index.ts";
import { type DiscordStage, discordStage, type StageOptions } from "../../support/discord-stage.ts";

export const POST = "POST /channels/:channel/messages";
export const EDIT = "PATCH /channels/:channel/messages/:message";
export const REMOVE = "DELETE /channels/:channel/messages/:message";
export const READ = "GET /channels/:channel/messages";
export const THREAD = "POST /channels/:channel/messages/:message/threads";
export const REACT = "PUT /channels/:channel/messages/:message/reactions/:emoji/@me";
export const ANSWER = "POST /interactions/:interaction/:token/callback";

/** Nothing that goes wrong may end the process, and no token may stand in the log. */
export async function delivery(options: StageOptions = {}): Promise<DiscordStage> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const stage = await discordStage({ factor: 100, ...options });
  onTestFinished(() => {
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    const { token } = stage.discord;
    expect(stage.logged.filter((line) => line.includes(token) || line.includes("aW50ZXJhY3Rpb246"))).toEqual(
      [],
    );
  });
  return stage;
}

/** The home message in #plans, once it stands. */
export function home({ team }: DiscordStage): Message {
  const [first] = team.plans.messages();
  if (first === undefined) throw new Error("nothing stands in #plans");
  return first;
}

/** What stands in home's thread. */
export const thread = (stage: DiscordStage): Message[] => {
  const [first] = stage.team.plans.messages();
  return first === undefined ? [] : (stage.team.plans.thread(first.id)?.messages() ?? []);
};

/** The thread itself. */
export function room(stage: DiscordStage) {
  const there = stage.team.plans.thread(home(stage).id);
  if (there === null) throw new Error("home has no thread");
  return there;
}

/** What was asked stands in #plans. */
export async function asked(stage: DiscordStage, more: Partial<OpenRequest> = {}): Promise<Opened> {
  const opened = await stage.open(more);
  expect(opened.result).toBeNull();
  return opened;
}

const PLAN = { title: "Login flow", plan: "# Login\n\nWe send a link." };

export const askedPlan = (stage: DiscordStage, more: Partial<OpenRequest> = {}): Promise<Opened> =>
  asked(stage, { kind: "plan", payload: PLAN, ...more });

/** Calls of a route. */
export const calls = (stage: DiscordStage, route: string) =>
  stage.discord.calls.filter(({ method }) => method === route);

export const shows = (message: Message | undefined, text: string): boolean =>
  message !== undefined &&
  !message.gone &&
  JSON.stringify([message.content, message.components]).includes(text);

/** The message in #plans, or in a thread there, that shows this. */
export function showing({ team }: DiscordStage, text: string): Message {
  const all = [team.plans, ...team.plans.threads()].flatMap((one) => one.messages());
  const found = all.find((message) => shows(message, text));
  if (found === undefined) throw new Error(`nothing shows ${text}`);
  return found;
}

/** What the round is as JSON, now. */
export const now = async (stage: DiscordStage, { round }: Opened) =>
  (await stage.engine().wait(round, 0, false)).result;

/** All that is known of the round's session. */
export const known = async (stage: DiscordStage, { session }: Opened): Promise<string> =>
  JSON.stringify(await stage.engine().show(session));

export const PASSWORD = "2 Password + magic link";
export const MAGIC = "1 Magic link only";
export const DAY = "1 One day";
export const MONTH = "2 One month";

/** The bot lives again, listening. */
export async function start(stage: DiscordStage): Promise<void> {
  await stage.start();
  await listens(stage);
}

export const listens = ({ discord }: DiscordStage): Promise<void> =>
  discord.until(() => discord.sockets.count === 1);

export const says = ({ logged }: DiscordStage, words: string): boolean =>
  logged.some((line) => line.includes(words));

export function promise(): { done: Promise<void>; release(): void } {
  let release = (): void => {};
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { done, release };
}

/** A store whose saves of sessions wait for a gate, or fail. */
export function gated() {
  const gate = { open: Promise.resolve(), fails: false, saves: 0 };
  const around = (store: Store): Store => ({
    ...store,
    load: (key) => store.load(key),
    remove: (key) => store.remove(key),
    list: (prefix) => store.list(prefix),
    close: () => store.close(),
    async save(key, value, expected) {
      if (key.startsWith("session/")) {
        gate.saves += 1;
        await gate.open;
        if (gate.fails) throw new Error("the disk is full");
      }
      return store.save(key, value, expected);
    },
  });
  return { gate, around };
}
