/** What becomes of messages that were kept: edited, deleted, read back after a gap, delivered. */
import { describe, expect, it } from "vitest";
import type { Typed } from "../../src/core/event.ts";
import { placeKey } from "../../src/core/people.ts";
import type { PlanRound } from "../../src/core/round.ts";
import type { Session } from "../../src/core/session.ts";
import { step } from "../../src/core/step.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import { ANA, after, asked, BEGIN, BEN, CHANNEL, DIRECT, lastRound } from "../support/people.ts";
import { standing, type Typing, typing } from "../support/typed.ts";

const HERE = placeKey(CHANNEL);
const plan = () => standing(asked("plan", PLAN));
const typed = (session: Session, text: string, how?: Typing) =>
  after(step(session, typing(text, how), BEGIN));
const edited = (session: Session, text: string, how: Typing & { id: string }) =>
  step(session, { ...typing(text, how), type: "edited" }, BEGIN);
const deleted = (session: Session, how: Typing & { id: string }) =>
  step(session, { ...typing("", how), type: "deleted" }, BEGIN);

function notes(session: Session): string[] {
  const round = lastRound(session) as PlanRound;
  return round.annotations.map(({ blockIndex, comment }) => `${blockIndex}: ${comment}`);
}

const feedback = (session: Session) => (lastRound(session) as PlanRound).feedback.map(({ text }) => text);
const inbox = (session: Session) => session.inbox.map(({ text }) => text);

/** The card of the blocks, and that of the plan. */
const blocks = (session: Session): string =>
  Object.values(session.posts)
    .flat()
    .find(({ key }) => /\/b\d/.test(key))?.handle ?? "";
const header = (session: Session): string => lastRound(session).id;

describe("an edit", () => {
  it("changes the comment that the message became", () => {
    const session = plan();
    const before = typed(session, "1: too short", { under: blocks(session), id: "m" });
    expect(notes(before)).toEqual(["0: too short"]);
    expect(notes(after(edited(before, "1: far too short", { under: blocks(session), id: "m" })))).toEqual([
      "0: far too short",
    ]);
  });

  it("moves it to the block that it names now", () => {
    const session = plan();
    const before = typed(session, "1: why?", { under: blocks(session), id: "m" });
    const [, last] = /b\d+-(\d+)$/.exec(blocks(session)) ?? [];
    const named = Number(last) + 1;
    expect(notes(after(edited(before, `${named}: why?`, { under: blocks(session), id: "m" })))).toEqual([
      `${named - 1}: why?`,
    ]);
  });

  it("to nothing removes it", () => {
    const session = plan();
    const before = typed(session, "why?", { under: blocks(session), id: "m" });
    expect(notes(after(edited(before, "  ", { under: blocks(session), id: "m" })))).toEqual([]);
  });

  it("changes feedback, and a message to the agent", () => {
    const session = plan();
    const said = typed(session, "nice", { under: header(session), id: "m" });
    expect(feedback(after(edited(said, "very nice", { under: header(session), id: "m" })))).toEqual([
      "very nice",
    ]);
    const clarity = standing(asked("clarity", LOGIN));
    const sent = typed(clarity, "use Rust", { under: header(clarity), id: "m" });
    expect(inbox(after(edited(sent, "use Go", { under: header(clarity), id: "m" })))).toEqual(["use Go"]);
  });

  it("by somebody else, or of what nobody kept, changes nothing", () => {
    const session = plan();
    const before = typed(session, "why?", { under: blocks(session), id: "m" });
    expect(edited(before, "ha", { under: blocks(session), id: "m", actor: BEN }).ok).toBe(false);
    expect(edited(before, "ha", { under: blocks(session), id: "other" }).ok).toBe(false);
  });
});

describe("a deletion", () => {
  it("removes the comment, the feedback, the message", () => {
    const session = plan();
    const before = typed(session, "why?", { under: blocks(session), id: "m" });
    expect(notes(after(deleted(before, { under: blocks(session), id: "m" })))).toEqual([]);
    const said = typed(session, "nice", { under: header(session), id: "m" });
    expect(feedback(after(deleted(said, { under: header(session), id: "m" })))).toEqual([]);
  });

  it("of a message that the agent has taken changes nothing", () => {
    const clarity = standing(asked("clarity", LOGIN));
    const sent = typed(clarity, "use Rust", { under: header(clarity), id: "m" });
    const [message] = sent.inbox;
    const acknowledged = { type: "acknowledge" as const, rounds: [], messages: [message?.id ?? ""] };
    const taken = after(step(sent, acknowledged, BEGIN));
    expect(deleted(taken, { under: header(clarity), id: "m" }).ok).toBe(false);
    expect(inbox(taken)).toEqual(["use Rust"]);
  });

  it("that comes before its message keeps that from being taken", () => {
    const session = plan();
    const before = after(deleted(session, { under: blocks(session), id: "m" }));
    expect(step(before, typing("why?", { under: blocks(session), id: "m" }), BEGIN)).toMatchObject({
      ok: false,
      code: "duplicate",
    });
  });
});

describe("reading back", () => {
  const read = (session: Session, messages: Typed[], more: { heard?: number; words?: string[] } = {}) => {
    const words = [...(lastRound(session) as PlanRound).annotations.map(({ source }) => source)];
    const event = {
      type: "reread" as const,
      place: HERE,
      from: 0,
      heard: 0,
      ahead: 0,
      words,
      messages,
      ...more,
    };
    return after(step(session, event, BEGIN));
  };

  it("takes what is new, in its order", () => {
    const session = plan();
    const next = read(session, [
      typing("1: one", { under: blocks(session) }),
      typing("1: two", { under: blocks(session), actor: BEN }),
    ]);
    expect(notes(next)).toEqual(["0: one", "0: two"]);
  });

  it("follows edits and deletions of what is kept", () => {
    const session = plan();
    const one = typed(session, "1: one", { under: blocks(session), id: "m1" });
    const both = typed(one, "1: two", { under: blocks(session), id: "m2" });
    const next = read(both, [typing("1: changed", { under: blocks(session), id: "m1" })]);
    expect(notes(next)).toEqual(["0: changed"]);
  });

  it("takes nothing that was heard a minute before: the agent may have it already", () => {
    const session = plan();
    const old = typing("1: old", { under: blocks(session), after: 1_000 });
    const fresh = typing("1: new", { under: blocks(session), after: 2_000 });
    expect(notes(read(session, [old, fresh], { heard: BEGIN + 61_000 }))).toEqual(["0: new"]);
  });

  it("takes what was overtaken by what was heard", () => {
    const session = plan();
    const late = typed(session, "1: late", { under: blocks(session), id: "late", after: 9_000 });
    const early = typing("1: early", { under: blocks(session), after: 4_000 });
    const again = typing("1: late", { under: blocks(session), id: "late", after: 9_000 });
    expect(notes(read(late, [early, again], { heard: BEGIN + 9_000 }))).toEqual(["0: late", "0: early"]);
  });

  it("takes a message once that is delivered again afterwards", () => {
    const session = plan();
    const message = typing("1: one", { under: blocks(session), id: "m" });
    expect(step(read(session, [message]), message, BEGIN)).toMatchObject({ ok: false, code: "duplicate" });
  });

  it("twice changes nothing more", () => {
    const session = plan();
    const messages = [typing("1: one", { under: blocks(session) })];
    const once = read(session, messages);
    expect(notes(read(once, messages))).toEqual(["0: one"]);
  });

  it("remembers up to when it heard, by the platform's clock", () => {
    const session = plan();
    const next = read(session, [typing("1: one", { under: blocks(session), after: 7_000 })]);
    expect(next.heard[HERE]).toBe(BEGIN + 7_000);
  });
});

it("hears up to the newest message that it took, whatever the order", () => {
  const session = plan();
  const late = typed(session, "1: late", { under: blocks(session), after: 9_000 });
  const early = typed(late, "1: early", { under: blocks(session), after: 4_000 });
  expect(early.heard).toEqual({ [HERE]: BEGIN + 9_000 });
});

it("does not hear up to what comes ahead of what is unread, until that is read back", () => {
  const session = plan();
  const ahead = after(
    step(session, { ...typing("1: one", { under: blocks(session), after: 9_000 }), ahead: true }, BEGIN),
  );
  expect(ahead.heard).toEqual({});
  const event = { type: "reread" as const, place: HERE, from: 0, heard: 0, words: [], messages: [] };
  expect(after(step(ahead, { ...event, ahead: BEGIN + 9_000 }, BEGIN)).heard[HERE]).toBe(BEGIN + 9_000);
});

it("takes no answer from a message that does not say which question it means", () => {
  const session = standing(
    asked("ask", { question: "Which port?", allow_custom: true }, {}, [DIRECT]),
    DIRECT,
  );
  const message = typing("8080", { place: DIRECT });
  const answered = after(step(session, message, BEGIN));
  expect(lastRound(answered).outcome).toMatchObject({ status: "submitted", answer: "8080" });
  const doubtful = after(step(session, { ...message, doubtful: true }, BEGIN));
  expect(lastRound(doubtful).outcome).toBeNull();
  expect(inbox(doubtful)).toEqual(["8080"]);
});

describe("delivery", () => {
  it("puts a sign on each message that has reached the agent, once", () => {
    const clarity = standing(asked("clarity", LOGIN));
    const sent = typed(clarity, "use Rust", { under: header(clarity), id: "m" });
    const event = { type: "acknowledge" as const, rounds: [], messages: sent.inbox.map(({ id }) => id) };
    const taken = after(step(sent, event, BEGIN));
    const signs = (session: Session) => session.tells.filter(({ tone }) => tone === "delivered");
    expect(signs(taken)).toMatchObject([{ about: `${HERE}/m`, place: HERE, to: ANA.id }]);
    expect(signs(after(step(taken, event, BEGIN)))).toHaveLength(1);
  });

  it("is told until it was said", () => {
    const session = plan();
    const before = typed(session, "why?", { under: blocks(session), id: "m" });
    const [tell] = before.tells;
    expect(tell).toMatchObject({ tone: "kept", about: `${HERE}/m` });
    expect(after(step(before, { type: "told", id: tell?.id ?? "" }, BEGIN)).tells).toEqual([]);
  });
});

it("says on open cards that nobody listened, until somebody presses", () => {
  const session = plan();
  const away = after(
    step(session, { type: "away", surface: "slack", from: BEGIN, until: BEGIN + 90_000 }, BEGIN),
  );
  expect(away.away).toEqual({ slack: BEGIN + 90_000 });
});
