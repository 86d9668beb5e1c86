/** What a person's hands do in Slack: find a control, press it, fill in the form that comes up, until Slack took it. */

import { splitEntryAction } from "../../src/adapters/slack/buttons.ts";
import { type Button, parseButton, type Verb } from "../../src/core/event.ts";
import type { Opened } from "../../src/core/ports.ts";
import type { Message, Person } from "../doubles/slack/index.ts";
import type { Deed } from "../doubles/slack/interactions.ts";
import { record, str } from "../doubles/slack/wire.ts";
import { roundOf } from "./books.ts";
import { appears, heard, type SlackLife, standing, tried } from "./slack-world.ts";

export interface Wanted {
  verb: Verb;
  target?: string;
  /** The option, where each has a button of its own. */
  value?: string;
}

export interface Found {
  message: Message;
  button: Button;
  at: { actionId: string; blockId: string };
}

/** Somebody in front of a round's cards. */
export interface Hand {
  life: SlackLife;
  person: Person;
  opened: Opened;
}

export function controlOf({ life, person, opened }: Hand, wanted: Wanted): Found | undefined {
  const { verb, target = null, value = null } = wanted;
  for (const message of standing(life.world, life.channel)) {
    for (const { actionId, blockId } of person.sees(message)) {
      const { button: id, value: option } = splitEntryAction(actionId);
      const button = parseButton(id);
      if (button === null || button.round !== opened.round || button.verb !== verb) continue;
      if (option === value && (target === null || button.target === target))
        return { message, button, at: { actionId, blockId } };
    }
  }
  return undefined;
}

type Act = (found: Found) => Promise<Deed>;

/**
 * Waits for a control, which must come, and uses it once. Looked at and used at the same moment: what stands there may be
 * redrawn at the next.
 */
export async function use(hand: Hand, wanted: Wanted, act: Act = pressIt(hand)): Promise<Deed> {
  await appears(hand.life.world, () => controlOf(hand, wanted));
  return tried(hand.life, () => usedNow(hand, wanted, act));
}

const pressIt =
  ({ person }: Hand): Act =>
  ({ message, at }) =>
    person.presses(message, at);

async function usedNow(hand: Hand, wanted: Wanted, act: Act): Promise<Deed> {
  const there = controlOf(hand, wanted);
  return there === undefined ? { kind: "unsent" } : act(there);
}

/** The control, or null where the round turns out to be settled. */
async function controlOrEnd(hand: Hand, wanted: Wanted): Promise<Found | null> {
  for (;;) {
    const found = controlOf(hand, wanted);
    if (found !== undefined) return found;
    if ((await roundOf(hand.life, hand.opened)).outcome !== null) return null;
    await hand.life.world.slack.changed();
  }
}

/** Presses until Slack says that it was taken, or the round is settled. */
export async function settleBy(hand: Hand, wanted: Wanted): Promise<void> {
  for (;;) {
    const there = await controlOrEnd(hand, wanted);
    if (there === null) return;
    const done = await tried(hand.life, () => usedNow(hand, wanted, pressIt(hand)));
    if (done.kind === "acked") return;
    if ((await roundOf(hand.life, hand.opened)).outcome !== null) return;
  }
}

/** Opens a form by its button and sends words with it; resolves to what the form says against them, null if nothing. */
export async function fillIn(hand: Hand, wanted: Wanted, words: string): Promise<string | null> {
  const { person, life } = hand;
  await closeAll(person);
  while (person.view() === null) {
    const killed = life.world.kills.length;
    const done = await use(hand, wanted);
    if (done.kind !== "acked") continue;
    const { slack } = life.world;
    await slack.until(() => person.view() !== null || life.world.kills.length > killed, 15_000);
  }
  return submit(hand, words);
}

async function closeAll(person: Person): Promise<void> {
  while (person.view() !== null) await person.closesView();
}

async function submit({ life, person }: Hand, words: string): Promise<string | null> {
  for (;;) {
    const field = person.view()?.blocks.find(({ element }) => record(element).type === "plain_text_input");
    const id = str(field?.block_id);
    const done = await tried(life, () => person.submits({ [id]: words }));
    if (done.kind === "errors") return Object.values(done.errors).join(" ");
    if (done.kind !== "failed") return null;
  }
}

/** Types, mostly when somebody listens. */
export async function type({ life, person }: Hand, text: string, thread?: string): Promise<string> {
  if (life.random.chance(0.7)) await heard(life.world);
  life.begins();
  life.presses += 1;
  return person.types(life.channel, text, thread === undefined ? {} : { thread });
}
