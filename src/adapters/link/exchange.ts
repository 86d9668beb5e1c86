/**
 * One request of a command to the bot, and what can come of it. HTTP/1.0 by hand over one connection each: loading Node's
 * own client would cost an eighth of a bare start of Node, `fetch` ends a response after 300 s, and zod costs more than
 * everything else. HTTP/1.0 because its body ends with the connection, so there are no chunks to decode.
 */
import { createConnection, type Socket } from "node:net";
import { AskgateError } from "../../core/error.ts";
import { HEADER, REFUSAL, type Refused, type Versions } from "./protocol.ts";

/** A bot that sends nothing for so long hangs: above the longest wait (25 s) and several beats of a watch. */
const SILENCE_MS = 60_000;

const SILENCES: Record<string, number> = {
  /** Includes the pace of the chat platforms. */
  open: 5 * 60_000,
  /** One after the other, each with several requests to a platform that may be slow. */
  connect: 5 * 60_000,
  health: 5_000,
};

/** The bot is there, and says nothing. */
export class Silence extends Error {
  override readonly name = "Silence";
}

export interface Caller {
  versions: Versions;
  stateDir: string;
  /** The connections of calls that run, to be cut when the client closes. */
  connections: Set<Socket>;
}

export interface Request {
  socket: string;
  name: string;
  body: unknown;
  signal?: AbortSignal | undefined;
}

/** Why a request got no answer although the next bot may give one. */
export type Trouble =
  | { kind: "lost"; cause: unknown }
  | { kind: "older" }
  | { kind: "elsewhere" }
  | { kind: "moved"; handOver: boolean };

/** `body` is the answer as it comes; reading it throws when the connection breaks. */
export type Reply = { kind: "answered"; body: AsyncIterable<string> } | Trouble;

/** Sends one call. Throws what the bot refuses for good, as the `AskgateError` that it was there. */
export async function exchange(caller: Caller, request: Request): Promise<Reply> {
  let body: AsyncIterable<string>;
  try {
    const response = await send(caller, request);
    if (response.status === 200) return { kind: "answered", body: response.body };
    body = response.body;
  } catch (cause) {
    return { kind: "lost", cause };
  }
  return refusal(await readText(body).catch(() => ""));
}

/** What a refused call means: trouble that the next bot may end, else an error. */
export function refusal(text: string): Trouble {
  const error = parseRefused(text);
  if (error === null) return { kind: "lost", cause: new Error("the bot's answer was cut off") };
  if (error.code === REFUSAL.botOlder) return { kind: "older" };
  if (error.code === REFUSAL.otherStateDir) return { kind: "elsewhere" };
  if (error.code === REFUSAL.moved) return { kind: "moved", handOver: error.fields.handOver === true };
  throw new AskgateError(error.code, error.message, { fields: error.fields, help: error.help });
}

export async function readText(body: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of body) text += part;
  return text;
}

/** The lines as they come; a cut-off last one is given too. */
export async function* lines(body: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const part of body) {
    const whole = (rest + part).split("\n");
    rest = whole.pop() ?? "";
    yield* whole;
  }
  if (rest !== "") yield rest;
}

async function send(
  caller: Caller,
  request: Request,
): Promise<{ status: number; body: AsyncIterable<string> }> {
  const socket = connection(caller, request);
  socket.write(requestText(caller, request));
  const parts: AsyncIterator<string> = socket.setEncoding("utf8")[Symbol.asyncIterator]();
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const next = await parts.next();
    if (next.done) throw new Error("the bot closed the connection");
    head += next.value;
  }
  const at = head.indexOf("\r\n\r\n");
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, body: following(head.slice(at + 4), parts) };
}

/** A connection that ends with the client, the signal or a bot that has fallen silent. */
function connection({ connections }: Caller, { socket: path, name, signal }: Request): Socket {
  const socket = createConnection(path);
  const abort = (): void => void socket.destroy();
  connections.add(socket);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  const silence = SILENCES[name] ?? SILENCE_MS;
  return socket
    .setTimeout(silence, () => socket.destroy(new Silence(`the bot sent nothing for ${silence / 1000} s`)))
    .on("error", () => {}) // Whoever reads gets it.
    .once("close", () => {
      connections.delete(socket);
      signal?.removeEventListener("abort", abort);
    });
}

function requestText({ versions, stateDir }: Caller, { name, body }: Request): string {
  const text = JSON.stringify(body);
  const head = [
    `POST /${name} HTTP/1.0`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    `${HEADER.link}: ${versions.link}`,
    `${HEADER.version}: ${versions.version}`,
    `${HEADER.state}: ${encodeURIComponent(stateDir)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

/** What came with the head, then the rest; leaving it early ends the connection. */
async function* following(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (first !== "") yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function parseRefused(text: string): Refused["error"] | null {
  try {
    const refused: Refused = JSON.parse(text);
    return typeof refused.error?.code === "string" ? refused.error : null;
  } catch {
    return null;
  }
}
