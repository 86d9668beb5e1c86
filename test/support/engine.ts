/** An engine on a memory store and a clock that stands still. */
import { expect } from "vitest";
import { createEngine } from "../../src/core/engine.ts";
import type { OpenRequest } from "../../src/core/gate.ts";
import type { Engine, EngineParts } from "../../src/core/ports.ts";
import { manualClock } from "../doubles/manual-clock.ts";
import { openMemoryStore } from "../doubles/memory-store.ts";
import { LOGIN } from "./login.ts";

export const MINUTE = 60_000;

let ids = 0;

/** Ids that rise, so that runs are alike. */
function nextId(length: number): string {
  ids += 1;
  return `${ids}`.padStart(length, "0");
}

export type Bench = Awaited<ReturnType<typeof bench>>;

/** An engine that can be stopped and started again on what it saved. */
export async function bench(parts: Partial<EngineParts> = {}) {
  const records = new Map<string, string>();
  const clock = manualClock();
  const all: EngineParts = {
    store: openMemoryStore({ records }),
    storeId: "st",
    clock,
    chance: { id: nextId },
    log: {
      info: () => {},
      warn: () => {},
      error: (message, fields) => expect.fail(`${message} ${JSON.stringify(fields)}`),
    },
    surfaces: [],
    page: (session) => ({
      surface: "web",
      label: "page",
      url: `http://page/#${session}`,
      open: "http://page/t",
    }),
    local: { id: "local:ana", name: "ana" },
    ...parts,
  };
  const made = {
    engine: await createEngine(all),
    clock,
    records,
    async restart(): Promise<Engine> {
      await made.engine.stop();
      made.engine = await createEngine({ ...all, store: openMemoryStore({ records }) });
      return made.engine;
    },
  };
  return made;
}

export const request = (more: Partial<OpenRequest> = {}): OpenRequest => ({
  kind: "clarity",
  again: false,
  payload: LOGIN,
  project: "/repo",
  session: null,
  agentSession: null,
  key: null,
  timeoutMs: 30 * MINUTE,
  policy: {},
  floor: {},
  people: {},
  granularity: "auto",
  asks: null,
  locale: "en",
  via: ["web"],
  to: [],
  connections: {},
  origin: { repo: "shop", branch: "main", agent: "Claude", host: "mac" },
  ...more,
});
