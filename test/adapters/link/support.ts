/** A link with a real gate behind it, in this process: the engine on a store in memory, a clock that stands still. */
import { recordSocket } from "../../../src/adapters/link/paths.ts";
import { LINK_VERSION, type Versions } from "../../../src/adapters/link/protocol.ts";
import { serveLink } from "../../../src/adapters/link/server.ts";
import { prepareSocket } from "../../../src/adapters/link/socket.ts";
import { openVault } from "../../../src/adapters/shared/vault.ts";
import { manageChats } from "../../../src/cli/chats.ts";
import { createEngine } from "../../../src/core/engine.ts";
import type { Gate, OpenRequest, View } from "../../../src/core/gate.ts";
import type { Clock, Log, Store } from "../../../src/core/ports.ts";
import { manualClock } from "../../doubles/manual-clock.ts";
import { openMemoryStore } from "../../doubles/memory-store.ts";
import { openTeams, type Teams } from "../../doubles/teams.ts";

export const VERSIONS: Versions = { link: LINK_VERSION, version: "1.4.0" };

export interface Bot {
  stateDir: string;
  link: Awaited<ReturnType<typeof serveLink>>;
  /** What commands asked: whether each stop was a hand-over. */
  stops: boolean[];
  end(handOver?: boolean): Promise<void>;
}

export interface BotOptions {
  stateDir: string;
  clock?: Clock;
  store?: Store;
  versions?: Versions;
  /** The chat platform; one without teams unless said. */
  teams?: Teams;
  log?: Log;
}

export async function startBot(options: BotOptions): Promise<Bot> {
  const { stateDir, clock = manualClock(), store = openMemoryStore(), versions = VERSIONS } = options;
  const { teams = openTeams(), log = quiet } = options;
  const vault = openVault(stateDir, () => {});
  const surfaces = teams.openChats({ vault });
  const gate = await createEngine({
    store,
    storeId: "abc123",
    clock,
    chance: countingChance(),
    log,
    surfaces,
    page: null,
    local: { id: "local:ana", name: "ana" },
  });
  const stops: boolean[] = [];
  const socket = prepareSocket(stateDir);
  const facts = () => ({
    store: 1,
    started: "",
    sessions: 0,
    openRounds: 0,
    watching: 0,
    page: "",
    logFile: "",
    connections: [],
  });
  const onStop = (handOver: boolean): void => {
    stops.push(handOver);
    void end(handOver);
  };
  const chats = manageChats({ chats: surfaces, vault, gate, log });
  const link = await serveLink({ gate, chats, stateDir, versions, facts, onStop, log }, socket);
  recordSocket(stateDir, socket);
  const end = async (handOver = false): Promise<void> => {
    await link.drain(handOver);
    await gate.stop();
    await link.close();
  };
  return { stateDir, link, stops, end };
}

/** A plan with one block, to be settled by one press of *Approve*. */
export const planRequest = (more: Partial<OpenRequest> = {}): OpenRequest => ({
  kind: "plan",
  again: false,
  payload: { title: "Rate limits", plan: "Limit /auth/request to 5 a minute." },
  project: "/home/ana/shop",
  session: null,
  agentSession: null,
  key: null,
  timeoutMs: null,
  policy: {},
  floor: {},
  people: {},
  granularity: "auto",
  asks: null,
  locale: "en",
  via: ["terminal"],
  to: [],
  connections: {},
  origin: { repo: "", branch: "", agent: "", host: "" },
  ...more,
});

/** A surface without limits, which JSON cannot say as numbers. */
export const VIEW: View = {
  surface: "terminal",
  locale: "en",
  limits: {
    card: Number.POSITIVE_INFINITY,
    text: Number.POSITIVE_INFINITY,
    entries: 25,
    entryText: 100,
    units: Number.POSITIVE_INFINITY,
    unitsPer: { text: 1, choice: 1, controls: 1 },
    files: "inline",
    blocks: "place",
    planCards: 8,
    planCardsDirect: 8,
  },
};

/** Presses the button with this verb, as the terminal does. */
export async function press(gate: Gate, session: string, verb: string): Promise<void> {
  const stop = new AbortController();
  for await (const frame of gate.watch(session, VIEW, stop.signal)) {
    const parts = frame.cards.flatMap((card) => card.parts);
    const controls = parts.flatMap((part) => (part.kind === "controls" ? part.controls : []));
    const control = controls.find((candidate) => candidate.verb === verb);
    if (control === undefined) continue;
    stop.abort();
    const id = `press-${session}-${verb}`;
    await gate.act(session, { id, button: control.id, values: [], words: null, surface: "terminal" });
    return;
  }
}

function countingChance() {
  let count = 0;
  return { id: (length: number) => (count++).toString(36).padStart(length, "0") };
}

const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} };
