/**
 * What an agent and its people do at a gate that may be killed at any moment, one thing at a time. Each life keeps books of
 * what was acknowledged.
 */
import { expect } from "vitest";
import { z } from "zod";
import type { Answer } from "../../src/core/effect.ts";
import { formatButton, type Verb } from "../../src/core/event.ts";
import type { Opened, OpenRequest, Waited } from "../../src/core/gate.ts";
import type { Random } from "../support/random.ts";
import type { Stubborn } from "./mortal-bot.ts";

export interface Life {
  name: string;
  random: Random;
  client: Stubborn;
  /** Called before everything that changes something. */
  begins(): void;
  isOver(): boolean;
  /** Sessions and rounds that were opened, and the outcomes that were acknowledged. */
  books: { sessions: Set<string>; rounds: string[]; outcomes: Map<string, unknown> };
  presses: number;
  /** Presses that had to be sent again, because the bot was killed before it answered. */
  repeats: number;
  store: string;
}

const Round = z.object({
  id: z.string(),
  rev: z.number(),
  outcome: z.object({ status: z.string() }).nullable(),
  acknowledged: z.boolean(),
  picks: z.record(z.string(), z.unknown()).default({}),
  annotations: z
    .array(z.object({ id: z.string(), source: z.string(), blockIndex: z.number(), comment: z.string() }))
    .default([]),
  feedback: z.array(z.object({ source: z.string(), text: z.string() })).default([]),
});
const Shown = z.object({ store: z.string(), rounds: z.array(Round) });

/** The session as the bot has it. */
export const show = async ({ client }: Life, session: string) =>
  Shown.parse(await client.insist((gate) => gate.show(session)));

export async function roundOf(life: Life, { session, round }: Opened) {
  const found = (await show(life, session)).rounds.find(({ id }) => id === round);
  if (found === undefined) throw new Error(`${round} is gone`);
  return found;
}

const REQUEST: OpenRequest = {
  kind: "clarity",
  again: false,
  payload: null,
  project: "/shop",
  session: null,
  agentSession: null,
  key: null,
  timeoutMs: null,
  policy: {},
  floor: {},
  people: {},
  granularity: "auto",
  asks: null,
  locale: "en",
  via: ["web", "terminal"],
  to: [],
  connections: {},
  origin: { repo: "shop", branch: "main", agent: "Claude", host: "mac" },
};

/** A command asks something new, and waits. */
export async function ask(life: Life, more: Partial<OpenRequest>) {
  const request = { ...REQUEST, ...more };
  life.begins();
  const opened = await life.client.insist((gate) => gate.open(request));
  expect(opened.result).toBeNull();
  expect(life.books.rounds).not.toContain(opened.round);
  life.books.rounds.push(opened.round);
  life.books.sessions.add(opened.session);
  life.store ||= (await show(life, opened.session)).store;
  const outcome = life.client.insist((gate) => gate.wait(opened.round, Number.POSITIVE_INFINITY, false));
  outcome.catch(() => {});
  return { opened, request, outcome };
}

export type Asked = Awaited<ReturnType<typeof ask>>;

interface Pressing {
  rev?: number;
  target?: string;
  values?: string[];
  words?: string | null;
}

/** Somebody presses, once; the delivery is repeated until it is acknowledged, and now and then after that. */
export async function press(life: Life, { round, session }: Opened, verb: Verb, how: Pressing = {}) {
  const { rev = 0, target = "-", values = [], words = null } = how;
  life.presses += 1;
  const id = `${life.name}-${life.presses}`;
  const button = formatButton({ store: life.store, verb, round, rev, target });
  const surface = life.random.of(["web", "terminal"] as const);
  const twice = life.random.chance(0.2);
  let tries = 0;
  const deliver = (): Promise<Answer> =>
    life.client.insist((gate) => {
      tries += 1;
      return gate.act(session, { id, button, values, words, surface });
    });
  life.begins();
  const answer = await deliver();
  life.repeats += tries - 1;
  if (twice) expect(await deliver()).toEqual(answer);
  return { id, answer };
}

/** The command has its outcome: sometimes it dies before it can say so, always it is asked in vain afterwards. */
export async function take(life: Life, { opened, request }: Asked, waited: Waited): Promise<void> {
  const { client, random, books } = life;
  if (waited.state === "settled" && random.chance(0.3)) {
    const again = await client.insist((gate) => gate.open({ ...request, again: false }));
    expect(again).toMatchObject({ round: opened.round, result: { status: waited.result.status } });
  }
  life.begins();
  await client.insist((gate) => gate.acknowledge(opened.session, waited.carries));
  if (waited.state !== "settled") return;
  const { late: _late, ...own } = waited.result;
  books.outcomes.set(opened.round, own);
  if (random.chance(0.3)) {
    const { answer } = await press(life, opened, "cancel");
    expect(answer).toMatchObject({ kind: "word", code: "settled" });
  }
  await readAgain(life, random.of([...books.outcomes.keys()]));
}

/** An outcome is what it was, whatever happened since. */
export async function readAgain({ client, books }: Life, round: string): Promise<void> {
  const waited = await client.insist((gate) => gate.wait(round, 0, true));
  const { late: _late, ...own } = waited.result;
  expect({ state: waited.state, ...own }).toEqual({ state: "settled", ...Object(books.outcomes.get(round)) });
}
