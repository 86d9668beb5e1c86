import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activeSet } from "../../src/core/decisions.ts";
import { type Event, VERBS } from "../../src/core/event.ts";
import { result } from "../../src/core/outcome.ts";
import { type Matter, parsePayload } from "../../src/core/payload.ts";
import type { Actor, Attachment } from "../../src/core/people.ts";
import type { Session } from "../../src/core/session.ts";
import { step } from "../../src/core/step.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import {
  ANA,
  asked,
  BEGIN,
  BEN,
  CHANNEL,
  DIRECT,
  draw,
  emptySession,
  GUEST,
  LOCAL,
  named,
  OPEN_TO_ALL,
  PAGE,
  ROOMY,
  TIGHT,
} from "../support/people.ts";

const matters: fc.Arbitrary<Matter> = fc.constantFrom<Matter>(
  parsePayload("clarity", LOGIN),
  parsePayload("plan", PLAN),
  { kind: "ask" as const, payload: { question: "Which?", options: ["a", "b"] } },
  { kind: "permission" as const, payload: { title: "Run", command: "ls" } },
);

const actors: fc.Arbitrary<Actor> = fc.constantFrom(ANA, BEN, GUEST, LOCAL, { ...ANA, id: "__proto__" });
const places = fc.constantFrom(CHANNEL, DIRECT, PAGE);
const rounds = fc.constantFrom(...[1, 2, 3, 4].map((n) => `r_test0001-${n}`), "r_none", "__proto__");
const targets = fc.oneof(
  fc.constantFrom(
    "-",
    "d0",
    "d1",
    "d2",
    "b0",
    "b1-3",
    "b9",
    "a1",
    "f0",
    "session",
    "words",
    "m1-ask",
    "m1-d2",
  ),
  fc.string({ maxLength: 6 }),
);
const texts = fc.oneof(fc.constant(null), fc.constantFrom("", " ", "2", "words", "2: words"), fc.string());
const policies = fc.constantFrom(
  OPEN_TO_ALL,
  named(ANA, BEN),
  { ...OPEN_TO_ALL, onTimeout: "fail" as const },
  { ...OPEN_TO_ALL, onTimeout: "recommended" as const },
);

const anchors = fc.oneof(
  fc.constant(null),
  fc.record({
    kind: fc.constantFrom("thread" as const, "reply" as const),
    handle: fc.constantFrom("h1", "h2", "x"),
  }),
);

const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    type: fc.constant("open" as const),
    round: rounds,
    key: fc.constant(null),
    matter: matters,
    deadline: fc.constantFrom(null, BEGIN, BEGIN + 50),
    immediate: fc.boolean(),
    policy: policies,
    granularity: fc.constantFrom("auto" as const, "block" as const),
    asks: fc.constantFrom(null, 0, 2),
  }),
  fc.record({
    type: fc.constant("press" as const),
    id: fc.uuid(),
    place: places,
    actor: actors,
    button: fc.oneof(
      fc
        .tuple(fc.constantFrom(...VERBS), rounds, fc.nat({ max: 9 }), targets)
        .map(([verb, round, rev, target]) => `v1:st:${verb}:${round}:${rev}:${target}`),
      fc.string(),
    ),
    values: fc.array(fc.oneof(fc.constantFrom("o0", "o1", "b1", "o99"), fc.string({ maxLength: 4 })), {
      maxLength: 3,
    }),
    words: texts,
  }),
  fc.record({
    type: fc.constant("typed" as const),
    id: fc.uuid(),
    at: fc.nat(),
    place: places,
    actor: actors,
    anchor: anchors,
    text: fc.string(),
    files: fc.constant<Attachment[]>([]),
  }),
  fc.record({
    type: fc.constant("edited" as const),
    id: fc.uuid(),
    place: places,
    anchor: anchors,
    text: fc.string(),
    actor: actors,
  }),
  fc.record({
    type: fc.constant("deleted" as const),
    id: fc.uuid(),
    place: places,
    anchor: anchors,
    actor: actors,
  }),
  fc.record({ type: fc.constantFrom("cancel" as const), round: rounds }),
  fc.record({
    type: fc.constant("renew" as const),
    round: rounds,
    deadline: fc.constantFrom(null, BEGIN + 99),
  }),
  fc.record({ type: fc.constant("unreachable" as const), round: rounds, reason: fc.string() }),
  fc.record({
    type: fc.constant("acknowledge" as const),
    rounds: fc.array(rounds),
    messages: fc.array(fc.string()),
  }),
  fc.record({ type: fc.constant("say" as const), text: fc.string() }),
  fc.record({
    type: fc.constant("posted" as const),
    place: fc.constant("slack:C1"),
    key: fc.constantFrom("r_test0001-1", "r_test0001-1/b0-0"),
    handle: fc.constantFrom("h1", "h2"),
    digest: fc.string(),
  }),
  fc.record({
    type: fc.constant("sending" as const),
    place: fc.constantFrom("slack:C1", "__proto__"),
    key: fc.constantFrom("r_test0001-1", "r_test0001-1/b0-0"),
    digest: fc.string(),
    nonce: fc.string(),
  }),
  fc.constantFrom<Event>(
    { type: "tick" },
    { type: "down" },
    { type: "told", id: "x" },
    { type: "join", places: [PAGE] },
  ),
);

/** What must hold of every session, whatever happened to it. */
function holds(session: Session): void {
  for (const round of session.rounds) {
    expect(result(session, round)).toMatchObject({ round: round.id, session: session.id });
    if (round.kind !== "clarity") continue;
    const active = activeSet(round.payload, round.picks);
    expect([...round.shown].sort()).toEqual([...active].sort());
    expect(Object.keys(round.picks).filter((id) => !active.includes(id))).toEqual([]);
    expect(Object.keys(round.pickedBy).sort()).toEqual(Object.keys(round.picks).sort());
  }
  for (const limits of [ROOMY, TIGHT]) {
    const keys = draw(session, limits).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  }
}

describe("step", () => {
  it("never throws, and settles a round once, whatever the events", () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 25 }), (happened) => {
        let session = emptySession();
        for (const [at, event] of happened.entries()) {
          const before = new Map(session.rounds.map((round) => [round.id, round.outcome]));
          const stepped = step(session, event, BEGIN + at * 10);
          if (!stepped.ok) continue;
          session = stepped.session;
          for (const round of session.rounds) {
            const earlier = before.get(round.id) ?? null;
            if (earlier !== null) expect(round.outcome).toEqual(earlier);
          }
          holds(session);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("leaves the session as it was when it refuses", () => {
    const session = asked("clarity", LOGIN);
    const copy = structuredClone(session);
    step(session, { type: "cancel", round: "r_none" }, BEGIN);
    expect(session).toEqual(copy);
  });
});
