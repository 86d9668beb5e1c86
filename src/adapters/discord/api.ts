/**
 * Discord's REST API: one attempt a call, each end a value. The SDK's own retries are off, because they post twice after a
 * lost answer, and so is its waiting for limits, because it would hold up everything else; it keeps count of them all the same.
 */
import {
  DiscordAPIError,
  HTTPError,
  RateLimitError,
  type RawFile,
  REST,
  type RequestMethod,
} from "discord.js";
import type { z } from "zod";
import type { Log } from "../../core/ports.ts";
import type { Reply as Ended } from "../shared/catch-up.ts";

/** `code` is Discord's own, 0 where it gave none. */
export type Reply<T> = Ended<T, { code: number; status: number; message: string }>;

export interface Request {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  body?: object;
  query?: Record<string, string>;
  files?: RawFile[];
  /** The answer is worth nothing after two seconds: an interaction's first answer. It needs no token. */
  prompt?: boolean;
}

/** How long a call may take. */
const TIMEOUT_MS = 15_000;
const PROMPT_MS = 2_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export interface ApiParts {
  token: string;
  /** `https://discord.com/api` unless another server stands in. */
  baseUrl: string | null;
  log: Log;
}

export class Api {
  readonly #rest: REST;
  readonly #prompt: REST;
  readonly #log: Log;
  /** Method → calls without an answer since the last that had one. */
  readonly #losses = new Map<string, number>();

  constructor({ token, baseUrl, log }: ApiParts) {
    this.#log = log;
    this.#rest = new REST(restOptions(baseUrl, TIMEOUT_MS)).setToken(token);
    this.#prompt = new REST(restOptions(baseUrl, PROMPT_MS));
  }

  /** Calls once. */
  async call<T>({ prompt = false, ...request }: Request, answer: z.ZodType<T>): Promise<Reply<T>> {
    const { method, path, body, query, files } = request;
    try {
      const value = await (prompt ? this.#prompt : this.#rest).request({
        method: method as RequestMethod,
        fullRoute: path,
        auth: !prompt,
        ...(body !== undefined && { body }),
        ...(query !== undefined && { query: new URLSearchParams(query) }),
        ...(files !== undefined && { files }),
      });
      this.#losses.delete(method);
      return { kind: "ok", value: answer.parse(value) };
    } catch (error) {
      const reply = this.#failure(method, error);
      this.#log.info("Discord did not do it", { method, path: withoutTokens(path), ...reply });
      return reply;
    }
  }

  stop(): void {
    this.#rest.clearHashSweeper();
    this.#rest.clearHandlerSweeper();
    this.#prompt.clearHashSweeper();
    this.#prompt.clearHandlerSweeper();
  }

  #failure(method: string, error: unknown): Exclude<Reply<never>, { kind: "ok" }> {
    if (error instanceof RateLimitError)
      return { kind: "limited", afterMs: Math.max(error.retryAfter, error.timeToReset) };
    if (error instanceof DiscordAPIError) {
      const { code, status, message } = error;
      return { kind: "error", code: Number(code) || 0, status, message: message.slice(0, 500) };
    }
    if (isTokenless(error)) return { kind: "error", code: 0, status: 401, message: "401: Unauthorized" };
    const losses = (this.#losses.get(method) ?? 0) + 1;
    this.#losses.set(method, losses);
    const afterMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (losses - 1));
    return { kind: "lost", reason: reasonOf(error), afterMs };
  }
}

/** The SDK forgets a token that Discord refused once. */
const isTokenless = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Expected token to be set");

function reasonOf(error: unknown): string {
  if (error instanceof HTTPError) return `HTTP ${error.status}`;
  return withoutTokens(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

/** Bot tokens, and those of interactions, which stand in addresses. */
const withoutTokens = (text: string): string =>
  text
    .replaceAll(/[\w-]{20,}\.[\w-]{4,}\.[\w-]{10,}/g, "…")
    .replaceAll(/(\/(?:interactions|webhooks)\/\d+\/)[^/\s]+/g, "$1…");

export const restOptions = (baseUrl: string | null, timeout: number) => ({
  ...(baseUrl === null ? {} : { api: baseUrl }),
  version: "10",
  retries: 0,
  timeout,
  rejectOnRateLimit: () => true,
});
