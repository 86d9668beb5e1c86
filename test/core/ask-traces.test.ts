import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PayloadError } from "../../src/core/error.ts";
import { result } from "../../src/core/outcome.ts";
import { parseAsk } from "../../src/core/payload.ts";
import { findRound, type Session } from "../../src/core/session.ts";
import { step } from "../../src/core/step.ts";
import { ANA, after, BEGIN, CHANNEL, emptySession, lastRound, OPEN_TO_ALL, open } from "../support/people.ts";

interface Scenario {
  id: string;
  config: { timeout_s: number | null; max_asks?: number; amend?: boolean };
  steps: [string, ...unknown[]][];
  results: unknown[];
}

const { scenarios }: { scenarios: Scenario[] } = JSON.parse(
  readFileSync(new URL("../fixtures/conformance/ask-traces.json", import.meta.url), "utf8"),
);

const STATES: Record<string, string> = {
  submitted: "answered",
  over_quota: "over_budget",
  declined: "declined",
  timeout: "timeout",
  pending: "asked",
  cancelled: "cancelled",
};

/** Where we do better than what was observed, as the data's README says. */
const BETTER: Record<string, (results: unknown[]) => unknown[]> = {
  // An empty question does not count against the quota: the second one is put.
  "ch-12": ([first, second]) => [
    first,
    second,
    null,
    { id: "q2", state: "timeout", returned: { kind: "timeout_text" } },
  ],
  // A cancelled ask has the outcome `cancelled`.
  "ch-20": ([first, , ...rest]) => [first, { cancelled: true, state: "cancelled" }, ...rest],
  // What people wrote is always saved.
  "ch-21": (results) => JSON.parse(JSON.stringify(results).replaceAll('"saved":false', '"saved":true')),
  "ch-25": (results) => JSON.parse(JSON.stringify(results).replaceAll('"saved":false', '"saved":true')),
  // A surface that fails stops nothing; there is no error list in the session.
  "ch-24": (results) => results.slice(0, -1),
};

class Channel {
  session: Session = emptySession();
  now = BEGIN;
  /** What was made, in order: rounds, messages and invalid questions share one count. */
  readonly made: string[] = [];
  readonly runs = new Map<string, string>();
  readonly #scenario: Scenario;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  run([what, ...args]: [string, ...unknown[]]): unknown {
    this.now += 1;
    const [first = "", second = "", third = []] = args;
    switch (what) {
      case "ask":
        return this.ask(String(first), second, third);
      case "answer":
        return this.press(String(first), "answer", String(second));
      case "decline":
        return this.press(String(first), "skip", second === "" ? null : String(second));
      case "join":
        return this.join(String(first));
      case "cancel":
        this.session = after(
          step(this.session, { type: "cancel", round: this.runs.get(String(first)) ?? "" }, this.now),
        );
        return { cancelled: true, state: this.stateOf(this.runs.get(String(first)) ?? "") };
      case "sleep":
        return this.pass(Number(first) * 1000);
      case "pending":
        return this.session.rounds
          .filter(({ outcome }) => outcome === null)
          .map(({ id }) => this.nameOf(id, "q"));
      case "remaining": {
        const { quota, used } = this.session.asks;
        return quota === null ? -1 : Math.max(0, quota - used);
      }
      case "send":
        return this.send(String(first));
      case "pending_mail":
        return this.session.inbox
          .filter(({ takenAt }) => takenAt === null)
          .map(({ id }) => this.nameOf(id, "m"));
      case "inbox":
        return this.inbox();
      default:
        throw new Error(`unknown step ${what}`);
    }
  }

  nameOf(id: string, letter: string): string {
    return `${letter}${this.made.indexOf(id) + 1}`;
  }

  ask(run: string, question: unknown, options: unknown): null {
    const { timeout_s, max_asks } = this.#scenario.config;
    const matter = parsed(question, options);
    if (matter === null) {
      this.runs.set(run, "invalid");
      this.made.push("invalid");
      return null;
    }
    this.session = open(this.session, matter, {
      deadline: timeout_s === null ? null : this.now + timeout_s * 1000,
      immediate: timeout_s !== null && timeout_s <= 0,
      asks: max_asks ?? null,
      policy: { ...OPEN_TO_ALL, onTimeout: "fail" },
    });
    const { id } = lastRound(this.session);
    this.made.push(id);
    this.runs.set(run, id);
    return null;
  }

  press(name: string, verb: "answer" | "skip", words: string | null): boolean {
    const round = this.made[Number(name.slice(1)) - 1] ?? "r_none0000-1";
    const button = `v1:st:${verb}:${round}:0:-`;
    const event = {
      type: "press" as const,
      id: `p${this.now}`,
      place: CHANNEL,
      actor: ANA,
      button,
      values: [],
      words,
    };
    const stepped = step(this.session, event, this.now);
    if (stepped.ok) this.session = stepped.session;
    return stepped.ok;
  }

  pass(ms: number): null {
    this.now += ms;
    this.session = after(step(this.session, { type: "tick" }, this.now));
    return null;
  }

  stateOf(id: string): string {
    const round = findRound(this.session, id);
    return round === undefined ? "invalid" : (STATES[result(this.session, round).status] ?? "?");
  }

  join(run: string): unknown {
    const id = this.runs.get(run) ?? "";
    if (id !== "invalid" && this.stateOf(id) === "asked")
      this.pass((this.#scenario.config.timeout_s ?? 0) * 1000);
    const round = findRound(this.session, id);
    const name = `q${this.made.indexOf(id) + 1}`;
    if (round === undefined) return { id: name, state: "invalid", returned: { kind: "empty_question_text" } };
    const value = result(this.session, round);
    const state = STATES[value.status] ?? "?";
    if (state === "answered") return { id: name, state, returned: { text: value.answer } };
    if (state === "asked") return { id: name, state };
    expect(value.advice).toContain("Unknowns and assumptions");
    const reason = value.reason === undefined ? {} : { reason: value.reason };
    return { id: name, state, returned: { kind: `${state}_text`, ...reason } };
  }

  send(text: string): unknown {
    const event = {
      type: "typed" as const,
      id: `t${this.now}`,
      at: this.now,
      place: CHANNEL,
      actor: ANA,
      anchor: null,
      text,
      files: [],
    };
    const stepped = step(this.session, event, this.now);
    if (!stepped.ok) return null;
    this.session = stepped.session;
    const message = this.session.inbox.at(-1);
    this.made.push(message?.id ?? "");
    return { id: this.nameOf(message?.id ?? "", "m"), text: message?.text };
  }

  inbox(): unknown {
    const waiting = this.session.inbox.filter(({ takenAt }) => takenAt === null);
    const messages = waiting.map(({ id }) => id);
    this.session = after(step(this.session, { type: "acknowledge", rounds: [], messages }, this.now));
    return waiting.length === 0 ? { empty: true } : { items: waiting.map(({ text }) => text), saved: true };
  }
}

/** The question as a payload; null when it is none. */
function parsed(question: unknown, options: unknown) {
  try {
    const payload = parseAsk({
      question,
      ...(Array.isArray(options) && options.length > 0 ? { options } : {}),
    });
    return { kind: "ask" as const, payload };
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
}

describe("ask, as observed on the system before us", () => {
  it.each(scenarios)("$id", (scenario) => {
    const channel = new Channel(scenario);
    const steps = scenario.steps.filter(([what]) => what !== "ui_errors");
    const results = steps.map((one) => channel.run(one));
    const expected = (BETTER[scenario.id] ?? ((all: unknown[]) => all))(scenario.results);
    expect(results).toEqual(expected);
  });

  it("has all 25 scenarios", () => {
    expect(scenarios).toHaveLength(25);
  });
});
