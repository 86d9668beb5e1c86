/**
 * Slack's Web API: one attempt a call, each end a value. The SDK's own retries are off, because they post twice after a lost
 * answer, and so is its waiting, because it would hold up everything else.
 */
import {
  type Logger,
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebClient,
} from "@slack/web-api";
import type { z } from "zod";
import type { Clock, Log } from "../../core/ports.ts";

export type Reply<T> =
  | { kind: "ok"; value: T }
  /** Slack said no; `needed` is the missing scope, `details` say where a block is wrong. */
  | { kind: "error"; error: string; needed: string; details: string[] }
  | { kind: "limited"; afterMs: number }
  /** No answer: it may have happened. `afterMs`: a good time to try again, later with each loss. */
  | { kind: "lost"; reason: string; afterMs: number };

/** How long a call may take. */
const TIMEOUT_MS = 15_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Long enough for a form to open while its trigger lives. */
const PROMPT_MS = 2_500;

export interface ApiParts {
  token: string;
  /** `https://slack.com/api/` unless another server stands in. */
  baseUrl: string | null;
  clock: Clock;
  log: Log;
}

export class Api {
  readonly #client: WebClient;
  readonly #prompt: WebClient;
  readonly #parts: ApiParts;
  /** Method, and channel for posts → until when Slack wants to hear nothing of it. */
  readonly #quiet = new Map<string, number>();
  /** Method → calls without an answer since the last that had one. */
  readonly #losses = new Map<string, number>();

  constructor(parts: ApiParts) {
    this.#parts = parts;
    this.#client = new WebClient(parts.token, clientOptions(parts, TIMEOUT_MS));
    this.#prompt = new WebClient(parts.token, clientOptions(parts, PROMPT_MS));
  }

  /** Calls once. `prompt`: the answer is worth nothing after two and a half seconds. */
  async call<T>(
    method: string,
    args: Record<string, unknown>,
    answer: z.ZodType<T>,
    { prompt = false }: { prompt?: boolean } = {},
  ): Promise<Reply<T>> {
    const { clock, log } = this.#parts;
    const key = method === "chat.postMessage" ? `${method} ${String(args.channel)}` : method;
    const wait = (this.#quiet.get(key) ?? 0) - clock.now();
    if (wait > 0) return { kind: "limited", afterMs: wait };
    this.#quiet.delete(key);
    try {
      const client = prompt ? this.#prompt : this.#client;
      const value = answer.parse(await client.apiCall(method, args));
      this.#losses.delete(method);
      return { kind: "ok", value };
    } catch (error) {
      const reply = this.#failure(method, error);
      if (reply.kind === "limited") this.#quiet.set(key, clock.now() + reply.afterMs);
      log.info("Slack did not do it", { method, ...reply });
      return reply;
    }
  }

  #failure(method: string, error: unknown): Exclude<Reply<never>, { kind: "ok" }> {
    if (error instanceof WebAPIRateLimitedError) return { kind: "limited", afterMs: error.retryAfter * 1000 };
    if (error instanceof WebAPIPlatformError && isRefusal(error.data.error)) return refusal(error);
    const losses = (this.#losses.get(method) ?? 0) + 1;
    this.#losses.set(method, losses);
    const afterMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (losses - 1));
    return { kind: "lost", reason: reasonOf(error), afterMs };
  }
}

/** Slack's own troubles: it may have happened, and may work the next time. */
const PASSING = new Set([
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "ratelimited",
]);

/** The SDK gives any text that is no JSON as an error's code: a page of something in between is no word of Slack's. */
const isRefusal = (code: string): boolean => /^[a-z][a-z0-9_]*$/.test(code) && !PASSING.has(code);

function reasonOf(error: unknown): string {
  if (error instanceof WebAPIHTTPError) return `HTTP ${error.statusCode}`;
  return withoutTokens(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

const withoutTokens = (text: string): string => text.replace(/xox[a-z]-[\w-]+|xapp-[\w-]+/g, "…");

export const clientOptions = ({ baseUrl, log }: Pick<ApiParts, "baseUrl" | "log">, timeout: number) => ({
  ...(baseUrl === null ? {} : { slackApiUrl: baseUrl }),
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  timeout,
  logger: quietLogger(log),
});

function refusal({ data }: WebAPIPlatformError): Extract<Reply<never>, { kind: "error" }> {
  const needed = "needed" in data ? data.needed : "";
  return {
    kind: "error",
    error: data.error,
    needed: typeof needed === "string" ? needed : "",
    details: data.response_metadata?.messages ?? [],
  };
}

/** The SDK's own words, without what it says of every step; never a token. */
export function quietLogger(log: Log): Logger {
  const line = (parts: unknown[]): string => withoutTokens(parts.map(String).join(" "));
  return {
    debug() {},
    info() {},
    warn: (...parts) => log.info(`slack: ${line(parts)}`),
    error: (...parts) => log.warn(`slack: ${line(parts)}`),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
