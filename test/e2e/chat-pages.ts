/** What people do with pages of decisions in a chat, held against what the bot has of it. */
import { expect } from "vitest";
import { z } from "zod";
import {
  acceptRecommended,
  activeSet,
  clarityResult,
  missing,
  type Pick as Picked,
  type Picks,
  pick,
} from "../../src/core/decisions.ts";
import { type Clarity, type Decision, parseClarity } from "../../src/core/payload.ts";
import { type Asked, ask, roundOf, take } from "./books.ts";
import { fillIn, type Hand, settleBy, use } from "./chat-hands.ts";
import type { Deed } from "./chat-platform.ts";
import { type ChatLife, down, inChat } from "./chat-world.ts";

function pageOf(name: string) {
  const choice = (id: string, options: string[], more: object = {}) => ({
    id,
    question: `Which ${id} on ${name}?`,
    recommendation_reason: "It is what most people take.",
    options: options.map((option, at) => ({ id: option, label: `The ${option}`, recommended: at === 0 })),
    ...more,
  });
  const when = (decision: string, value: string) => ({ show_if: { decision, in: [value] } });
  return {
    title: name,
    context: "Email first.",
    decisions: [
      choice("auth", ["magic", "password", "passkey"]),
      choice("policy", ["lenient", "strict"], { ...when("auth", "password"), allow_custom: true }),
      choice("rotation", ["never", "yearly"], { ...when("policy", "strict"), allow_custom: true }),
      choice("regions", ["eu", "us", "asia"], { multi: true, allow_custom: true }),
      choice("law", ["gdpr", "none"], when("regions", "eu")),
    ],
  };
}

/** Pages of decisions, some of them in one thread: picked, picked again, answered in own words, sent. */
export async function decide(life: ChatLife): Promise<void> {
  let session: string | null = null;
  for (let number = 1; !life.isOver(); number += 1) {
    const payload = { ...pageOf(`${life.name} ${number}.`), flow: { page_id: `p${number}` } };
    const again = session !== null;
    const asked = await ask(life, { payload, session: session ?? life.name, again, ...inChat(life) });
    session = asked.opened.session;
    await answerPage(life, asked);
    if (life.random.chance(0.5)) session = await down(life, session);
  }
  if (session !== null) await down(life, session);
}

/** The page as the person has made it so far. */
interface Page {
  hand: Hand;
  payload: Clarity;
  picks: Picks;
}

async function answerPage(life: ChatLife, asked: Asked): Promise<void> {
  const { opened, request, outcome } = asked;
  const hand = { life, opened, person: life.random.of(life.people) };
  const page: Page = { hand, payload: parseClarity(request.payload), picks: {} };
  for (let left = life.random.below(8); left > 0; left -= 1) await answerOne(page);
  while (missing(page.payload, page.picks).length > 0) {
    const after = acceptRecommended(page.payload, page.picks);
    await change(page, after, { exact: true }, () => use(hand, { verb: "accept" }));
  }
  await settleBy(hand, { verb: "send" });
  const waited = await outcome;
  expect(waited).toMatchObject({ state: "settled", result: { status: "submitted", action: "continue" } });
  expect(waited.result.result).toMatchObject(clarityResult(page.payload, page.picks));
  await take(life, asked, waited);
}

async function answerOne(page: Page): Promise<void> {
  const { hand, payload, picks } = page;
  const { random } = hand.life;
  const decision = random.of(payload.decisions.filter(({ id }) => activeSet(payload, picks).includes(id)));
  const target = `d${payload.decisions.indexOf(decision)}`;
  if (decision.allow_custom && random.chance(0.3)) {
    const value = `own ${hand.life.presses}`;
    expect(await fillIn(hand, { verb: "own", target }, value)).toBeNull();
    page.picks = pick(payload, picks, decision.id, { kind: "custom", value });
    await compare(page);
    return;
  }
  const { picked, values } = anyOption(decision, random);
  const after = pick(payload, picks, decision.id, picked);
  await change(page, after, { exact: !decision.multi }, () =>
    use(hand, { verb: "pick", target }, (control) => control.chooses(values)),
  );
}

const Stored = z.custom<Picks>((value) => typeof value === "object");

/** Of a press that failed the person sees on the card whether it counted; many picks may have counted in part. */
async function change(page: Page, after: Picks, { exact }: { exact: boolean }, deed: () => Promise<Deed>) {
  const done = await deed();
  if (done.kind === "acked") page.picks = after;
  if (done.kind === "failed") {
    const { picks } = await roundOf(page.hand.life, page.hand.opened);
    if (exact) expect([page.picks, after]).toContainEqual(picks);
    page.picks = Stored.parse(picks);
  }
  await compare(page);
}

async function compare({ hand, picks }: Page): Promise<void> {
  expect(await roundOf(hand.life, hand.opened)).toMatchObject({ outcome: null });
  expect((await roundOf(hand.life, hand.opened)).picks).toEqual(picks);
}

function anyOption({ options, multi }: Decision, random: ChatLife["random"]) {
  const one = random.below(options.length);
  const some = options.map((_, at) => at).filter(() => random.chance(0.5));
  const idOf = (at: number): string => options[at]?.id ?? "";
  const picked: Picked = multi
    ? { kind: "options", optionIds: some.map(idOf) }
    : { kind: "option", optionId: idOf(one) };
  return { picked, values: (multi ? some : [one]).map((at) => `o${at}`) };
}
