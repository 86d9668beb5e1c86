import { describe, expect, it } from "vitest";
import type { Typed } from "../../src/core/event.ts";
import type { Actor, Place } from "../../src/core/people.ts";
import type { Post, Session } from "../../src/core/session.ts";
import { step } from "../../src/core/step.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import {
  ANA,
  after,
  asked,
  BEGIN,
  BEN,
  CHANNEL,
  DIRECT,
  did,
  draw,
  GUEST,
  lastRound,
  named,
  TIGHT,
} from "../support/people.ts";

/** As if every card stood there, its key being its handle. */
function standing(session: Session, place: Place = CHANNEL): Session {
  const posts = draw(session, TIGHT, place).map(
    ({ key }): Post => ({
      key,
      handle: key,
      digest: "",
      state: "standing",
      nonce: "",
      triedAt: null,
      reason: "",
    }),
  );
  return { ...session, posts: { [`${place.surface}:${place.id}`]: posts } };
}

interface Typing {
  anchor?: Typed["anchor"];
  actor?: Actor;
  place?: Place;
  id?: string;
}

const event = (
  text: string,
  { anchor = null, actor = ANA, place = CHANNEL, id = text }: Typing = {},
): Typed => ({
  type: "typed",
  id,
  at: BEGIN,
  place,
  actor,
  anchor,
  text,
  files: [],
});

const typed = (session: Session, text: string, how: Typing = {}): Session =>
  after(step(session, event(text, how), BEGIN + 1));

const thread = (handle: string) => ({ kind: "thread" as const, handle });
const reply = (handle: string) => ({ kind: "reply" as const, handle });

describe("a message in a plan's places", () => {
  const plan = () => standing(asked("plan", PLAN));
  const block = "r_test0001-1/b2-2";

  it("is an annotation in a block's thread", () => {
    const session = typed(plan(), "why?", { anchor: thread(block) });
    expect(lastRound(session)).toMatchObject({
      annotations: [{ blockIndex: 2, quote: "## Risks", comment: "why?" }],
    });
    expect(session.tells).toMatchObject([{ tone: "kept", about: "why?" }]);
  });

  it("is an annotation too as a reply to an annotation", () => {
    const first = typed(plan(), "why?", { anchor: reply(block), id: "slack:C1/m1" });
    const second = typed(first, "because", { anchor: reply("m1"), actor: BEN });
    expect(lastRound(second)).toMatchObject({
      annotations: [{ blockIndex: 2 }, { blockIndex: 2, comment: "because" }],
    });
  });

  it("is feedback as a reply to other words in the plan's own thread", () => {
    const anchor = { ...reply("m7"), thread: "r_test0001-1" };
    expect(lastRound(typed(plan(), "indeed", { anchor }))).toMatchObject({ feedback: [{ text: "indeed" }] });
  });

  it("names its block in a packed message by number or quote, else spans all of them", () => {
    const long = {
      title: "Long",
      plan: Array.from({ length: 20 }, (_, at) => `Paragraph number ${at}.`).join("\n\n"),
    };
    const packed = standing(asked("plan", long));
    const key = packed.posts["slack:C1"]?.find((post) => post.key.includes("/b"))?.key ?? "";
    const [, last] = /b0-(\d+)/.exec(key) ?? [];
    const notes = (text: string) => lastRound(typed(packed, text, { anchor: thread(key) }));
    expect(notes("2: use Redis")).toMatchObject({ annotations: [{ blockIndex: 1, comment: "use Redis" }] });
    expect(notes("¶2： use Redis")).toMatchObject({ annotations: [{ blockIndex: 1, comment: "use Redis" }] });
    expect(notes("> Paragraph number 1.\nno")).toMatchObject({ annotations: [{ blockIndex: 1 }] });
    expect(notes("hm")).toMatchObject({ annotations: [{ blockIndex: 0, span: [0, Number(last)] }] });
    expect(notes("99: hm")).toMatchObject({ annotations: [{ blockIndex: 0, comment: "99: hm" }] });
  });

  it("is feedback in the thread of the header", () => {
    const session = typed(plan(), "tighten it", { anchor: thread("r_test0001-1") });
    expect(lastRound(session)).toMatchObject({ feedback: [{ text: "tighten it" }] });
  });

  it("goes to the agent's inbox from people who may not answer, and from the channel itself", () => {
    const stranger = typed(plan(), "me too", { anchor: thread(block), actor: GUEST });
    expect(stranger.inbox).toMatchObject([{ text: "me too" }]);
    expect(typed(plan(), "hello").inbox).toMatchObject([{ text: "hello" }]);
    const others = standing(asked("plan", PLAN, { policy: named(BEN) }));
    expect(typed(others, "me too", { anchor: thread(block), actor: ANA }).inbox).toHaveLength(1);
  });

  it("follows edits and deletions, by its author only", () => {
    const there = { anchor: thread(block) };
    const one = typed(plan(), "why?", there);
    const edited = after(
      step(one, { ...event("why not?", { ...there, id: "why?" }), type: "edited" }, BEGIN),
    );
    expect(lastRound(edited)).toMatchObject({ annotations: [{ comment: "why not?" }] });
    expect(step(one, { ...event("x", { ...there, id: "why?", actor: BEN }), type: "edited" }, BEGIN).ok).toBe(
      false,
    );
    const gone = after(step(edited, { ...event("", { ...there, id: "why?" }), type: "deleted" }, BEGIN));
    expect(lastRound(gone)).toMatchObject({ annotations: [] });
  });

  it("is what its newest edit says, in whatever order edits come", () => {
    const there = { anchor: thread(block), id: "why?" };
    const edit = (on: Session, text: string, editedAt: number): Session =>
      after(step(on, { ...event(text, there), type: "edited", editedAt }, BEGIN));
    const twice = edit(edit(typed(plan(), "why?", there), "second", BEGIN + 2_000), "first", BEGIN + 1_000);
    expect(lastRound(twice)).toMatchObject({ annotations: [{ comment: "second" }] });
    const read = {
      type: "reread" as const,
      place: "slack:C1",
      from: 0,
      heard: BEGIN,
      ahead: 0,
      words: ["why?"],
    };
    const before = after(step(twice, { ...read, messages: [event("why?", there)] }, BEGIN));
    expect(lastRound(before)).toMatchObject({ annotations: [{ comment: "second" }] });
    const messages = [{ ...event("third", there), editedAt: BEGIN + 3_000 }];
    const later = edit(after(step(twice, { ...read, messages }, BEGIN)), "second", BEGIN + 2_000);
    expect(lastRound(later)).toMatchObject({ annotations: [{ comment: "third" }] });
  });

  it("is not gone where it came while others were read back", () => {
    const [old, young] = [
      { anchor: thread(block), id: "slack:C1/1" },
      { anchor: thread(block), id: "slack:C1/2" },
    ];
    const both = typed(typed(plan(), "old", old), "young", young);
    const read = {
      type: "reread" as const,
      place: "slack:C1",
      from: 0,
      heard: BEGIN,
      ahead: 0,
      messages: [],
    };
    const left = after(step(both, { ...read, words: ["slack:C1/1"] }, BEGIN));
    expect(lastRound(left)).toMatchObject({ annotations: [{ comment: "young" }] });
  });

  it("is not taken any more where its deletion came first", () => {
    const there = { anchor: thread(block), id: "why?" };
    const gone = after(step(plan(), { ...event("", there), type: "deleted" }, BEGIN));
    expect(step(gone, event("why?", there), BEGIN)).toMatchObject({ ok: false, code: "duplicate" });
  });
});

describe("a message where an answer is wanted", () => {
  const direct = (payload: object) => standing(asked("clarity", payload, {}, [DIRECT]), DIRECT);
  const one = { ...LOGIN, decisions: LOGIN.decisions.slice(2) };

  it("answers in a direct message when exactly one open decision takes words", () => {
    const words = typed(direct(one), "two weeks", { place: DIRECT });
    expect(lastRound(words)).toMatchObject({ picks: { session: { kind: "custom", value: "two weeks" } } });
    const digit = typed(direct(one), "2", { place: DIRECT });
    expect(lastRound(digit)).toMatchObject({ picks: { session: { kind: "option", optionId: "month" } } });
    const out = typed(direct(one), "7", { place: DIRECT });
    expect(lastRound(out)).toMatchObject({ picks: { session: { kind: "custom", value: "7" } } });
  });

  it("goes to the inbox in a direct message where two decisions take words", () => {
    const two = did(direct(LOGIN), "pick", { target: "d0", values: ["o1"], place: DIRECT });
    const session = typed(two, "hm", { place: DIRECT });
    expect(session.inbox).toHaveLength(1);
  });

  it("answers as a reply to the card, on a platform that has replies", () => {
    const session = standing(asked("clarity", one));
    const answered = typed(session, "two weeks", { anchor: reply("r_test0001-1") });
    expect(lastRound(answered)).toMatchObject({ picks: { session: { kind: "custom", value: "two weeks" } } });
  });

  it("never answers by itself in a channel, but may be taken as the answer by its author", () => {
    const session = standing(asked("ask", { question: "Which colour?", options: ["red", "blue"] }));
    const said = typed(session, "2");
    expect(lastRound(said).outcome).toBeNull();
    const offer = said.tells.find(({ tone }) => tone === "offer");
    expect(offer).toMatchObject({ to: ANA.id, button: "v1:st:use:r_test0001-1:0:m1-ask" });
    const use = (actor: Actor) =>
      step(
        said,
        {
          type: "press",
          id: "u1",
          place: CHANNEL,
          actor,
          button: offer?.button ?? "",
          values: [],
          words: null,
        },
        BEGIN + 2,
      );
    expect(use(BEN)).toMatchObject({ ok: false });
    const used = after(use(ANA));
    expect(lastRound(used).outcome).toMatchObject({ answer: "blue", option: 2 });
    expect(used.inbox).toEqual([]);
  });

  it.each(["?", "? how far are you", "？ 到哪了"])(
    "is answered in the thread where it asks how things stand: %s",
    (text) => {
      const session = standing(asked("ask", { question: "Which colour?" }));
      const told = typed(session, text, { anchor: thread("r_test0001-1") });
      expect(told.notes).toMatchObject([{ by: "bot", text: "Which colour? has a question" }]);
      expect(told.inbox).toEqual([]);
      expect(told.tells).toEqual([]);
      const [, note] = draw(told, TIGHT);
      expect(note).toMatchObject({ under: "r_test0001-1", mention: [], alert: "" });
    },
  );

  it("is taken as the answer by a sign of its author on it, once", () => {
    const session = standing(asked("ask", { question: "Which colour?", options: ["red", "blue"] }));
    const said = typed(session, "2", { id: "slack:C1/m1" });
    const accept = (actor: Actor) =>
      step(said, { type: "accepted", id: "slack:C1/m1", place: CHANNEL, actor }, BEGIN + 2);
    expect(accept(BEN)).toMatchObject({ ok: false, code: "settled" });
    const taken = after(accept(ANA));
    expect(lastRound(taken).outcome).toMatchObject({ answer: "blue", option: 2 });
    expect(taken.inbox).toEqual([]);
    expect(
      step(taken, { type: "accepted", id: "slack:C1/m1", place: CHANNEL, actor: ANA }, BEGIN + 3).ok,
    ).toBe(false);
  });
});
