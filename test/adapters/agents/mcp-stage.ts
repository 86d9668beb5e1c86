/** An MCP server on an engine, with the official client at the other end of a wire in memory. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished, vi } from "vitest";
import { z } from "zod";
import { serveMcp } from "../../../src/adapters/agents/mcp.ts";
import type { McpParts, Submitted } from "../../../src/adapters/agents/mcp-ports.ts";
import { AskgateError } from "../../../src/core/error.ts";
import type { Gate } from "../../../src/core/gate.ts";
import type { Clock } from "../../../src/core/ports.ts";
import { bench, request } from "../../support/engine.ts";

const SECOND = 1000;

export type Stage = Awaited<ReturnType<typeof openStage>>;

type Wire = (transport: Transport) => Transport;
const plainWire: Wire = (transport) => transport;

/** `broken`: methods of the gate that do something else. */
export async function openStage(broken: Partial<Gate> = {}, submitted: Submitted = { file: "brief.md" }) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { engine, clock } = await bench();
  const parts = partsOf(gateOf(engine, broken), clock, submitted);
  return {
    engine,
    clock,
    /** A client that has looked at the tools, as clients do before they call one. */
    async connect(wire: Wire = plainWire, serverWire: Wire = plainWire) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const served = serveMcp(parts, serverWire(far));
      const client = new Client({ name: "claude-code", version: "2.1.300" });
      await client.connect(wire(near));
      await client.listTools();
      return { client, served };
    },
    /** Lets time pass for both ends, in steps that leave them time to answer. */
    async pass(seconds: number) {
      await quiet();
      for (let passed = 0; passed < seconds; passed += 5) {
        clock.advance(5 * SECOND);
        vi.advanceTimersByTime(5 * SECOND);
        await quiet();
      }
    },
  };
}

/** A stage with one client on it. */
export async function connected(...how: Parameters<typeof openStage>) {
  const stage = await openStage(...how);
  return { stage, ...(await stage.connect()) };
}

export const call = (name: string, given: Record<string, unknown> = {}) => ({ name, arguments: given });

const gateOf = (engine: Gate, broken: Partial<Gate>) => ({
  wait: (...call: Parameters<Gate["wait"]>) => engine.wait(...call),
  acknowledge: (...call: Parameters<Gate["acknowledge"]>) => engine.acknowledge(...call),
  cancel: (...call: Parameters<Gate["cancel"]>) => engine.cancel(...call),
  inbox: (...call: Parameters<Gate["inbox"]>) => engine.inbox(...call),
  say: (...call: Parameters<Gate["say"]>) => engine.say(...call),
  show: (...call: Parameters<Gate["show"]>) => engine.show(...call),
  open: (...call: Parameters<Gate["open"]>) => engine.open(...call),
  ...broken,
});

const partsOf = (gate: ReturnType<typeof gateOf>, clock: Clock, submitted: Submitted): McpParts => ({
  version: "1.2.3",
  clock,
  gate: async () => gate,
  open: ({ kind, payload, again, key = null, session = null, reviewers, quorum }) =>
    gate.open(request({ kind, payload, again, key, session, policy: { reviewers, quorum } })),
  selector: async (_client, session) => ({ project: "/repo", session: session ?? null, agentSession: null }),
  conclude: (result) => ({ ...result, concluded: true }),
  keep: (session, messages) => ({ saved: true, file: `${session}-${messages.length}.md` }),
  submitBrief: async () => submitted,
  explain: (error) => ({
    kind: error instanceof AskgateError && error.code === "unreachable" ? "unreachable" : "usage",
    message: error instanceof Error ? error.message : String(error),
    help: error instanceof AskgateError ? error.help : "",
  }),
  say: () => {},
});

/** Resolves when everything that can happen without time has happened. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The round of a question that is open now, by how its text begins. */
export async function openRound({ engine }: Stage, title: string): Promise<string> {
  await quiet();
  const sessions = await engine.list("/repo");
  const round = sessions
    .flatMap(({ rounds }) => rounds)
    .find((candidate) => candidate.status === "open" && candidate.title.startsWith(title));
  if (round === undefined) throw new Error(`no question ${title} is open: ${JSON.stringify(sessions)}`);
  return round.round;
}

export const roundOf = (structured: unknown): string =>
  z.looseObject({ round: z.string() }).parse(structured).round;

/** A wire that shows each message that comes to whoever uses it, before they see it. */
export const tapped = (onMessage: (message: JSONRPCMessage) => void): Wire =>
  wired({ onMessage, onSend: () => {} });

/** A wire that breaks with what it throws when whoever uses it sends something. */
export const breaking = (onSend: (message: JSONRPCMessage) => void): Wire =>
  wired({ onMessage: () => {}, onSend });

interface Taps {
  onMessage(message: JSONRPCMessage): void;
  onSend(message: JSONRPCMessage): void;
}

const wired =
  ({ onMessage, onSend }: Taps): Wire =>
  (transport) => {
    const outer: Transport = {
      async start() {
        transport.onmessage = (message, extra) => {
          onMessage(message);
          outer.onmessage?.(message, extra);
        };
        transport.onclose = () => outer.onclose?.();
        await transport.start();
      },
      async send(message) {
        onSend(message);
        await transport.send(message);
      },
      close: () => transport.close(),
    };
    return outer;
  };
