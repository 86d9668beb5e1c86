/** What stands in Slack in the end, held against what the bot's sessions draw: every card once, as it is now, and nothing else. */
import { expect } from "vitest";
import { z } from "zod";
import { channelOf } from "../../src/adapters/slack/address.ts";
import { SLACK_LIMITS } from "../../src/adapters/slack/limits.ts";
import { renderCard } from "../../src/adapters/slack/render.ts";
import type { Card } from "../../src/core/card.ts";
import { cards } from "../../src/core/cards.ts";
import type { Place } from "../../src/core/people.ts";
import type { Session } from "../../src/core/session.ts";
import type { Channel, Message } from "../doubles/slack/index.ts";
import { isJson } from "../doubles/slack/wire.ts";
import { type SlackLife, type SlackWorld, standing } from "./slack-world.ts";

/** Where a link leads is looked at apart. */
const LINK = /https:\/\/acme\.slack\.com\/archives\/\w+\/p(\d{10})(\d{6})[^"]*/g;
const SOMEWHERE = "https://acme.slack.com/archives/C0/p00000000000000000";

const Whole = z.custom<Session>((value) => typeof value === "object");

/** A channel, and the sessions that stand there. */
export interface Shown {
  world: SlackWorld;
  channel: Channel;
  sessions: Iterable<string>;
  /** A session as the bot has it. */
  show(id: string): Promise<unknown>;
}

/** Throws where a channel shows anything else than its sessions' cards. */
export async function expectScene(there: Shown): Promise<void> {
  const { world, channel } = there;
  const messages = standing(world, channel);
  const shown = messages.map((message) => seenAs(message, channel.room.byTs.get(message.threadTs ?? "")));
  expect(shown.sort()).toEqual((await wanted(there)).sort());
  for (const message of messages)
    for (const [, seconds, micros] of JSON.stringify(message.blocks).matchAll(LINK))
      expect(messages.map(({ ts }) => ts)).toContain(`${seconds}.${micros}`);
}

async function wanted({ channel, sessions, show }: Shown): Promise<string[]> {
  const all: string[] = [];
  for (const id of sessions) {
    const session: Session = { ...Whole.parse(await show(id)), posts: {}, tells: [], seen: [] };
    const here = session.places.filter((place) => channelOf(place) === channel.id);
    all.push(...here.flatMap((place) => drawn(session, place)));
  }
  return all;
}

function drawn(session: Session, place: Place): string[] {
  const url = () => SOMEWHERE;
  const all = cards(session, { place, limits: SLACK_LIMITS, locale: session.locale, url });
  const byKey = new Map(all.map((card) => [card.key, card]));
  return all.map((card) => {
    const root = card.under === null ? undefined : byKey.get(card.under);
    return root === undefined ? look(card) : `${look(root)}\n  ${look(card)}`;
  });
}

function look(card: Card): string {
  const [part] = card.parts;
  return part?.kind === "file"
    ? `file ${part.name} ${part.text}`
    : bare(renderCard({ ...card, mention: [] }).blocks);
}

function seenAs(message: Message, root: Message | undefined): string {
  return root === undefined ? seen(message) : `${seen(root)}\n  ${seen(message)}`;
}

function seen({ files, blocks }: Message): string {
  const [file] = files;
  return file === undefined ? bare(blocks) : `file ${file.name} ${file.content.toString()}`;
}

/** Blocks without what Slack fills in, and without mentions, which belong to a first post only. */
function bare(blocks: readonly unknown[]): string {
  const kept = blocks.filter((block) => !(isJson(block) && block.type === "section"));
  return JSON.stringify(kept.map(stripped)).replaceAll(LINK, "there");
}

const FILLED_IN = new Set(["block_id", "emoji", "verbatim"]);

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (!isJson(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !FILLED_IN.has(key));
  return Object.fromEntries(
    kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, held]) => [key, stripped(held)]),
  );
}

/** Each post has a number of its own: none was sent twice, not even for a while. */
export function expectOncePosted({ world, channel }: Pick<Shown, "world" | "channel">): void {
  const posted = channel.room.log.filter(({ user }) => user === world.acme.botUserId);
  const nonces = posted.flatMap(({ metadata }) => (metadata === null ? [] : JSON.stringify(metadata)));
  expect(nonces).toHaveLength(new Set(nonces).size);
}

/** Typed messages carry the signs that they were kept, and that the agent has them. */
export function expectSigns({ typed, channel }: SlackLife): void {
  const signs = typed.map(({ ts }) => [ts, ...signsAt(channel.room.byTs.get(ts))]);
  expect(signs).toEqual(
    typed.map(({ ts, delivered }) => [ts, "eyes", ...(delivered ? ["white_check_mark"] : [])]),
  );
}

const signsAt = (message: Message | undefined): string[] =>
  (message?.reactions ?? []).map(({ name }) => name).sort();

const RETRY_AFTER_MS = 1_000;
/** What was on its way may arrive so much later on a machine that does much else; timers fire a little early. */
const ON_ITS_WAY_MS = 500;
const EARLY_MS = 100;

/** After a 429 a bot leaves the method alone for as long as it was told; the next bot cannot know of it. */
export function expectObedience({ slack, kills }: SlackWorld): void {
  for (const limited of slack.calls.filter(({ error }) => error === "ratelimited")) {
    const until = Math.min(limited.at + RETRY_AFTER_MS - EARLY_MS, ...kills.filter((at) => at >= limited.at));
    const early = slack.calls.filter(
      ({ method, channel, at }) =>
        method === limited.method &&
        channel === limited.channel &&
        at > limited.at + ON_ITS_WAY_MS &&
        at < until,
    );
    expect(early).toEqual([]);
  }
}
