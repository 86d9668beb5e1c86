/** One Socket Mode connection, seen from Slack's side. */
import type { WebSocket } from "ws";
import type { Json } from "./wire.ts";

export type Reason = "warning" | "refresh_requested" | "link_disabled" | "too_many_websockets";

interface Ears {
  heard(text: string): void;
  closed(): void;
}

export class Connection {
  /** Slack's side lost it, by a test's will: what it carried is no fault of the bot. */
  cut = false;
  readonly #socket: WebSocket;
  readonly #ping: NodeJS.Timeout;
  readonly #pingMs: number;
  #silent = false;
  #leaving = false;
  #lost = false;
  #closing: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, pingMs: number, ears: Ears) {
    this.#socket = socket;
    this.#pingMs = pingMs;
    this.#ping = setInterval(() => {
      if (!this.#silent && this.open) socket.ping("Ping from applink");
    }, pingMs);
    socket.on("message", (data) => ears.heard(data.toString()));
    socket.on("ping", (data) => {
      if (!this.#silent && this.open) socket.pong(data);
    });
    socket.on("error", () => socket.terminate());
    socket.once("close", () => {
      clearInterval(this.#ping);
      clearTimeout(this.#closing);
      ears.closed();
    });
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Whether envelopes may go here; also to a silent one, for Slack does not know. */
  get taking(): boolean {
    return this.open && !this.#leaving && !this.#lost;
  }

  send(frame: Json): void {
    if (!this.#silent && this.open) this.#socket.send(JSON.stringify(frame));
  }

  hello(appId: string, connections: number): void {
    this.send({
      type: "hello",
      num_connections: connections,
      debug_info: { host: "applink-1", build_number: 1, approximate_connection_time: 18_060 },
      connection_info: { app_id: appId },
    });
  }

  /** Says that it will close, and does so after `graceMs` unless the other side does first. */
  disconnect(reason: Reason, graceMs: number): void {
    this.send({ type: "disconnect", reason, debug_info: { host: "applink-1" } });
    if (reason === "warning") {
      this.#closing = setTimeout(() => this.disconnect("refresh_requested", 1000), graceMs);
      return;
    }
    this.#leaving = true;
    this.#closing = setTimeout(() => this.#socket.close(1000), graceMs);
  }

  /** Closes as a server that stops does: the other side may answer, for a moment. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#socket.terminate(), 200);
      this.#socket.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      if (this.#silent) this.#socket.terminate();
      else this.#socket.close(1001);
    });
  }

  /** The line breaks, without a word. */
  drop(): void {
    this.cut = true;
    this.#socket.terminate();
  }

  /** Stays open but neither hears nor says anything any more, pings included; Slack notices after two pings. */
  silence(): void {
    this.cut = true;
    this.#silent = true;
    this.#socket.pause();
    this.#closing = setTimeout(() => {
      this.#lost = true;
    }, 2 * this.#pingMs);
  }
}
