/** Whatever an agent or a person writes, Slack takes the message, and what stands on the card stands in it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Message } from "../../../src/adapters/slack/kit.ts";
import { MOST, SLACK_LIMITS } from "../../../src/adapters/slack/limits.ts";
import { renderCard } from "../../../src/adapters/slack/render.ts";
import { shownIn, sizeOf } from "../../../src/adapters/slack/rich-text.ts";
import { isBlank, safe } from "../../../src/adapters/slack/text.ts";
import { type Card, type Part, TIME } from "../../../src/core/card.ts";
import { cards } from "../../../src/core/cards.ts";
import { fit as fitted } from "../../../src/core/fit.ts";
import type { Kind } from "../../../src/core/round.ts";
import type { Session } from "../../../src/core/session.ts";
import { texts } from "../../../src/core/texts.ts";
import { checkBlocks, textLength } from "../../doubles/slack/blocks.ts";
import { calledBy } from "../../doubles/slack/mentions.ts";
import {
  crumbs,
  hostileAsk,
  hostileClarity,
  hostilePermission,
  hostilePlan,
  nasty,
} from "../../support/hostile.ts";
import {
  ANA,
  asked,
  BEGIN,
  BEN,
  CHANNEL,
  CHO,
  DIRECT,
  did,
  lastRound,
  named,
  press,
} from "../../support/people.ts";

/** French has the longest words. */
const VIEWS = [
  { place: CHANNEL, locale: "en" },
  { place: DIRECT, locale: "fr" },
];
const cardsOf = (session: Session): Card[] =>
  VIEWS.flatMap((view) => cards(session, { ...view, limits: SLACK_LIMITS }));

/** `npm test` looks at a few; more on demand. */
const RUNS = Number(process.env.RUNS ?? 12);

const open = (kind: Kind, payload: unknown): Session =>
  asked(kind, payload, { policy: named(ANA, BEN, CHO), deadline: BEGIN + 60_000 });

const flat = (text: string): string => (isBlank(safe(text)) ? "" : safe(text).replaceAll(/\s+/g, ""));

function readable(block: Block): string {
  if (block.type === "rich_text") return block.elements.map(shownIn).join("\n");
  if (block.type === "context") return block.elements.map(({ text }) => text).join("\n");
  if (block.type === "section") return block.text.text;
  return block.elements.map((one) => (one.type === "button" ? one.text.text : "")).join("\n");
}

/** Texts that must be there word for word; links and buttons may be shorter, and Markdown is drawn. */
function kept(part: Part): string[] {
  if (part.kind === "pointers" || part.kind === "controls" || part.kind === "block") return [];
  const shown = part.kind === "choice" ? { ...part, own: "" } : part;
  return texts(shown).flatMap((text) => (part.kind === "people" ? text.split(": ") : text.split(TIME)));
}

function expectTaken(card: Card): void {
  const message: Message = renderCard(card);
  const { text, blocks } = message;
  expect(checkBlocks(JSON.parse(JSON.stringify(blocks)), "message")).toEqual([]);
  expect(Math.max(textLength(blocks), sizeOf(blocks))).toBeLessThanOrEqual(MOST.message);
  expect(text.length).toBeLessThanOrEqual(MOST.alert);
  expect(text).not.toBe("");
  expect(/\p{Cs}/u.test(JSON.stringify(message).replaceAll(/\\ud[89a-f]/gi, "\ud800"))).toBe(false);
  expectNobodyElse(card, message);
  const seen = flat(blocks.map(readable).join("\n"));
  for (const part of card.parts) for (const one of kept(part)) expect(seen).toContain(flat(one));
}

function expectNobodyElse(card: Card, { text, blocks }: Message): void {
  const called = calledBy(text, JSON.parse(JSON.stringify(blocks)));
  expect(called.everybody).toBe(false);
  expect([...called.users].map((id) => `slack:T1/${id}`).sort()).toEqual([...card.mention].sort());
}

const revOf = (session: Session): number => {
  const round = lastRound(session);
  return "rev" in round ? round.rev : 0;
};

describe("Slack takes", { timeout: 60_000 + RUNS * 5_000 }, () => {
  it("any page of decisions: open, answered and sent", () => {
    fc.assert(
      fc.property(hostileClarity, nasty(3000), (payload, words) => {
        const session = open("clarity", payload);
        cardsOf(session).forEach(expectTaken);
        const accepted = did(session, "accept");
        cardsOf(accepted).forEach(expectTaken);
        const own = press(accepted, "own", { target: "d0", words });
        if (own.ok) cardsOf(own.session).forEach(expectTaken);
        cardsOf(did(accepted, "send", { rev: revOf(accepted) })).forEach(expectTaken);
      }),
      { numRuns: RUNS },
    );
  });

  it("as many small options as there can be", () => {
    fc.assert(
      fc.property(crumbs, (payload) => {
        const session = open("clarity", payload);
        cardsOf(session).forEach(expectTaken);
        cardsOf(did(session, "accept")).forEach(expectTaken);
      }),
      { numRuns: 3 },
    );
  });

  it("a card that just fits, however little room its menus leave", () => {
    const session = did(open("clarity", fc.sample(crumbs, { numRuns: 1, seed: 1 })[0]), "accept");
    const [home] = cardsOf(session);
    if (home === undefined) throw new Error("no card");
    const mention = Array.from({ length: 39 }, (_, index) => `slack:T1/U${1_000_000_000 + index}`);
    const filler = (length: number): Part[] =>
      Array.from({ length: Math.ceil(length / 3000) }, (_, index) => ({
        kind: "text",
        text: "x".repeat(Math.min(3000, length - index * 3000)),
        tone: "body",
        at: null,
      }));
    const full = (length: number): Card => ({ ...home, mention, parts: [...home.parts, ...filler(length)] });
    const isWhole = (length: number): boolean =>
      fitted(full(length), SLACK_LIMITS).parts.every(({ kind }) => kind !== "file");
    let most = 0;
    for (let length = 0; length < SLACK_LIMITS.card && isWhole(length); length += 10) most = length;
    expect(most).toBeGreaterThan(1000);
    expectTaken(full(most));
  });

  it("any plan: open, commented and settled", () => {
    fc.assert(
      fc.property(hostilePlan, nasty(3000), (payload, words) => {
        const session = did(open("plan", payload), "feedback", { actor: BEN, words: `w${words}` });
        cardsOf(session).forEach(expectTaken);
        const all = [ANA, BEN, CHO].reduce((last, actor) => did(last, "revise", { actor }), session);
        cardsOf(all).forEach(expectTaken);
      }),
      { numRuns: RUNS },
    );
  });

  it("any question: open and answered", () => {
    fc.assert(
      fc.property(hostileAsk, nasty(3000), (payload, words) => {
        const session = open("ask", payload);
        cardsOf(session).forEach(expectTaken);
        cardsOf(did(session, "answer", { words })).forEach(expectTaken);
        const chosen = press(session, "answer", { values: ["o0"] });
        if (chosen.ok) cardsOf(chosen.session).forEach(expectTaken);
      }),
      { numRuns: RUNS * 2 },
    );
  });

  it("any permission: open and denied", () => {
    fc.assert(
      fc.property(hostilePermission, nasty(3000), (payload, words) => {
        const session = open("permission", payload);
        cardsOf(session).forEach(expectTaken);
        cardsOf(did(session, "deny", { target: "words", words })).forEach(expectTaken);
      }),
      { numRuns: RUNS * 2 },
    );
  });
});
