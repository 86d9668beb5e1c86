import { describe, expect, it } from "vitest";
import { result } from "../../src/core/outcome.ts";
import type { Actor } from "../../src/core/people.ts";
import type { Policy } from "../../src/core/round.ts";
import type { Session } from "../../src/core/session.ts";
import { step } from "../../src/core/step.ts";
import { PLAN } from "../support/login.ts";
import {
  ANA,
  after,
  asked,
  BEGIN,
  BEN,
  CHO,
  did,
  LOCAL,
  lastRound,
  named,
  PAGE,
  press,
} from "../support/people.ts";

const plan = (policy: Policy = named()) => asked("plan", PLAN, { policy });
const verdictOf = (session: Session) => lastRound(session).outcome?.decision ?? null;
const comment = (session: Session, actor: Actor = BEN, target = "b2") =>
  did(session, "comment", { target, words: "rate-limit it", actor });

describe("reviewing a plan", () => {
  it("gives annotations with their quotes, feedback and reviews", () => {
    const commented = did(comment(plan()), "feedback", { words: "tighten the TTL", actor: ANA });
    const done = did(commented, "revise", { actor: BEN });
    expect(result(done, lastRound(done))).toMatchObject({
      mode: "plan",
      title: "Login flow",
      decision: "revise",
      annotations: [{ id: "a1", blockIndex: 2, quote: "## Risks", comment: "rate-limit it", by: "Ben" }],
      generalFeedback: "tighten the TTL",
      feedback: [{ by: "Ana", text: "tighten the TTL" }],
      reviews: [{ by: "Ben", decision: "revise" }],
      status: "submitted",
    });
  });

  it("asks for words when changes are requested without any, and keeps them as feedback", () => {
    expect(press(plan(), "revise")).toMatchObject({ ok: true, answer: { kind: "form" } });
    const done = did(plan(), "revise", { words: "start smaller" });
    expect(result(done, lastRound(done))).toMatchObject({
      decision: "revise",
      generalFeedback: "start smaller",
    });
  });

  it("lets people rewrite and remove their own comments only", () => {
    const one = comment(plan());
    expect(press(one, "edit", { target: "a1", words: "x", actor: ANA })).toMatchObject({
      code: "not_allowed",
    });
    const edited = did(one, "edit", { target: "a1", words: "use Redis", actor: BEN });
    expect(lastRound(edited)).toMatchObject({ annotations: [{ comment: "use Redis" }] });
    expect(lastRound(did(edited, "edit", { target: "a1", words: "", actor: BEN }))).toMatchObject({
      annotations: [],
    });
  });

  it("asks which block, for packed ones", () => {
    const stepped = press(plan(), "comment", { target: "b1-3" });
    expect(stepped).toMatchObject({
      answer: { form: { fields: [{ kind: "select", entries: [{}, {}, {}] }, { kind: "text" }] } },
    });
    const kept = did(plan(), "comment", { target: "b1-3", values: ["b3"], words: "why?" });
    expect(lastRound(kept)).toMatchObject({ annotations: [{ blockIndex: 3 }] });
  });
});

describe("the verdict", () => {
  it("one reviewer decides at once", () => {
    expect(verdictOf(did(plan(), "approve"))).toBe("approve");
    expect(verdictOf(did(comment(plan()), "revise"))).toBe("revise");
  });

  it("a quorum approves, unless somebody asks for changes", () => {
    const two = { ...named(ANA, BEN, CHO), quorum: 2 };
    const one = did(plan(two), "approve", { actor: ANA });
    expect(verdictOf(one)).toBeNull();
    expect(verdictOf(did(one, "approve", { actor: BEN }))).toBe("approve");
    const objected = did(comment(plan(two)), "revise", { actor: BEN });
    const approved = did(did(objected, "approve", { actor: ANA }), "approve", { actor: CHO });
    expect(verdictOf(approved)).toBe("revise");
  });

  it("counts a person once, and lets them change their mind", () => {
    const two = { ...named(ANA, BEN), quorum: 2 };
    const twice = did(did(plan(two), "approve", { actor: ANA }), "approve", { actor: ANA });
    expect(verdictOf(twice)).toBeNull();
    const turned = did(did(comment(plan(two)), "revise", { actor: BEN }), "approve", { actor: BEN });
    expect(verdictOf(did(turned, "approve", { actor: ANA }))).toBe("approve");
  });

  it("waits for the others after an objection, until somebody ends the review or time does", () => {
    const objected = did(comment(plan(named(ANA, BEN))), "revise", { actor: BEN });
    expect(verdictOf(objected)).toBeNull();
    expect(verdictOf(did(objected, "now", { actor: ANA }))).toBe("revise");
    const due = asked("plan", PLAN, { policy: named(ANA, BEN), deadline: BEGIN + 5000 });
    const late = did(comment(due), "revise", { actor: BEN });
    expect(verdictOf(after(step(late, { type: "tick" }, BEGIN + 5000)))).toBe("revise");
  });

  it("without a veto counts objections only once approval is out of reach", () => {
    const majority = { ...named(ANA, BEN, CHO), quorum: 2, veto: false };
    const one = did(comment(plan(majority)), "revise", { actor: BEN });
    expect(verdictOf(did(did(one, "approve", { actor: ANA }), "approve", { actor: CHO }))).toBe("approve");
    expect(verdictOf(did(one, "revise", { actor: CHO }))).toBe("revise");
  });

  it("is not for local people where reviewers are named, but they may comment", () => {
    const session = plan(named(BEN));
    expect(press(session, "approve", { actor: LOCAL, place: PAGE })).toMatchObject({
      ok: false,
      code: "not_allowed",
    });
    expect(press(session, "comment", { target: "b0", words: "hm", actor: LOCAL, place: PAGE }).ok).toBe(true);
  });

  it("cannot be ended where nobody objects", () => {
    expect(press(plan(named(ANA, BEN)), "now")).toMatchObject({ ok: false });
  });
});
