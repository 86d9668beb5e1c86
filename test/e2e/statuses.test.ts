/**
 * Statuses and exit codes that no command of its own provokes yet: asked through the gate of a real bot, read with `wait`.
 * And all mistakes of a payload at once. Runs what `npm run build` made.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/adapters/link/client.ts";
import type { OpenRequest } from "../../src/core/gate.ts";
import { type Ended, openWorkshop, press, type Workshop } from "../cli/askgate.ts";
import { cases } from "../core/conformance.ts";
import { request } from "../support/engine.ts";

let shop: Workshop;
let gate: Client;
beforeAll(async () => {
  shop = openWorkshop();
  await shop.run(["bot", "start"]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await shop.close();
});

const read = ({ code, stdout }: Ended) => ({ code, result: JSON.parse(stdout) });
const wait = async (round: string) => read(await shop.run(["wait", round]));

const asked = async (kind: "ask" | "permission", payload: unknown, more: Partial<OpenRequest> = {}) =>
  (await gate.open(request({ kind, payload, project: shop.project(), ...more }))).round;

const QUESTION = { question: "Web UI or terminal?", options: ["Web UI", "Terminal"] };
const DEPLOY = { title: "Deploy to production", command: "make deploy" };

describe("a question", () => {
  it("that is answered: exit 0", async () => {
    const round = await asked("ask", QUESTION);
    await press(gate, round, "answer", { words: "Both" });
    expect(await wait(round)).toMatchObject({ code: 0, result: { status: "submitted", answer: "Both" } });
  });

  it("that is skipped is declined: exit 3, with advice for the agent", async () => {
    const round = await asked("ask", QUESTION);
    await press(gate, round, "skip");
    const { code, result } = await wait(round);
    expect({ code, ...result }).toMatchObject({ code: 3, status: "declined", items: [] });
    expect(result.advice).toMatch(/the decision is yours.+Unknowns and assumptions/);
  });

  it("beyond the quota is over it: exit 6, and nobody is asked", async () => {
    const project = shop.project();
    const first = await asked("ask", QUESTION, { project, asks: 1 });
    await press(gate, first, "skip");
    const second = await asked("ask", { question: "And then?" }, { project, asks: 1 });
    const { code, result } = await wait(second);
    expect({ code, ...result }).toMatchObject({ code: 6, status: "over_quota", remaining: 0 });
    expect(result.advice).toContain("No questions are left");
  });

  it("without any time has timed out: exit 4", async () => {
    const round = await asked("ask", QUESTION, { timeoutMs: 0 });
    expect(await wait(round)).toMatchObject({ code: 4, result: { status: "timeout" } });
  });

  it("that is withdrawn is cancelled: exit 3", async () => {
    const round = await asked("ask", QUESTION);
    await gate.cancel(round);
    expect(await wait(round)).toMatchObject({ code: 3, result: { status: "cancelled" } });
  });
});

describe("a permission", () => {
  it("that is given: exit 0", async () => {
    const round = await asked("permission", DEPLOY);
    await press(gate, round, "allow");
    expect(await wait(round)).toMatchObject({ code: 0, result: { status: "submitted", decision: "allow" } });
  });

  it("that is denied is declined: exit 3, with the reason", async () => {
    const round = await asked("permission", DEPLOY);
    await press(gate, round, "deny", { words: "not on a Friday" });
    expect(await wait(round)).toMatchObject({
      code: 3,
      result: { status: "declined", decision: "deny", reason: "not on a Friday" },
    });
  });

  it("that nobody gives in time is none: exit 4", async () => {
    const round = await asked("permission", DEPLOY, { timeoutMs: 30 });
    expect(await wait(round)).toMatchObject({ code: 4, result: { status: "timeout", decision: "deny" } });
  });
});

describe("a payload with five mistakes", () => {
  const expected = z.object({ valid: z.boolean(), path: z.string().optional() });
  const known = cases("payloads", z.object({ name: z.string(), payload: z.unknown(), expect: expected }));

  it.each(["random-mutation#20", "random-mutation#68"])(
    "as in %s of the conformance data has all of them named, that one first: exit 2",
    async (name) => {
      const found = known.find((one) => one.name === name);
      const file = shop.file("five.json", found?.payload);
      for (const args of [
        ["clarity", "up", "--input", file],
        ["check", file],
      ]) {
        const ended = await shop.run(args);
        const { code, result } = read(ended);
        expect({ code, status: result.status }).toEqual({ code: 2, status: "invalid" });
        expect(result.issues).toHaveLength(5);
        expect(result.issues[0].path).toBe(found?.expect.path);
        for (const { path, message } of result.issues) expect(ended.stderr).toContain(`${path}: ${message}`);
      }
    },
  );
});
