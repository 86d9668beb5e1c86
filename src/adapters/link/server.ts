/**
 * The bot's end of the link: a gate behind HTTP on a socket that only the user can open. It refuses commands that mean
 * another bot before anything happens, lets go of waits whose command went away, and hands the rest over when it stops.
 */
import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { AskgateError } from "../../core/error.ts";
import type { Gate } from "../../core/gate.ts";
import type { Log } from "../../core/ports.ts";
import { drained, end, type Hold, header, holdOn, readJson, refused, reply, versionsOf } from "./answer.ts";
import { type Chats, callGate, isPrompt, parsed } from "./calls.ts";
import {
  BEAT_MS,
  type Calls,
  CHECKED,
  HEADER,
  type Health,
  REFUSAL,
  SLICE_MS,
  type Stopped,
  supersedes,
  type Versions,
} from "./protocol.ts";
import { bodies, checkBody, watchBody } from "./wire.ts";

export interface LinkParts {
  gate: Gate;
  chats: Chats;
  stateDir: string;
  versions: Versions;
  /** What only the bot knows of its health. */
  facts(): Omit<Health, keyof Versions | "pid" | "stateDir" | "waiting">;
  /** A command asks the bot to stop; `handOver` when it starts a newer one. */
  onStop(handOver: boolean): void;
  log: Log;
}

export interface LinkServer {
  /** Listens here, and no longer where it did; calls that run go on. */
  listen(socket: string): Promise<void>;
  socket(): string;
  /** Commands that wait now, and all requests so far. */
  figures(): { waiting: number; calls: number };
  /** Takes nothing new, sends waiting and watching commands to the next bot, and lets running calls finish. */
  drain(handOver: boolean): Promise<void>;
  /** Answers whoever asked to stop, and ends. */
  close(): Promise<void>;
}

export async function serveLink(parts: LinkParts, socket: string): Promise<LinkServer> {
  const link = new Link(parts);
  await link.listen(socket);
  return link;
}

class Link implements LinkServer {
  private readonly server = createServer((request, response) => this.take(request, response));
  private readonly running = new Set<Promise<void>>();
  /** The waits and watches that run now. */
  private readonly holds = new Set<Hold>();
  private readonly stopping: ServerResponse[] = [];
  private moved: { handOver: boolean } | null = null;
  private waiting = 0;
  private calls = 0;
  private where = "";
  private readonly parts: LinkParts;

  constructor(parts: LinkParts) {
    this.parts = parts;
  }

  async listen(socket: string): Promise<void> {
    const pipe = process.platform === "win32";
    if (this.server.listening) this.server.close();
    // Whatever lies here was left by a bot that is gone: this one holds the lock.
    if (!pipe) rmSync(socket, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject).listen(socket, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
    if (!pipe) chmodSync(socket, 0o600);
    this.where = socket;
  }

  socket(): string {
    return this.where;
  }

  figures() {
    return { waiting: this.waiting, calls: this.calls };
  }

  async drain(handOver: boolean): Promise<void> {
    this.moved = { handOver };
    this.server.close();
    for (const hold of this.holds) hold.release("moved");
    await Promise.all(this.running);
  }

  async close(): Promise<void> {
    const answer: Stopped = { stopped: true, pid: process.pid };
    await Promise.all(this.stopping.map((response) => end(response, answer)));
    this.server.closeAllConnections();
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    this.calls += 1;
    const run = this.answer(request, response).catch((error: unknown) => this.refuse(response, error));
    this.running.add(run);
    void run.finally(() => this.running.delete(run));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { versions } = this.parts;
    response.setHeader(HEADER.link, versions.link).setHeader(HEADER.version, versions.version);
    const name = (request.url ?? "").slice(1);
    if (this.moved !== null) response.shouldKeepAlive = false;
    this.checkState(request);
    if (name === "stop") return this.stop(request, response);
    if (this.moved !== null) throw this.movedOn();
    if (name === "health") return reply(response, this.health());
    this.checkVersions(request);
    const body = await readJson(request);
    if (name === "watch") {
      const { session, view } = parsed(watchBody, body);
      return this.stream(response, ({ signal }) => this.parts.gate.watch(session, view, signal));
    }
    if (name === "check") {
      const wanted = parsed(checkBody, body);
      return this.stream(response, () => followed(this.parts.chats.check(wanted), CHECKED));
    }
    if (name === "wait") {
      const wanted = parsed(bodies.wait, body);
      return this.held(response, (hold) => this.wait(wanted, response, hold));
    }
    if (name === "paired") {
      const { patienceMs, ...wanted } = parsed(bodies.paired, body);
      const patience = Math.min(patienceMs, SLICE_MS);
      return this.held(response, (hold) =>
        this.first(this.parts.chats.paired({ ...wanted, patienceMs: patience }), response, hold),
      );
    }
    if (!isPrompt(name)) throw new AskgateError("unknown_call", `The bot knows no call "${name}".`);
    reply(response, await callGate(this.parts, name, body));
  }

  private checkState(request: IncomingMessage): void {
    const state = header(request, HEADER.state);
    if (state === undefined || decodeURIComponent(state) === this.parts.stateDir) return;
    throw new AskgateError(REFUSAL.otherStateDir, `This bot serves ${this.parts.stateDir}.`);
  }

  private checkVersions(request: IncomingMessage): void {
    const { versions } = this.parts;
    if (!supersedes(versionsOf(request), versions)) return;
    throw new AskgateError(REFUSAL.botOlder, `The bot ${versions.version} is older than the command.`);
  }

  private health(): Health {
    const { versions, stateDir, facts } = this.parts;
    return { ...versions, stateDir, pid: process.pid, waiting: this.waiting, ...facts() };
  }

  private async wait(body: Calls["wait"]["body"], response: ServerResponse, hold: Hold): Promise<void> {
    this.waiting += 1;
    try {
      const patience = Math.min(body.patienceMs, SLICE_MS);
      await this.first(this.parts.gate.wait(body.round, patience, body.past, hold.signal), response, hold);
    } finally {
      this.waiting -= 1;
    }
  }

  /** Replies with the value, unless the command goes or the bot hands over before it is there. */
  private async first(value: Promise<unknown>, response: ServerResponse, hold: Hold): Promise<void> {
    const first = await Promise.race([value, hold.released]);
    if (first === "gone") response.destroy();
    else if (first === "moved") throw this.movedOn();
    else reply(response, first);
  }

  /** Sends values as they come, a line each. */
  private stream(response: ServerResponse, values: (hold: Hold) => AsyncIterable<unknown>): Promise<void> {
    return this.held(response, (hold) => this.write(values(hold), response, hold));
  }

  private async write(values: AsyncIterable<unknown>, response: ServerResponse, hold: Hold): Promise<void> {
    const beat = setInterval(() => response.headersSent && response.write("null\n"), BEAT_MS).unref();
    try {
      for await (const value of values) {
        if (!response.headersSent) response.writeHead(200, { "content-type": "application/x-ndjson" });
        const fits = response.write(`${JSON.stringify(value)}\n`);
        if (!fits) await Promise.race([drained(response), hold.released]);
        if (hold.signal.aborted) break;
      }
      if (this.moved !== null) throw this.movedOn();
      response.end();
    } finally {
      clearInterval(beat);
    }
  }

  private async stop(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.shouldKeepAlive = false;
    this.stopping.push(response);
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    this.parts.onStop(supersedes(versionsOf(request), this.parts.versions));
  }

  /** Ends when the command goes or the bot hands over, whichever is first. */
  private async held<T>(response: ServerResponse, use: (hold: Hold) => Promise<T>): Promise<T> {
    const hold = holdOn(response);
    this.holds.add(hold);
    if (this.moved !== null) hold.release("moved");
    return use(hold).finally(() => {
      this.holds.delete(hold);
      hold.forget();
    });
  }

  private movedOn(): AskgateError {
    return new AskgateError(REFUSAL.moved, "The bot is stopping; the next one takes over.", {
      fields: { handOver: this.moved?.handOver ?? false },
    });
  }

  private refuse(response: ServerResponse, error: unknown): void {
    if (!(error instanceof AskgateError)) this.parts.log.error("a call failed", { error });
    if (response.headersSent) void end(response, refused(error));
    else reply(response, refused(error), 422);
  }
}

async function* followed<T, Last>(values: AsyncIterable<T>, last: Last): AsyncGenerator<T | Last> {
  yield* values;
  yield last;
}
