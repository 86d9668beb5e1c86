/** The bot's side of one HTTP exchange: reading what came, sending what goes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AskgateError } from "../../core/error.ts";
import { maskText } from "../../core/mask.ts";
import { HEADER, type Refused, type Versions } from "./protocol.ts";

/** The largest request taken; the largest payload there is stays far below. */
const BODY_BYTES = 16 * 1024 * 1024;

/** Throws `too_large` and `bad_request`. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Not destroyed when it ends early: the answer goes the same way.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) {
      const most = `${BODY_BYTES / 1024 / 1024} MiB`;
      throw new AskgateError("too_large", `A request may have ${most}.`, {
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

export function reply(response: ServerResponse, value: unknown, status = 200): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Sends a last line and resolves when it is on its way, or nobody is there to read it. */
export const end = (response: ServerResponse, value: unknown): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once("close", resolve).end(`${JSON.stringify(value)}\n`, () => resolve());
  });

export const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => response.once("drain", () => resolve()));

/** A response that stays open until there is something to say, its command goes (`gone`) or the bot does (`moved`). */
export interface Hold {
  released: Promise<"gone" | "moved">;
  /** Aborts with the release. */
  signal: AbortSignal;
  release(how: "gone" | "moved"): void;
  forget(): void;
}

export function holdOn(response: ServerResponse): Hold {
  const abort = new AbortController();
  let release = (_how: "gone" | "moved"): void => {};
  const released = new Promise<"gone" | "moved">((resolve) => {
    release = (how) => {
      resolve(how);
      abort.abort();
    };
  });
  const gone = (): void => release("gone");
  if (response.destroyed) gone();
  response.once("close", gone);
  return { released, signal: abort.signal, release, forget: () => response.off("close", gone) };
}

/** An error for the way to the command; one that is not ours says no more than its message, and no secret in it. */
export function refused(error: unknown): Refused {
  if (!(error instanceof AskgateError)) {
    const said = error instanceof Error ? error.message : String(error);
    const message = maskText(said, { hidden: () => "[secret]" });
    return { error: { code: "internal", message, help: "See `askgate bot logs`.", fields: {} } };
  }
  const { code, message, help, fields } = error;
  return { error: { code, message, help, fields } };
}

export const versionsOf = (request: IncomingMessage): Versions => ({
  link: Number(header(request, HEADER.link) ?? 0),
  version: header(request, HEADER.version) ?? "0",
});

export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
