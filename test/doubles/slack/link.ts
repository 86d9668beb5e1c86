/** One app's Socket Mode: envelopes go out to one connection each and come back acknowledged, or not. */
import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import type { Ledger } from "../shared/ledger.ts";
import { Connection } from "./connection.ts";
import { isJson, type Json, parse, record, str } from "./wire.ts";

export interface LinkSettings {
  /** How long an acknowledgement may take. */
  ackMs: number;
  /** How long after each failure an event is delivered again. */
  retryMs: readonly number[];
  pingMs: number;
  /** How many connections one app may hold. */
  maxSockets: number;
}

export interface Envelope {
  type: "events_api" | "interactive" | "slash_commands";
  payload: Json;
  accepts: boolean;
  /** For people who read a failure. */
  label: string;
}

export type Ack = { kind: "acked"; payload: Json } | { kind: "failed"; reason: string };

interface Flight {
  envelope: Envelope;
  connection: Connection;
  attempt: number;
  timer: NodeJS.Timeout;
  settle(ack: Ack): void;
}

interface Waiting {
  envelope: Envelope;
  attempt: number;
  settle(ack: Ack): void;
}

export class Link {
  readonly connections: Connection[] = [];
  /** The connection that gets all envelopes, by its place; null takes turns. */
  favourite: number | null = null;
  readonly #appId: string;
  readonly #ledger: Ledger;
  readonly #settings: LinkSettings;
  readonly #flights = new Map<string, Flight>();
  readonly #landed = new Map<string, "acked" | "late" | "excused">();
  readonly #queue: Waiting[] = [];
  readonly #retries = new Set<NodeJS.Timeout>();
  #turn = 0;

  constructor(appId: string, ledger: Ledger, settings: LinkSettings) {
    this.#appId = appId;
    this.#ledger = ledger;
    this.#settings = settings;
  }

  /** Envelopes that are out and neither acknowledged nor too late yet. */
  get inFlight(): number {
    return this.#flights.size;
  }

  /** Events that wait for a connection. */
  get queued(): number {
    return this.#queue.length;
  }

  get open(): Connection[] {
    return this.connections.filter((one) => one.open);
  }

  /** Takes a new connection in, or sends it away where there are too many. */
  accept(socket: WebSocket): Connection {
    const full = this.open.length >= this.#settings.maxSockets;
    const connection = new Connection(socket, this.#settings.pingMs, {
      heard: (text) => this.#hears(text, connection),
      closed: () => this.#closed(connection),
    });
    if (full) {
      this.#ledger.violation("too_many_websockets: an eleventh connection was opened");
      connection.disconnect("too_many_websockets", 0);
      return connection;
    }
    this.connections.push(connection);
    connection.hello(this.#appId, this.open.length);
    this.#ledger.changed();
    this.#flush();
    return connection;
  }

  /** Events wait for a connection and are tried again; everything else fails where nobody is there or answers. */
  deliver(envelope: Envelope): Promise<Ack> {
    return new Promise((settle) => this.#send({ envelope, attempt: 0, settle }));
  }

  /** Ends all timers and connections. */
  async close(): Promise<void> {
    for (const flight of this.#flights.values()) clearTimeout(flight.timer);
    for (const timer of this.#retries) clearTimeout(timer);
    await Promise.all(this.connections.map((connection) => connection.end()));
  }

  #send(waiting: Waiting): void {
    const connection = this.#pick();
    if (connection === undefined) {
      if (waiting.envelope.type === "events_api") this.#queue.push(waiting);
      else waiting.settle({ kind: "failed", reason: "no connection is open" });
      return;
    }
    const { envelope, attempt, settle } = waiting;
    const id = randomUUID();
    const timer = setTimeout(() => this.#late(id), this.#settings.ackMs);
    this.#flights.set(id, { envelope, connection, attempt, timer, settle });
    connection.send({
      envelope_id: id,
      type: envelope.type,
      accepts_response_payload: envelope.accepts,
      payload: envelope.payload,
      ...(envelope.type === "events_api"
        ? { retry_attempt: attempt, retry_reason: attempt > 0 ? "timeout" : "" }
        : {}),
    });
  }

  #pick(): Connection | undefined {
    const takers = this.connections.filter((one) => one.taking);
    const favourite = this.favourite === null ? undefined : this.connections[this.favourite];
    if (favourite?.taking === true) return favourite;
    this.#turn += 1;
    return takers[this.#turn % Math.max(takers.length, 1)];
  }

  #flush(): void {
    for (const waiting of this.#queue.splice(0)) this.#send(waiting);
  }

  #late(id: string): void {
    const flight = this.#flights.get(id);
    if (flight === undefined) return;
    this.#flights.delete(id);
    const excused = flight.connection.cut;
    this.#landed.set(id, excused ? "excused" : "late");
    const { envelope, attempt, settle } = flight;
    if (envelope.type !== "events_api") {
      settle({ kind: "failed", reason: "no acknowledgement in time" });
      return;
    }
    if (!excused) this.#ledger.violation(`not acknowledged in time: ${envelope.label}`);
    const wait = this.#settings.retryMs[attempt];
    if (wait === undefined) {
      this.#ledger.violation(`never acknowledged: ${envelope.label}`);
      settle({ kind: "failed", reason: "never acknowledged" });
      return;
    }
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      this.#send({ envelope, attempt: attempt + 1, settle });
    }, wait);
    this.#retries.add(timer);
  }

  #hears(text: string, connection: Connection): void {
    const ack = parse(text);
    const id = isJson(ack) ? str(ack.envelope_id) : "";
    const flight = this.#flights.get(id);
    if (id === "") this.#ledger.violation(`no acknowledgement: ${text.slice(0, 200)}`);
    else if (flight === undefined) this.#unawaited(id);
    else if (flight.connection !== connection)
      this.#ledger.violation(`acknowledged on another connection: ${flight.envelope.label}`);
    else this.#land(id, flight, isJson(ack) ? record(ack.payload) : {});
  }

  #land(id: string, flight: Flight, payload: Json): void {
    this.#flights.delete(id);
    clearTimeout(flight.timer);
    this.#landed.set(id, "acked");
    if (Object.keys(payload).length > 0 && !flight.envelope.accepts)
      this.#ledger.violation(`an answer where none is taken: ${flight.envelope.label}`);
    flight.settle({ kind: "acked", payload });
    this.#ledger.changed();
  }

  #unawaited(id: string): void {
    const landed = this.#landed.get(id);
    if (landed === "excused") return;
    const what = landed === "acked" ? "twice" : landed === "late" ? "too late" : "but never sent";
    this.#ledger.violation(`acknowledged ${what}: envelope ${id}`);
  }

  #closed(connection: Connection): void {
    const index = this.connections.indexOf(connection);
    if (index >= 0) this.connections.splice(index, 1);
    this.#ledger.changed();
  }
}
