import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { takePart } from "../../../src/adapters/terminal/surface.ts";
import { createEngine } from "../../../src/core/engine.ts";
import type { OpenRequest } from "../../../src/core/gate.ts";
import type { Engine } from "../../../src/core/ports.ts";
import { manualClock } from "../../doubles/manual-clock.ts";
import { openMemoryStore } from "../../doubles/memory-store.ts";
import { until } from "../../support/until.ts";

const PERMISSION = { title: "Migrate", command: "npm run migrate -- --prod" };

/** A real engine, and somebody at the end of two streams. */
async function sit(kind: OpenRequest["kind"], payload: unknown, locale = "en") {
  const store = openMemoryStore();
  const engine = await createEngine({
    store,
    storeId: "abc123",
    clock: manualClock(),
    chance: counting(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    surfaces: [],
    page: null,
    local: { id: "local:ana", name: "ana" },
  });
  const { round, session } = await engine.open(request(kind, payload, locale));
  const input = new PassThrough();
  const output = new PassThrough();
  let screen = "";
  output.on("data", (text) => {
    screen += String(text);
  });
  const over = new AbortController();
  const taking = takePart({ gate: engine, session, round, locale, input, output, signal: over.signal });
  const see = (text: string): Promise<true> => until(() => screen.includes(text));
  /** Types once the prompt stands there. */
  const type = async (line: string): Promise<void> => {
    await until(() => screen.endsWith("> "));
    screen = "";
    input.write(`${line}\n`);
  };
  return { engine, round, session, taking, see, type, over, outcome: () => outcome(engine, round) };
}

const outcome = async (engine: Engine, round: string) => (await engine.wait(round, 0, true)).result;

function counting() {
  let made = 0;
  return { id: (length: number) => String(++made).padStart(length, "a") };
}

const request = (kind: OpenRequest["kind"], payload: unknown, locale: string): OpenRequest => ({
  kind,
  again: false,
  payload,
  project: "/repo",
  session: null,
  agentSession: null,
  key: null,
  timeoutMs: null,
  policy: {},
  floor: {},
  people: {},
  granularity: "auto",
  asks: null,
  locale,
  via: ["terminal"],
  to: [],
  connections: {},
  origin: { repo: "shop-web", branch: "main", agent: "Claude", host: "mac-7" },
});

describe("a question in the terminal", () => {
  const ASK = { question: "Which database?", options: ["Postgres", "SQLite"] };

  it("is skipped by Enter alone", async () => {
    const { type, taking, outcome } = await sit("ask", ASK);
    await type("");
    await taking;
    expect(await outcome()).toMatchObject({ status: "declined" });
  });

  it("is answered by a number", async () => {
    const { type, taking, outcome } = await sit("ask", ASK);
    await type("2");
    await taking;
    expect(await outcome()).toMatchObject({ status: "submitted", answer: "SQLite", option: 2 });
  });

  it("is answered in words", async () => {
    const { type, taking, outcome } = await sit("ask", ASK);
    await type("o neither");
    await taking;
    expect(await outcome()).toMatchObject({ status: "submitted", answer: "neither", option: null });
  });
});

describe("a request for permission in the terminal", () => {
  it("shows what would run, and is denied with words", async () => {
    const { type, see, taking, outcome } = await sit("permission", PERMISSION);
    await see("    npm run migrate -- --prod");
    await type("");
    await see("Not understood");
    await type("deny not on prod");
    await taking;
    expect(await outcome()).toMatchObject({ status: "declined", decision: "deny", reason: "not on prod" });
  });
});

describe("the terminal", () => {
  it("ends when the command's wait is over, in the middle of a line", async () => {
    const { see, taking, over } = await sit("permission", PERMISSION);
    await see("> ");
    over.abort();
    await taking;
  });

  it("ends when the session does", async () => {
    const { see, taking, engine } = await sit("permission", PERMISSION);
    await see("> ");
    await engine.down({ project: "/repo", session: null, agentSession: null });
    await taking;
  });

  it("explains itself in the session's language", async () => {
    const { type, see, over, taking } = await sit("permission", PERMISSION, "es");
    await type("?");
    await see("dejar de responder aquí");
    over.abort();
    await taking;
  });
});
