/** One socket of the gateway: HELLO, heartbeats, IDENTIFY or RESUME, and the codes that end it. */
import type { WebSocket } from "ws";
import type { Gateway, Session } from "./gateway.ts";
import type { Hub } from "./hub.ts";
import { guildMembers } from "./members.ts";
import { isJson, type Json, num, parse } from "./wire.ts";

const HEARTBEAT = 1;
const IDENTIFY = 2;
const PRESENCE = 3;
const RESUME = 6;
const RECONNECT = 7;
const REQUEST_MEMBERS = 8;
const INVALID_SESSION = 9;
const HELLO = 10;
const ACK = 11;

/** More than this in a minute closes the socket. */
const SENDS_PER_MINUTE = 120;
/** How late a heartbeat may be, as a part of its interval. */
const PATIENCE = 1.5;

export class Connection {
  session: Session | null = null;
  heartbeats = 0;
  #silent = false;
  #sends: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #socket: WebSocket;
  readonly #hub: Hub;
  readonly #gateway: Gateway;

  constructor(socket: WebSocket, hub: Hub, gateway: Gateway) {
    this.#socket = socket;
    this.#hub = hub;
    this.#gateway = gateway;
    socket.on("message", (data) => this.#hear(data.toString()));
    socket.on("close", (code) => this.#closed(code));
    socket.on("error", () => socket.terminate());
  }

  hello(): void {
    this.send({ op: HELLO, d: { heartbeat_interval: this.#hub.settings.heartbeatMs } });
    this.#watch();
  }

  send(frame: Json): void {
    if (!this.#silent) this.#socket.send(JSON.stringify({ s: null, t: null, ...frame }));
  }

  /** Breaks the line without a word. */
  drop(): void {
    this.#socket.terminate();
    this.#ended();
  }

  /** Stays open, but neither says nor hears anything any more. */
  silence(): void {
    this.#silent = true;
    clearTimeout(this.#timer);
  }

  reconnect(): void {
    this.send({ op: RECONNECT, d: null });
  }

  /** The client starts a session, or resumes on this same socket. */
  invalidate(resumable: boolean): void {
    if (!resumable && this.session !== null) this.#gateway.forget(this.session);
    if (this.session !== null) this.session.connection = null;
    this.session = null;
    this.send({ op: INVALID_SESSION, d: resumable });
  }

  /** Ends it as Discord does of its own will; the session can be resumed. */
  close(code: number): void {
    this.#gateway.closes.push(code);
    this.#socket.close(code);
    this.#ended();
  }

  /** Ends it for what the bot did. */
  refuse(code: number): void {
    this.#hub.ledger.refused("gateway", String(code), []);
    if (this.session !== null && code !== 4008 && code !== 4009) this.#gateway.forget(this.session);
    this.close(code);
  }

  #hear(text: string): void {
    if (this.#silent || this.#socket.readyState !== this.#socket.OPEN) return;
    const code = this.#take(parse(text));
    if (code !== null) this.refuse(code);
  }

  /** Does what a frame asks for, or gives the code that ends the socket. */
  #take(frame: unknown): number | null {
    if (!isJson(frame) || typeof frame.op !== "number") return 4002;
    if (this.#isFlood()) return 4008;
    const { op, d } = frame;
    if (op === HEARTBEAT) this.#beat(d);
    else if (op === IDENTIFY || op === RESUME) return this.#enter(op, d);
    else if (this.session === null) return 4003;
    else if (op === REQUEST_MEMBERS && isJson(d)) this.#tellMembers(this.session, d);
    else if (op !== PRESENCE) return 4001;
    return null;
  }

  #isFlood(): boolean {
    const now = this.#hub.now();
    this.#sends = [...this.#sends.filter((at) => now - at < 60_000), now];
    return this.#sends.length > SENDS_PER_MINUTE;
  }

  #beat(seq: unknown): void {
    this.heartbeats += 1;
    if (seq !== null && num(seq) > (this.session?.seq ?? 0))
      this.#hub.ledger.violation(`a heartbeat named ${seq}, which was never dispatched`);
    this.#watch();
    if (this.#gateway.acknowledges) this.send({ op: ACK, d: null });
    this.#hub.ledger.changed();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refuse(4009), this.#hub.settings.heartbeatMs * PATIENCE);
    this.#timer.unref();
  }

  #enter(op: number, d: unknown): number | null {
    if (this.session !== null) return 4005;
    if (!isJson(d) || typeof d.token !== "string") return 4002;
    if (op === IDENTIFY && (typeof d.intents !== "number" || !isJson(d.properties))) return 4002;
    const entered = op === IDENTIFY ? this.#gateway.identify(this, d) : this.#gateway.resume(this, d);
    if (typeof entered === "number") return entered;
    this.session = entered;
    if (entered === null) this.invalidate(false);
    else if (op === IDENTIFY) this.#gateway.welcome(entered);
    this.#hub.ledger.changed();
    return null;
  }

  #tellMembers(session: Session, asked: Json): void {
    const chunk = guildMembers(this.#hub, session.intents, asked);
    if (chunk !== null) this.#gateway.dispatch(session, "GUILD_MEMBERS_CHUNK", chunk);
    else this.#hub.ledger.violation("members were asked for without the intent, or wrongly");
  }

  /** After 1000 and 1001 nobody can resume. */
  #closed(code: number): void {
    if (this.session !== null && this.session.connection === this && (code === 1000 || code === 1001))
      this.#gateway.forget(this.session);
    this.#ended();
  }

  #ended(): void {
    clearTimeout(this.#timer);
    if (this.session?.connection === this) this.session.connection = null;
    this.#gateway.connections.delete(this);
    this.#hub.ledger.changed();
  }
}
