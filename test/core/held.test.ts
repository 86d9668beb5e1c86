import { describe, expect, it } from "vitest";
import { TERMINAL_LIMITS } from "../../src/adapters/terminal/board.ts";
import { bench, request } from "../support/engine.ts";

const DEPLOY = { kind: "permission", payload: { title: "Deploy", command: "make deploy" } } as const;
const selector = { project: "/repos/shop", session: null, agentSession: "conversation" };

describe("what an agent's hook asked", () => {
  const asked = (key: string) => request({ ...DEPLOY, ...selector, key });

  it("is found again by how its key begins, while it is open", async () => {
    const { engine } = await bench();
    const { round } = await engine.open(asked("hook:main:1"));
    await engine.open(asked("other"));
    expect(await engine.held(selector, "hook:main:")).toEqual([{ round, key: "hook:main:1", late: false }]);
    expect(await engine.held({ ...selector, agentSession: "another" }, "hook:")).toEqual([]);
    await engine.cancel(round);
    expect(await engine.held(selector, "hook:main:")).toEqual([]);
  });

  it("says on its card that it was answered in the terminal", async () => {
    const { engine } = await bench();
    const { round, session } = await engine.open(asked("hook:main:1"));
    await engine.cancel(round, true);
    const shown = await engine.show(session);
    expect(shown.outcomes).toMatchObject([{ status: "cancelled", by: "ana", where: "terminal" }]);
    const view = { surface: "web", limits: TERMINAL_LIMITS, locale: "en" } as const;
    for await (const { cards } of engine.watch(session, view, new AbortController().signal)) {
      expect(JSON.stringify(cards)).toContain("Answered by ana in the terminal");
      break;
    }
  });
});
