/**
 * What an agent and its people do all day, as scripts. Each life keeps its own books of everything that was acknowledged,
 * and compares them with what the bot says.
 */
import { expect } from "vitest";
import { z } from "zod";
import {
  acceptRecommended,
  activeSet,
  clarityResult,
  missing,
  type Pick,
  type Picks,
  pick,
} from "../../src/core/decisions.ts";
import type { Opened, Waited } from "../../src/core/gate.ts";
import { type Decision, parseClarity } from "../../src/core/payload.ts";
import { type Asked, ask, type Life, press, roundOf, take } from "./books.ts";

const PAGE = {
  title: "Page",
  context: "Email first.",
  decisions: [
    choice("auth", ["magic", "password", "passkey"]),
    { ...choice("policy", ["lenient", "strict"], "auth", "password"), allow_custom: true },
    { ...choice("rotation", ["never", "yearly"], "policy", "strict"), allow_custom: true },
    { ...choice("regions", ["eu", "us", "asia"]), multi: true, allow_custom: true },
    choice("law", ["gdpr", "none"], "regions", "eu"),
  ],
};

function choice(id: string, options: string[], on?: string, value?: string) {
  return {
    id,
    question: `Which ${id}?`,
    recommendation_reason: "It is what most people take.",
    options: options.map((option, at) => ({ id: option, label: `The ${option}`, recommended: at === 0 })),
    ...(on === undefined ? {} : { show_if: { decision: on, in: [value] } }),
  };
}

/** Pages of decisions: picked, picked again, answered in own words, sent too early, sent. */
export async function decide(life: Life): Promise<void> {
  let session: string | null = null;
  for (let page = 1; !life.isOver(); page += 1) {
    const asked = await ask(life, {
      payload: { ...PAGE, title: `Page ${page}`, flow: { page_id: `p${page}` } },
      session: session ?? "decide",
      again: session !== null,
    });
    session = asked.opened.session;
    await answerPage(life, asked);
    if (life.random.chance(0.4)) {
      const selector = { project: "/shop", session, agentSession: null };
      await life.client.insist((gate) => gate.down(selector));
      session = null;
    }
  }
}

async function answerPage(life: Life, asked: Asked): Promise<void> {
  const { opened, request, outcome } = asked;
  const payload = parseClarity(request.payload);
  let [picks, rev]: [Picks, number] = [{}, 0];
  const compare = async (): Promise<void> =>
    expect(await roundOf(life, opened)).toMatchObject({ rev, outcome: null });
  for (let left = life.random.below(12); left > 0; left -= 1) {
    const decision = life.random.of(payload.decisions);
    const at = payload.decisions.indexOf(decision);
    const { picked, verb, ...how } = anyPick(life, decision, `word ${rev}`);
    const { answer } = await press(life, opened, verb, { ...how, rev, target: `d${at}` });
    const asksIt = activeSet(payload, picks).includes(decision.id);
    expect(answer).toMatchObject(asksIt ? { kind: "done" } : { kind: "word", code: "retracted" });
    if (asksIt) [picks, rev] = [pick(payload, picks, decision.id, picked), rev + 1];
    expect((await roundOf(life, opened)).picks).toEqual(picks);
    await compare();
  }
  if (missing(payload, picks).length > 0) {
    const early = await press(life, opened, "send", { rev });
    expect(early.answer).toMatchObject({ kind: "word", code: "incomplete" });
    expect((await press(life, opened, "accept", { rev })).answer.kind).toBe("done");
    [picks, rev] = [acceptRecommended(payload, picks), rev + 1];
    await compare();
  }
  expect((await press(life, opened, "send", { rev })).answer.kind).toBe("done");
  const waited = await outcome;
  expect(waited).toMatchObject({ state: "settled", result: { status: "submitted", action: "continue" } });
  expect(waited.result.result).toMatchObject(clarityResult(payload, picks));
  expect(await roundOf(life, opened)).toMatchObject({ rev: rev + 1 });
  await take(life, asked, waited);
}

function anyPick({ random }: Life, decision: Decision, text: string) {
  const own = decision.allow_custom === true && random.chance(0.4);
  const picked: Pick = { kind: "custom", value: text };
  if (own) return { picked, verb: "own" as const, words: text };
  const chosen = decision.options.map((_, at) => at).filter(() => random.chance(0.5));
  const one = random.below(decision.options.length);
  const idOf = (at: number): string => decision.options[at]?.id ?? "";
  return decision.multi
    ? {
        picked: { kind: "options" as const, optionIds: chosen.map(idOf) },
        verb: "pick" as const,
        values: chosen.map((at) => `o${at}`),
      }
    : {
        picked: { kind: "option" as const, optionId: idOf(one) },
        verb: "pick" as const,
        values: [`o${one}`],
      };
}

interface Notes {
  annotations: { source: string; blockIndex: number; comment: string }[];
  feedback: { source: string; text: string }[];
}

/** Plans in one session: comments, edits, feedback, and reviews that race. */
export async function review(life: Life): Promise<void> {
  for (let version = 1; !life.isOver(); version += 1) {
    const payload = {
      title: `Plan ${version}`,
      plan: "# Login\n\nWe send a link.\n\n- spam\n- replay\n\nDone.",
    };
    const asked = await ask(life, { kind: "plan", payload, session: "review" });
    const [notes, rev] = await comment(life, asked.opened);
    await verdict(life, asked, notes, rev);
  }
}

async function comment(life: Life, opened: Opened): Promise<[Notes, number]> {
  const { random } = life;
  const notes: Notes = { annotations: [], feedback: [] };
  let rev = 0;
  for (let left = random.below(8); left > 0; left -= 1) {
    const what = random.of(["comment", "comment", "both", "feedback", "edit", "remove"] as const);
    rev += await NOTE[what](life, opened, notes);
    const now = await roundOf(life, opened);
    expect({ rev: now.rev, annotations: sorted(now.annotations), feedback: sorted(now.feedback) }).toEqual({
      rev,
      annotations: sorted(notes.annotations).map((note) => ({ id: expect.any(String), ...note })),
      feedback: sorted(notes.feedback),
    });
  }
  return [notes, rev];
}

const sorted = <Note extends { source: string }>(notes: Note[]): Note[] =>
  [...notes].sort((a, b) => a.source.localeCompare(b.source));

/** What one can do to a plan, each with its entry in the books; resolves to how many changes that makes. */
const NOTE = {
  async comment(life: Life, opened: Opened, { annotations }: Notes): Promise<number> {
    const blockIndex = life.random.below(4);
    const text = `comment ${life.presses}`;
    const { id, answer } = await press(life, opened, "comment", { target: `b${blockIndex}`, words: text });
    expect(answer.kind).toBe("done");
    annotations.push({ source: id, blockIndex, comment: text });
    return 1;
  },
  async both(life: Life, opened: Opened, notes: Notes): Promise<number> {
    const two = await Promise.all([NOTE.comment(life, opened, notes), NOTE.comment(life, opened, notes)]);
    return two.length;
  },
  async feedback(life: Life, opened: Opened, { feedback }: Notes): Promise<number> {
    const text = `feedback ${life.presses}`;
    const { id, answer } = await press(life, opened, "feedback", { words: text });
    expect(answer.kind).toBe("done");
    feedback.push({ source: id, text });
    return 1;
  },
  edit: (life: Life, opened: Opened, notes: Notes) =>
    rewrite(life, opened, { notes, text: `edited ${life.presses}` }),
  remove: (life: Life, opened: Opened, notes: Notes) => rewrite(life, opened, { notes, text: "" }),
};

async function rewrite(life: Life, opened: Opened, { notes, text }: { notes: Notes; text: string }) {
  if (notes.annotations.length === 0) return 0;
  const note = life.random.of(notes.annotations);
  const there = (await roundOf(life, opened)).annotations.find(({ source }) => source === note.source);
  const { answer } = await press(life, opened, "edit", { target: there?.id ?? "", words: text });
  expect(answer.kind).toBe("done");
  if (text === "") notes.annotations.splice(notes.annotations.indexOf(note), 1);
  else note.comment = text;
  return 1;
}

/** Page and terminal settle it at the same moment: one of them does. */
async function verdict(life: Life, asked: Asked, notes: Notes, rev: number): Promise<void> {
  const { opened, outcome } = asked;
  const verbs =
    notes.annotations.length > 0 ? (["approve", "revise"] as const) : (["approve", "cancel"] as const);
  const two = await Promise.all(verbs.map((verb) => press(life, opened, verb, { rev })));
  const winners = verbs.filter((_, at) => two[at]?.answer.kind === "done");
  expect(winners).toHaveLength(1);
  expect(two.map(({ answer }) => answer)).toContainEqual(expect.objectContaining({ code: "settled" }));
  const waited = await outcome;
  const ending =
    winners[0] === "cancel" ? { status: "cancelled" } : { status: "submitted", decision: winners[0] };
  expect(waited).toMatchObject({ state: "settled", result: ending });
  // A review is one change, the verdict that it makes another.
  expect(await roundOf(life, opened)).toMatchObject({ rev: rev + (winners[0] === "cancel" ? 1 : 2) });
  const said = [...notes.annotations].map(({ blockIndex, comment }) => ({ blockIndex, comment }));
  expect(waited.result.annotations).toHaveLength(said.length);
  expect(waited.result.annotations).toEqual(
    expect.arrayContaining(said.map((note) => expect.objectContaining(note))),
  );
  expect(waited.result.feedback).toMatchObject(notes.feedback.map(({ text }) => ({ text })));
  await take(life, asked, waited);
}

/** Questions in one session, some of them answered too late: the next command gets that too, once. */
export async function answerQuestions(life: Life): Promise<void> {
  const { random } = life;
  let owed: string[] = [];
  for (let number = 1; !life.isOver(); number += 1) {
    const late = random.chance(0.3);
    const payload = { question: `Question ${number}?`, options: ["Web", "Terminal"] };
    const more = { kind: "ask" as const, payload, session: "ask", timeoutMs: late ? 30 : null };
    const asked = await ask(life, more);
    if (late) expect(await asked.outcome).toMatchObject({ state: "late", result: { status: "timeout" } });
    const waiting = late ? asked.outcome : answerOne(life, asked);
    const waited = await waiting;
    const { late: missed = [] } = z
      .object({ late: z.array(z.object({ round: z.string() })).optional() })
      .parse(waited.result);
    expect(missed.map(({ round }) => round)).toEqual(owed);
    await take(life, asked, waited);
    owed = [];
    if (!late) continue;
    await press(life, asked.opened, "answer", { values: ["o1"] });
    owed = [asked.opened.round];
  }
}

async function answerOne(life: Life, { opened, outcome }: Asked): Promise<Waited> {
  const [how, expected] = life.random.of([
    [{ values: ["o0"] }, { status: "submitted", answer: "Web", option: 1 }],
    [{ words: "By post" }, { status: "submitted", answer: "By post", option: null }],
    [null, { status: "declined" }],
  ] as const);
  const pressed =
    how === null
      ? await press(life, opened, "skip")
      : await press(life, opened, "answer", { ...how, values: "values" in how ? [...how.values] : [] });
  expect(pressed.answer.kind).toBe("done");
  const waited = await outcome;
  expect(waited).toMatchObject({ state: "settled", result: expected });
  return waited;
}
