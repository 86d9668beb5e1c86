import { expect, test } from "vitest";
import { announce } from "../../../src/adapters/web/page/announce.ts";
import { withMarks } from "../../../src/adapters/web/page/pending.ts";
import { applyFrame } from "../../../src/adapters/web/page/session.ts";
import { pageWords } from "../../../src/adapters/web/page/words.ts";
import { headlineOf, LIMITS, layOut, questionsOf, withTime } from "../../../src/adapters/web/render.ts";
import { type Card, type ChoicePart, TIME } from "../../../src/core/card.ts";
import type { Session } from "../../../src/core/session.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { asked, did, draw, LOCAL, PAGE, type Pressing } from "../../support/people.ts";

const here: Pressing = { actor: LOCAL, place: PAGE };
const cardsOf = (session: Session): Card[] => draw(session, LIMITS, PAGE);
const login = (): Session => asked("clarity", LOGIN, {}, [PAGE]);
const plan = (): Session => asked("plan", PLAN, {}, [PAGE]);
function only<T>([first, ...others]: T[]): T {
  if (first === undefined || others.length > 0) throw new Error("not exactly one");
  return first;
}
const saying = { words: pageWords("en"), now: 0, locale: "en", isOwn: () => false };
const targets = (parts: ChoicePart[]): string[] => parts.map(({ target }) => target);

test("a follow-up stands under its parent, before the next root, though its card comes last", () => {
  const session = did(login(), "pick", { ...here, target: "d0", values: ["o1"] });
  const round = only(layOut(cardsOf(session)));
  expect(targets(questionsOf(round))).toEqual(["d0", "d1", "d2"]);
  expect(round.items.map((item) => (item.kind === "question" ? item.follow.length : item.text))).toEqual([
    "Email-first.",
    1,
    0,
  ]);
});

test("a plan's buttons, which stand twice, are drawn once, and its end too", () => {
  const open = only(layOut(cardsOf(plan())));
  expect(open.controls.map(({ verb }) => verb)).toEqual(["approve", "revise", "feedback", "cancel"]);
  expect(open.blocks).toHaveLength(5);
  const over = only(layOut(cardsOf(did(plan(), "approve", here))));
  expect([over.settled, over.times.length, over.controls]).toEqual([true, 1, []]);
});

test("a question goes by its own words, a clarity page by its title", () => {
  const round = only(layOut(cardsOf(asked("ask", { question: "Web or native?" }, {}, [PAGE]))));
  expect(headlineOf(round)).toEqual({ title: "Web or native?", subtitle: expect.stringContaining("Claude") });
  expect(headlineOf(only(layOut(cardsOf(login())))).title).toBe("Login PRD");
});

test("nothing is shortened for the page", () => {
  const long = "word ".repeat(200).trim();
  const session = asked("clarity", { ...LOGIN, context: long }, {}, [PAGE]);
  expect(only(layOut(cardsOf(session))).items[0]).toMatchObject({ kind: "text", text: long });
});

test("a time is the reader's own, with the day where it is another", () => {
  const at = new Date(2026, 10, 30, 9, 5).getTime();
  const line = { text: `by ${TIME}`, at };
  expect(withTime(line, at + 1000, "en")).toBe("by 09:05");
  expect(withTime(line, at + 24 * 60 * 60 * 1000, "en-GB")).toMatch(/^by 30 Nov(,| at) 09:05$/);
  expect(withTime({ text: "no time", at: null }, at, "en")).toBe("no time");
});

test("a pick on its way is drawn, the last one wins, and other rounds stay as they are", () => {
  const session = login();
  const cards = cardsOf(session);
  const round = cards[0]?.round ?? "";
  const marked = withMarks(cards, [
    { kind: "pick", round, target: "d2", values: ["o0"] },
    { kind: "own", round, target: "d2", words: "One week" },
    { kind: "pick", round: "r_other-1", target: "d0", values: ["o0"] },
  ]);
  const [auth, length] = questionsOf(only(layOut(marked)));
  expect(auth?.entries.map(({ chosen }) => chosen)).toEqual([false, false]);
  expect([length?.own, length?.entries.map(({ chosen }) => chosen)]).toEqual(["One week", [false, false]]);
});

test("comments and feedback on their way are drawn until the bot draws them, never twice", () => {
  const session = plan();
  const round = cardsOf(session)[0]?.round ?? "";
  const marks = [
    { kind: "comment", round, target: "b1", words: "By mail?" },
    { kind: "feedback", round, words: "Short." },
  ] as const;
  const count = (cards: Card[]): number[] => {
    const view = only(layOut(withMarks(cards, [...marks])));
    return [view.blocks[1]?.comments.length ?? 0, view.comments.flatMap(({ comments }) => comments).length];
  };
  expect(count(cardsOf(session))).toEqual([1, 1]);
  const drawn = did(did(session, "comment", { ...here, target: "b1", words: "By mail?" }), "feedback", {
    ...here,
    words: "Short.",
  });
  expect(count(cardsOf(drawn))).toEqual([1, 1]);
});

test("a frame brings, changes, orders and takes away cards", () => {
  const named = (key: string): Card => ({ ...only(cardsOf(login())), key });
  const [a, b, c] = [named("a"), named("b"), named("c")];
  const changed = { ...b, alert: "new" };
  const after = applyFrame([a, b], { number: 2, order: ["c", "b"], cards: [c, changed], ended: false });
  expect(after).toEqual([c, changed]);
});

test("a screen reader hears of new questions, answers of others, what went, and the end — not of one's own picks", () => {
  const start = login();
  const picked = did(start, "pick", { ...here, target: "d0", values: ["o1"] });
  const [before, after] = [cardsOf(start), cardsOf(picked)];
  expect(announce(before, after, saying)).toBe(
    "Which auth methods? Password + magic link — ana. New question: Password policy?",
  );
  expect(announce(before, after, { ...saying, isOwn: () => true })).toBe("New question: Password policy?");
  const strict = did(picked, "pick", { ...here, target: "d1", values: ["o1"] });
  const back = did(strict, "pick", { ...here, target: "d0", values: ["o0"] });
  expect(announce(cardsOf(strict), cardsOf(back), saying)).toContain("Password policy? — Strict");
  const sent = did(did(back, "accept", here), "send", { ...here, rev: 99 });
  expect(announce(cardsOf(back), cardsOf(sent), saying)).toMatch(/Sent to the agent by ana/);
  expect(announce([], after, saying)).toBe("");
});
