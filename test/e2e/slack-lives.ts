/**
 * What agents and their people do in Slack all day, as scripts: pages answered, plans reviewed, questions answered. Each
 * life keeps books of what Slack saw acknowledged, and compares them with what the bot has.
 */
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
import type { Clarity, Decision } from "../../src/core/payload.ts";
import { parseClarity } from "../../src/core/payload.ts";
import type { Opened } from "../../src/core/ports.ts";
import type { Person } from "../doubles/slack/index.ts";
import type { Deed } from "../doubles/slack/interactions.ts";
import { type Asked, ask, roundOf, take } from "./books.ts";
import { controlOf, fillIn, type Hand, settleBy, type, use } from "./slack-hands.ts";
import { appears, eventually, type SlackLife } from "./slack-world.ts";

const inSlack = ({ to }: SlackLife) => ({ via: ["slack" as const], to: [to] });

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
export async function decide(life: SlackLife): Promise<void> {
  let session: string | null = null;
  for (let number = 1; !life.isOver(); number += 1) {
    const payload = { ...pageOf(`${life.name} ${number}.`), flow: { page_id: `p${number}` } };
    const again = session !== null;
    const asked = await ask(life, { payload, session: session ?? life.name, again, ...inSlack(life) });
    session = asked.opened.session;
    await answerPage(life, asked);
    if (life.random.chance(0.5)) session = await down(life, session);
  }
  if (session !== null) await down(life, session);
}

async function down(life: SlackLife, session: string): Promise<null> {
  life.begins();
  await life.client.insist((gate) => gate.down({ project: "/shop", session, agentSession: null }));
  return null;
}

/** The page as the person has made it so far. */
interface Page {
  hand: Hand;
  payload: Clarity;
  picks: Picks;
}

async function answerPage(life: SlackLife, asked: Asked): Promise<void> {
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
    use(hand, { verb: "pick", target }, ({ message, at }) => hand.person.chooses(message, { ...at, values })),
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

function anyOption({ options, multi }: Decision, random: SlackLife["random"]) {
  const one = random.below(options.length);
  const some = options.map((_, at) => at).filter(() => random.chance(0.5));
  const idOf = (at: number): string => options[at]?.id ?? "";
  const picked: Picked = multi
    ? { kind: "options", optionIds: some.map(idOf) }
    : { kind: "option", optionId: idOf(one) };
  return { picked, values: (multi ? some : [one]).map((at) => `o${at}`) };
}

interface Note {
  kind: "annotations" | "feedback";
  block: number;
  text: string;
  by: Person;
  /** Null where it was sent by a form. */
  ts: string | null;
}

/** A plan as its reviewers have made it so far. */
interface Review {
  life: SlackLife;
  opened: Opened;
  notes: Note[];
}

/** Plans in one session: comments in threads and forms, edits, deletions, feedback, and reviews that race. */
export async function review(life: SlackLife): Promise<void> {
  let session: string | null = null;
  for (let version = 1; !life.isOver(); version += 1) {
    const title = `${life.name} ${version}.`;
    const payload = { title, plan: `# Login\n\nWe send a link.\n\n- spam\n- replay\n\nDone.` };
    const quorum = life.random.chance(0.3) ? 2 : 1;
    const more = { kind: "plan" as const, payload, session: life.name, policy: { quorum }, ...inSlack(life) };
    const asked = await ask(life, more);
    session = asked.opened.session;
    const on: Review = { life, opened: asked.opened, notes: [] };
    for (let left = life.random.below(8); left > 0; left -= 1) await comment(on);
    await verdict(on, asked, quorum);
  }
  if (session !== null) await down(life, session);
}

async function comment(on: Review): Promise<void> {
  const { random } = on.life;
  const what = random.of([
    "reply",
    "reply",
    "form",
    "both",
    "feedback",
    "general",
    "edit",
    "remove",
  ] as const);
  await NOTE[what](on);
  if (random.chance(0.5)) await kept(on);
}

const NOTE = {
  reply: (on: Review) => reply(on, on.life.random.below(4)),
  async form(on: Review): Promise<void> {
    const block = on.life.random.below(4);
    const note = newNote(on, { kind: "annotations", block });
    const wanted = { verb: "comment" as const, target: `b${block}` };
    expect(await fillIn(handOf(on, note.by), wanted, note.text)).toBeNull();
    on.notes.push(note);
  },
  async both(on: Review): Promise<void> {
    await Promise.all([reply(on, 1), reply(on, 2)]);
  },
  async feedback(on: Review): Promise<void> {
    const note = newNote(on, { kind: "feedback", block: -1 });
    expect(await fillIn(handOf(on, note.by), { verb: "feedback" }, note.text)).toBeNull();
    on.notes.push(note);
  },
  async general(on: Review): Promise<void> {
    const wanted = { verb: "feedback" as const };
    const { message } = await appears(on.life.world, () => controlOf(handOf(on, on.life.people[0]), wanted));
    await typedNote(on, { kind: "feedback", block: -1 }, message.ts);
  },
  async edit(on: Review): Promise<void> {
    const note = anyTyped(on);
    if (note === null) return;
    note.text = `edited ${on.life.presses}`;
    on.life.begins();
    on.life.presses += 1;
    await note.by.edits(on.life.channel, note.ts, note.text);
  },
  async remove(on: Review): Promise<void> {
    const note = anyTyped(on);
    if (note === null) return;
    on.notes.splice(on.notes.indexOf(note), 1);
    on.life.begins();
    on.life.presses += 1;
    await note.by.deletes(on.life.channel, note.ts);
  },
};

const handOf = ({ life, opened }: Review, person: Person): Hand => ({ life, opened, person });

function newNote({ life }: Review, about: Pick<Note, "kind" | "block">): Note {
  return { ...about, by: life.random.of(life.people), text: `note ${life.presses}`, ts: null };
}

async function typedNote(on: Review, about: Pick<Note, "kind" | "block">, thread: string): Promise<void> {
  const note = newNote(on, about);
  on.life.presses += 1;
  note.ts = await type(handOf(on, note.by), note.text, thread);
  on.notes.push(note);
}

async function reply(on: Review, block: number): Promise<void> {
  const wanted = { verb: "comment" as const, target: `b${block}` };
  const { message } = await appears(on.life.world, () => controlOf(handOf(on, on.life.people[0]), wanted));
  await typedNote(on, { kind: "annotations", block }, message.ts);
}

function anyTyped({ life, notes }: Review): (Note & { ts: string }) | null {
  const typed = notes.filter((note): note is Note & { ts: string } => note.ts !== null);
  return typed.length === 0 ? null : life.random.of(typed);
}

/** Waits until the bot has what people said, and nothing else. */
async function kept({ life, opened, notes }: Review): Promise<void> {
  const of = (kind: Note["kind"]) => notes.filter((note) => note.kind === kind);
  await eventually(life.world, async () => {
    const { annotations, feedback } = await roundOf(life, opened);
    expect({
      annotations: annotations.map(({ blockIndex, comment: text }) => `${blockIndex} ${text}`).sort(),
      feedback: feedback.map(({ text }) => text).sort(),
    }).toEqual({
      annotations: of("annotations")
        .map(({ block, text }) => `${block} ${text}`)
        .sort(),
      feedback: of("feedback")
        .map(({ text }) => text)
        .sort(),
    });
  });
}

/** Two people settle it at the same moment, or together. */
async function verdict(on: Review, asked: Asked, quorum: number): Promise<void> {
  const { life, notes } = on;
  const [one, other = one] = life.people;
  await kept(on);
  const against = notes.length > 0 ? ("revise" as const) : ("cancel" as const);
  const second = quorum === 2 ? ("approve" as const) : against;
  await Promise.all([
    settleBy(handOf(on, one), { verb: "approve" }),
    settleBy(handOf(on, other), { verb: second }),
  ]);
  const waited = await asked.outcome;
  const { status, decision } = waited.result;
  expect([waited.state, status]).toEqual(["settled", decision === undefined ? "cancelled" : "submitted"]);
  expect(quorum === 2 ? ["approve"] : ["approve", second]).toContain(decision ?? "cancel");
  expect(said(waited.result.annotations)).toEqual(
    notes.flatMap(({ kind, text, by }) => (kind === "annotations" ? `${text} ${by.name}` : [])).sort(),
  );
  expect(said(waited.result.feedback)).toEqual(
    notes.flatMap(({ kind, text, by }) => (kind === "feedback" ? `${text} ${by.name}` : [])).sort(),
  );
  await take(life, asked, waited);
  life.typed.push(...notes.flatMap(({ ts }) => (ts === null ? [] : { ts, delivered: true })));
}

const Said = z.array(
  z.object({ comment: z.string().optional(), text: z.string().optional(), by: z.string() }),
);

const said = (list: unknown): string[] =>
  Said.parse(list)
    .map(({ comment: words, text, by }) => `${words ?? text} ${by}`)
    .sort();

/** Questions in a direct message, answered by a button, by a form, or in plain words. */
export async function answerQuestions(life: SlackLife): Promise<void> {
  let session: string | null = null;
  for (let number = 1; !life.isOver(); number += 1) {
    const payload = { question: `${life.name} ${number}?`, options: ["By mail", "By post"] };
    const more = { kind: "ask" as const, payload, session: life.name, ...inSlack(life) };
    const asked = await ask(life, more);
    session = asked.opened.session;
    const hand = { life, opened: asked.opened, person: life.people[0] };
    const expected =
      await ANSWER[life.random.of(["button", "form", "words", "digit", "skip"] as const)](hand);
    const waited = await asked.outcome;
    expect(waited).toMatchObject({ state: "settled", result: expected });
    await take(life, asked, waited);
  }
  if (session !== null) await down(life, session);
}

const ANSWER = {
  async button(hand: Hand) {
    await settleBy(hand, { verb: "answer", value: "o0" });
    return { status: "submitted", answer: "By mail", option: 1 };
  },
  async form(hand: Hand) {
    const answer = `form ${hand.life.presses}`;
    expect(await fillIn(hand, { verb: "answer" }, answer)).toBeNull();
    return { status: "submitted", answer, option: null };
  },
  async words(hand: Hand) {
    const answer = `words ${hand.life.presses}`;
    hand.life.typed.push({ ts: await type(hand, answer), delivered: false });
    return { status: "submitted", answer, option: null };
  },
  async digit(hand: Hand) {
    hand.life.typed.push({ ts: await type(hand, "2"), delivered: false });
    return { status: "submitted", answer: "By post", option: 2 };
  },
  async skip(hand: Hand) {
    await settleBy(hand, { verb: "skip" });
    return { status: "declined" };
  },
};
