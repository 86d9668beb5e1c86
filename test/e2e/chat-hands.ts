/** What a person's hands do in a chat: find a control, press it, fill in the form that comes up, until it was taken. */

import { type Button, parseButton, type Verb } from "../../src/core/event.ts";
import type { Opened } from "../../src/core/gate.ts";
import { roundOf } from "./books.ts";
import type { Control, Deed, Post, Somebody } from "./chat-platform.ts";
import { appears, type ChatLife, heard, tried } from "./chat-world.ts";

export interface Wanted {
  verb: Verb;
  target?: string;
  /** The option, where each has a button of its own. */
  value?: string;
}

export interface Found {
  post: Post;
  button: Button;
  control: Control;
}

/** Somebody in front of a round's cards. */
export interface Hand {
  life: ChatLife;
  person: Somebody;
  opened: Opened;
}

export function controlOf({ life, person, opened }: Hand, wanted: Wanted): Found | undefined {
  const { verb, target = null, value = null } = wanted;
  for (const post of life.world.platform.standing(life.room)) {
    for (const control of person.sees(post)) {
      const button = parseButton(control.button);
      if (button === null || button.round !== opened.round || button.verb !== verb) continue;
      if (control.option === value && (target === null || button.target === target))
        return { post, button, control };
    }
  }
  return undefined;
}

type Act = (control: Control) => Promise<Deed>;

const pressIt: Act = (control) => control.presses();

/**
 * Waits for a control, which must come, and uses it once. Looked at and used at the same moment: what stands there may be
 * redrawn at the next.
 */
export async function use(hand: Hand, wanted: Wanted, act: Act = pressIt): Promise<Deed> {
  await appears(hand.life.world, () => controlOf(hand, wanted));
  return tried(hand.life, () => usedNow(hand, wanted, act));
}

async function usedNow(hand: Hand, wanted: Wanted, act: Act): Promise<Deed> {
  const there = controlOf(hand, wanted);
  return there === undefined ? { kind: "unsent" } : act(there.control);
}

/** The control, or null where the round turns out to be settled. */
async function controlOrEnd(hand: Hand, wanted: Wanted): Promise<Found | null> {
  for (;;) {
    const found = controlOf(hand, wanted);
    if (found !== undefined) return found;
    if ((await roundOf(hand.life, hand.opened)).outcome !== null) return null;
    await hand.life.world.platform.changed();
  }
}

/** Presses until that was taken, or the round is settled. */
export async function settleBy(hand: Hand, wanted: Wanted): Promise<void> {
  for (;;) {
    const there = await controlOrEnd(hand, wanted);
    if (there === null) return;
    const done = await tried(hand.life, () => usedNow(hand, wanted, pressIt));
    if (done.kind === "acked") return;
    if ((await roundOf(hand.life, hand.opened)).outcome !== null) return;
  }
}

/** Opens a form by its button and sends words with it; resolves to what the form says against them, null if nothing. */
export async function fillIn(hand: Hand, wanted: Wanted, words: string): Promise<string | null> {
  const { person, life } = hand;
  await person.closesForm();
  while (!person.hasForm()) {
    const killed = life.world.kills.length;
    const done = await use(hand, wanted);
    if (done.kind !== "acked") continue;
    const { platform, kills } = life.world;
    await platform.until(() => person.hasForm() || kills.length > killed, 15_000);
  }
  return submit(hand, words);
}

async function submit({ life, person }: Hand, words: string): Promise<string | null> {
  for (;;) {
    const done = await tried(life, () => person.sendsForm(words));
    if (done.kind === "errors") return done.said;
    if (done.kind !== "failed") return null;
  }
}

/** Writes something, mostly when somebody listens. */
export async function write({ life, person }: Hand, how: (who: Somebody) => Promise<Post>): Promise<Post> {
  if (life.random.chance(0.7)) await heard(life.world);
  life.begins();
  life.presses += 1;
  return how(person);
}
