/** Whatever an agent or a person writes, Discord takes the message, and what stands on the card stands in it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/adapters/discord/kit.ts";
import { DISCORD_LIMITS } from "../../../src/adapters/discord/limits.ts";
import { mentioned, renderCard, renderPlainly } from "../../../src/adapters/discord/render.ts";
import { isBlank, safe } from "../../../src/adapters/shared/text.ts";
import { type Card, type Part, TIME } from "../../../src/core/card.ts";
import { fit as fitted } from "../../../src/core/fit.ts";
import type { Kind } from "../../../src/core/round.ts";
import type { Session } from "../../../src/core/session.ts";
import { texts } from "../../../src/core/texts.ts";
import { fullCard } from "../../support/every-part.ts";
import {
  crumbs,
  hostileAsk,
  hostileClarity,
  hostilePermission,
  hostilePlan,
  nasty,
} from "../../support/hostile.ts";
import { BEGIN, did, lastRound, named, press } from "../../support/people.ts";
import { type Seen, seenIn } from "./reading.ts";
import { ANA, BEN, CHO, cardsOf, contents, opened, post, pressables, URL, type View } from "./support.ts";

/** French has the longest words. */
const VIEWS: View[] = [{}, { direct: true, locale: "fr", url: () => URL }];
const allCardsOf = (session: Session): Card[] => VIEWS.flatMap((view) => cardsOf(session, view));

/** `npm test` looks at a few; more on demand. */
const RUNS = Number(process.env.RUNS ?? 8);

const open = (kind: Kind, payload: unknown): Session =>
  opened(kind, payload, { policy: named(ANA, BEN, CHO), deadline: BEGIN + 60_000 });

/** Discord's own, written here once more. */
const COMPONENTS = 40;
const CHARACTERS = 4_000;
const BYTES = 9_500;

const flat = (text: string): string =>
  isBlank(safe(text))
    ? ""
    : safe(text)
        .replaceAll(/[\s\p{Cf}\p{Mn}]+/gu, "")
        .replaceAll("\u02cb", "`");

/** Texts that must be there word for word; buttons may be shorter, and Markdown is drawn. */
function kept(part: Part): string[] {
  if (part.kind === "controls" || part.kind === "block") return [];
  const shown = part.kind === "choice" ? { ...part, own: "" } : part;
  return texts(shown).flatMap((text) => (part.kind === "people" ? text.split(": ") : text.split(TIME)));
}

function expectTaken(card: Card): void {
  if (card.parts.every(({ kind }) => kind === "file")) return;
  for (const message of [renderCard(card), renderPlainly(card)]) {
    post(message, card);
    expectSmall(message);
    const seen = seenOn(message);
    expectNobodyElse(card, seen);
    for (const part of card.parts)
      for (const one of kept(part)) expect(flat(seen.words)).toContain(flat(one));
  }
}

function expectSmall(message: Message): void {
  const { components } = message;
  const shown = contents(components);
  const labels = pressables(message).flatMap((one) =>
    one.type === 2 ? [one.label] : [one.placeholder ?? "", ...one.options.map(({ label }) => label)],
  );
  expect(components.length + pressables(message).length).toBeLessThanOrEqual(COMPONENTS);
  expect(shown.join("").length).toBeLessThanOrEqual(CHARACTERS);
  expect(Buffer.byteLength([...shown, ...labels].join(""))).toBeLessThanOrEqual(BYTES);
  expect(shown.join("")).not.toMatch(/\p{Cs}/u);
}

/** All words, those of buttons too: an option that a button shows whole stands there only. */
function seenOn(message: Message): Seen {
  const all = contents(message.components).map(seenIn);
  const labels = pressables(message).flatMap((one) => (one.type === 2 ? [one.label] : []));
  return {
    words: [...all.map(({ words }) => words), ...labels].join("\n"),
    marks: all.flatMap(({ marks }) => marks),
  };
}

function expectNobodyElse(card: Card, { marks }: Seen): void {
  const called = marks.filter((mark) => mark.startsWith("mention "));
  expect(called).toEqual(mentioned(card).map((id) => `mention <@${id}>`));
  const own = marks.filter((mark) => mark.startsWith("masked "));
  expect(own.every((mark) => mark === `masked ${URL}`)).toBe(true);
  expect(marks).not.toContain("spoiler");
  expect(marks).not.toContain("underline");
}

const revOf = (session: Session): number => {
  const round = lastRound(session);
  return "rev" in round ? round.rev : 0;
};

describe("Discord takes", { timeout: 60_000 + RUNS * 5_000 }, () => {
  it("any page of decisions: open, answered and sent", () => {
    fc.assert(
      fc.property(hostileClarity, nasty(3000), (payload, words) => {
        const session = open("clarity", payload);
        allCardsOf(session).forEach(expectTaken);
        const accepted = did(session, "accept", { actor: ANA });
        allCardsOf(accepted).forEach(expectTaken);
        const own = press(accepted, "own", { actor: ANA, target: "d0", words });
        if (own.ok) allCardsOf(own.session).forEach(expectTaken);
        allCardsOf(did(accepted, "send", { actor: ANA, rev: revOf(accepted) })).forEach(expectTaken);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("as many small options as there can be", () => {
    fc.assert(
      fc.property(crumbs, (payload) => {
        const session = open("clarity", payload);
        allCardsOf(session).forEach(expectTaken);
        allCardsOf(did(session, "accept", { actor: ANA })).forEach(expectTaken);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it.each(["x", "中", "`", "*", "\u202e", "a\n"])("a card that just fits, full of %j", (character) => {
    const [payload] = fc.sample(crumbs, { numRuns: 1, seed: 1 });
    const decisions = payload?.decisions.map((one) => ({
      ...one,
      options: one.options.map((option) => ({ ...option, label: "l" })),
    }));
    const session = did(open("clarity", { ...payload, context: "c", decisions }), "accept", { actor: ANA });
    const [home] = cardsOf(session, { url: () => URL });
    if (home === undefined) throw new Error("no card");
    const mention = Array.from(
      { length: 39 },
      (_, index) => `discord:${1_000_000_000_000_000_000n + BigInt(index)}`,
    );
    const filler = (length: number): Part[] => [
      { kind: "text", text: character.repeat(length).slice(0, length), tone: "body", at: null },
    ];
    const full = (length: number): Card => ({ ...home, mention, parts: [...home.parts, ...filler(length)] });
    const isWhole = (length: number): boolean =>
      fitted(full(length), DISCORD_LIMITS).parts.every(({ kind }) => kind !== "file");
    let most = 0;
    for (let length = 0; length < DISCORD_LIMITS.card && isWhole(length); length += 10) most = length;
    expect(most).toBeGreaterThan(100);
    expectTaken(full(most));
  });

  it("a full page that gets notes later, of which nothing is shortened for them", () => {
    const [payload] = fc.sample(crumbs, { numRuns: 1, seed: 1 });
    const decisions = payload?.decisions.map((one) => ({ ...one, options: one.options.slice(0, 2) }));
    const session = {
      ...open("clarity", { ...payload, context: "Short.", decisions }),
      away: { discord: BEGIN + 10 },
    };
    const [home] = cardsOf(session, { url: () => URL });
    if (home === undefined) throw new Error("no card");
    const pointers: Part = { kind: "pointers", pointers: [{ key: "k", label: "a later plan", url: URL }] };
    const full = fitted({ ...home, parts: [...home.parts, pointers] }, DISCORD_LIMITS);
    expect(home.parts.filter(({ kind }) => kind === "choice")).toHaveLength(4);
    expect(full.parts.some(({ kind }) => kind === "file")).toBe(false);
    expectTaken(full);
  });

  it("any plan: open, commented and settled", () => {
    fc.assert(
      fc.property(hostilePlan, nasty(3000), (payload, words) => {
        const session = did(open("plan", payload), "feedback", { actor: BEN, words: `w${words}` });
        allCardsOf(session).forEach(expectTaken);
        const all = [ANA, BEN, CHO].reduce((last, actor) => did(last, "revise", { actor }), session);
        allCardsOf(all).forEach(expectTaken);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("any question: open and answered", () => {
    fc.assert(
      fc.property(hostileAsk, nasty(3000), (payload, words) => {
        const session = open("ask", payload);
        allCardsOf(session).forEach(expectTaken);
        allCardsOf(did(session, "answer", { actor: ANA, words })).forEach(expectTaken);
        const chosen = press(session, "answer", { actor: ANA, values: ["o0"] });
        if (chosen.ok) allCardsOf(chosen.session).forEach(expectTaken);
      }),
      { numRuns: RUNS * 2, endOnFailure: true },
    );
  });

  it("any permission: open and denied", () => {
    fc.assert(
      fc.property(hostilePermission, nasty(3000), (payload, words) => {
        const session = open("permission", payload);
        allCardsOf(session).forEach(expectTaken);
        allCardsOf(did(session, "deny", { actor: ANA, target: "words", words })).forEach(expectTaken);
      }),
      { numRuns: RUNS * 2, endOnFailure: true },
    );
  });
});

describe("a card at Discord's own limits", () => {
  const card = (texts: string[]): Card => ({
    ...fullCard((name) => name),
    parts: texts.map((text) => ({ kind: "text", text, tone: "body", at: null })),
  });
  const drawn = (texts: string[]): string[] => {
    const message = renderCard(card(texts));
    post(message);
    expectSmall(message);
    return contents(message.components);
  };

  it("is whole with as many characters as a message holds, and is not with one more", () => {
    expect(drawn(["x".repeat(CHARACTERS)])).toEqual(["x".repeat(CHARACTERS)]);
    expect(drawn(["x".repeat(CHARACTERS + 1)])).toEqual(["…"]);
  });

  it("is whole with as many bytes as a server bears, and is not with more", () => {
    const most = Math.floor(BYTES / 3);
    expect(drawn(["中".repeat(most)])).toEqual(["中".repeat(most)]);
    expect(drawn(["中".repeat(most + 1)])).toEqual(["…"]);
  });

  it("joins texts that would be too many by themselves", () => {
    const many = Array.from({ length: COMPONENTS }, (_, index) => `text ${index}`);
    expect(drawn(many)).toEqual(many);
    expect(drawn([...many, "one more"])).toEqual([[...many, "one more"].join("\n")]);
  });
});
