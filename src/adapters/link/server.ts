/**
 * The bot's end of the link: a gate behind HTTP on a socket that only the user can open. It refuses commands that mean
 * another bot before anything happens, lets go of waits whose command went away, and hands the rest over when it stops.
 */
import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { AskgateError } from "../../core/error.ts";
import type { Gate, Log } from "../../core/ports.ts";
import {
  BEAT_MS,
  type Call,
  type Calls,
  HEADER,
  type Health,
  REFUSAL,
  type Refused,
  SLICE_MS,
  type Stopped,
  supersedes,
  type Versions,
} from "./protocol.ts";
import { bodies, watchBody } from "./wire.ts";

/** The largest request taken; the largest payload there is stays far below. */
const BODY_BYTES = 16 * 1024 * 1024;

export interface LinkParts {
  gate: Gate;
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
  /** `calls` counts all requests so far; the others are right now. */
  figures(): { waiting: number; watching: number; calls: number };
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
  /** Ends the waits and watches that run now. */
  private readonly releases = new Set<() => void>();
  private readonly stopping: ServerResponse[] = [];
  private moved: { handOver: boolean } | null = null;
  private waiting = 0;
  private watching = 0;
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
    return { waiting: this.waiting, watching: this.watching, calls: this.calls };
  }

  async drain(handOver: boolean): Promise<void> {
    this.moved = { handOver };
    this.server.close();
    for (const release of this.releases) release();
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
    if (name === "stop") return this.stop(request, response);
    this.check(request, name);
    const body = await readJson(request);
    if (name === "watch") return this.watch(parsed(watchBody, body), response);
    if (name === "wait") return this.wait(parsed(bodies.wait, body), response);
    if (!isCall(name)) throw new AskgateError("unknown_call", `The bot knows no call "${name}".`);
    reply(response, await this.call(name, body));
  }

  /** Throws what keeps this bot from serving the command. */
  private check(request: IncomingMessage, name: string): void {
    if (this.moved !== null) throw this.movedOn();
    const state = header(request, HEADER.state);
    if (state !== undefined && decodeURIComponent(state) !== this.parts.stateDir) {
      throw new AskgateError(REFUSAL.otherStateDir, `This bot serves ${this.parts.stateDir}.`);
    }
    if (name !== "health" && supersedes(versionsOf(request), this.parts.versions)) {
      throw new AskgateError(
        REFUSAL.botOlder,
        `The bot ${this.parts.versions.version} is older than the command.`,
      );
    }
  }

  private async call(name: Exclude<Call, "wait">, body: unknown): Promise<Calls[Call]["answer"]> {
    const { gate } = this.parts;
    switch (name) {
      case "open":
        return gate.open(parsed(bodies.open, body));
      case "acknowledge": {
        const { session, carries } = parsed(bodies.acknowledge, body);
        await gate.acknowledge(session, carries);
        return null;
      }
      case "cancel":
        await gate.cancel(parsed(bodies.cancel, body).round);
        return null;
      case "down":
        return gate.down(parsed(bodies.down, body));
      case "list":
        return gate.list(parsed(bodies.list, body).project);
      case "show":
        return gate.show(parsed(bodies.show, body).id);
      case "act": {
        const { session, press } = parsed(bodies.act, body);
        return gate.act(session, press);
      }
      case "health":
        return this.health();
    }
  }

  private health(): Health {
    const { versions, stateDir, facts } = this.parts;
    return { ...versions, stateDir, pid: process.pid, waiting: this.waiting, ...facts() };
  }

  private async wait(body: Calls["wait"]["body"], response: ServerResponse): Promise<void> {
    const released = this.untilReleased(response);
    this.waiting += 1;
    try {
      const waited = this.parts.gate.wait(body.round, Math.min(body.patienceMs, SLICE_MS), body.past);
      waited.catch(() => {});
      const first = await Promise.race([waited, released.promise]);
      if (first === "gone") response.destroy();
      else if (first === "moved") throw this.movedOn();
      else reply(response, first);
    } finally {
      this.waiting -= 1;
      released.forget();
    }
  }

  private async watch(
    body: { session: string; view: Parameters<Gate["watch"]>[1] },
    response: ServerResponse,
  ) {
    const released = this.untilReleased(response);
    const beat = setInterval(() => response.headersSent && response.write("null\n"), BEAT_MS).unref();
    this.watching += 1;
    try {
      for await (const frame of this.parts.gate.watch(body.session, body.view, released.signal)) {
        if (!response.headersSent) response.writeHead(200, { "content-type": "application/x-ndjson" });
        if (!response.write(`${JSON.stringify(frame)}\n`))
          await Promise.race([drained(response), released.promise]);
        if (released.signal.aborted) break;
      }
      if (this.moved !== null) throw this.movedOn();
      response.end();
    } finally {
      clearInterval(beat);
      this.watching -= 1;
      released.forget();
    }
  }

  private async stop(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.shouldKeepAlive = false;
    this.stopping.push(response);
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    this.parts.onStop(supersedes(versionsOf(request), this.parts.versions));
  }

  /** Ends when the client goes or the bot hands over, whichever is first. */
  private untilReleased(response: ServerResponse) {
    const abort = new AbortController();
    let release: (how: "gone" | "moved") => void = () => {};
    const promise = new Promise<"gone" | "moved">((resolve) => {
      release = (how) => {
        resolve(how);
        abort.abort();
      };
    });
    const gone = (): void => release("gone");
    const moved = (): void => release("moved");
    response.once("close", gone);
    this.releases.add(moved);
    if (response.destroyed) gone();
    const forget = (): void => {
      this.releases.delete(moved);
      response.off("close", gone);
    };
    return { promise, signal: abort.signal, forget };
  }

  private movedOn(): AskgateError {
    return new AskgateError(REFUSAL.moved, "The bot is stopping; the next one takes over.", {
      fields: { handOver: this.moved?.handOver ?? false },
    });
  }

  private refuse(response: ServerResponse, error: unknown): void {
    const known = error instanceof AskgateError;
    if (!known) this.parts.log.error("a call failed", { error });
    const refused: Refused = known
      ? { error: { code: error.code, message: error.message, help: error.help, fields: error.fields } }
      : {
          error: {
            code: "internal",
            message: error instanceof Error ? error.message : String(error),
            help: "askgate bot logs",
            fields: {},
          },
        };
    if (response.headersSent) void end(response, refused);
    else reply(response, refused, 422);
  }
}

function parsed<Body>(schema: { safeParse(data: unknown): Parsing<Body> }, data: unknown): Body {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new AskgateError(
    "bad_request",
    `The command sent something else than this bot takes: ${result.error.message}`,
    {
      help: "Use the same version of askgate everywhere.",
    },
  );
}
type Parsing<Body> = { success: true; data: Body } | { success: false; error: { message: string } };

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) {
      throw new AskgateError("too_large", `A request may have ${BODY_BYTES / 1024 / 1024} MiB.`, {
        help: "Make the payload smaller.",
      });
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw new AskgateError("bad_request", "The command sent no JSON.", { cause });
  }
}

function reply(response: ServerResponse, value: unknown, status = 200): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Sends a last line and resolves when it is on its way, or nobody is there to read it. */
const end = (response: ServerResponse, value: unknown): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once("close", resolve).end(`${JSON.stringify(value)}\n`, () => resolve());
  });

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => response.once("drain", () => resolve()));

const isCall = (name: string): name is Exclude<Call, "wait"> =>
  name !== "wait" && Object.hasOwn(bodies, name);

const versionsOf = (request: IncomingMessage): Versions => ({
  link: Number(header(request, HEADER.link) ?? 0),
  version: header(request, HEADER.version) ?? "0",
});

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
