/**
 * One request of a command to the bot, and what can come of it. Node's own HTTP client, because `fetch` ends a response
 * after 300 s; no zod, because importing it costs more than all the rest of a command's start.
 */
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { AskgateError } from "../../core/error.ts";
import { HEADER, REFUSAL, type Refused, type Versions } from "./protocol.ts";

/** A bot that sends nothing for so long hangs: above the longest wait (25 s) and several beats of a watch. */
const SILENCE_MS = 60_000;

const SILENCES: Record<string, number> = {
  /** Includes the pace of the chat platforms. */
  open: 5 * 60_000,
  health: 5_000,
};

/** The bot is there, and says nothing. */
export class Silence extends Error {
  override readonly name = "Silence";
}

export interface Caller {
  versions: Versions;
  stateDir: string;
  agent: Agent;
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

export type Reply = { kind: "answered"; response: IncomingMessage } | Trouble;

export const keepAlive = (): Agent => new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Sends one call. Throws what the bot refuses for good, as the `AskgateError` that it was there. */
export async function exchange(caller: Caller, request: Request): Promise<Reply> {
  let response: IncomingMessage;
  try {
    response = await send(caller, request);
    if (response.statusCode === 200) return { kind: "answered", response };
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    return { kind: "lost", cause };
  }
  return refusal(await readText(response).catch(() => ""));
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

export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The response's lines as they come; a cut-off last one is given too. */
export async function* lines(response: IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

function send(caller: Caller, { socket, name, body, signal }: Request): Promise<IncomingMessage> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const options: RequestOptions & { servername: string } = {
      socketPath: socket,
      // Without it Node looks whether the host is an IP address, and the expression for that costs more than the call.
      servername: "",
      path: `/${name}`,
      method: "POST",
      agent: caller.agent,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
        [HEADER.link]: caller.versions.link,
        [HEADER.version]: caller.versions.version,
        [HEADER.state]: encodeURIComponent(caller.stateDir),
      },
      ...(signal && { signal }),
    };
    const sent = httpRequest(options, resolve);
    sent.once("error", reject);
    const silence = SILENCES[name] ?? SILENCE_MS;
    sent.setTimeout(silence, () => sent.destroy(new Silence(`the bot sent nothing for ${silence / 1000} s`)));
    sent.end(text);
  });
}

function parseRefused(text: string): Refused["error"] | null {
  try {
    const refused: Refused = JSON.parse(text);
    return typeof refused.error?.code === "string" ? refused.error : null;
  } catch {
    return null;
  }
}
