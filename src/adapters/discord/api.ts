/**
 * Discord's REST API: one attempt a call, each end a value. The SDK's own retries are off, because they post twice after a
 * lost answer, and so is its waiting for limits, because it would hold up everything else. It keeps count of them by what
 * headers say is left; what Discord refused all the same is remembered here.
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
import type { Clock, Log } from "../../core/ports.ts";
import type { Reply as Ended } from "../shared/catch-up.ts";
import { systemClock } from "../shared/clock.ts";

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
  clock?: Clock;
}

export class Api {
  readonly #token: string;
  readonly #rest: REST;
  readonly #prompt: REST;
  readonly #log: Log;
  readonly #clock: Clock;
  /** Kind of call and place, or all → until when Discord wants to hear nothing of it. */
  readonly #quiet = new Map<string, number>();
  /** Method → calls without an answer since the last that had one. */
  readonly #losses = new Map<string, number>();

  constructor({ token, baseUrl, log, clock = systemClock }: ApiParts) {
    this.#token = token;
    this.#log = log;
    this.#clock = clock;
    this.#rest = new REST(restOptions(baseUrl, TIMEOUT_MS)).setToken(token);
    this.#prompt = new REST(restOptions(baseUrl, PROMPT_MS));
  }

  /** Calls once. */
  async call<T>({ prompt = false, ...request }: Request, answer: z.ZodType<T>): Promise<Reply<T>> {
    const { method, path, body, query, files } = request;
    const afterMs = prompt ? 0 : this.#restOf(request);
    if (afterMs > 0) return { kind: "limited", afterMs };
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
      const reply = this.#failure(request, error);
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

  /** How long Discord still wants to hear nothing of such calls, in ms. */
  #restOf(request: Request): number {
    const now = this.#clock.now();
    const waits = [ALL, bucketOf(request)].map((key) => {
      const wait = (this.#quiet.get(key) ?? 0) - now;
      if (wait <= 0) this.#quiet.delete(key);
      return wait;
    });
    return Math.max(...waits);
  }

  #failure(request: Request, error: unknown): Exclude<Reply<never>, { kind: "ok" }> {
    if (error instanceof RateLimitError) {
      const afterMs = Math.max(error.retryAfter, error.timeToReset);
      this.#quiet.set(error.global ? ALL : bucketOf(request), this.#clock.now() + afterMs);
      return { kind: "limited", afterMs };
    }
    if (error instanceof DiscordAPIError && isDiscords(error)) {
      const { code, status, message } = error;
      return { kind: "error", code: Number(code), status, message: withoutTokens(message).slice(0, 500) };
    }
    if (isTokenless(error)) return { kind: "error", code: 0, status: 401, message: "401: Unauthorized" };
    // A token that only a proxy refused is as good as before.
    if (error instanceof DiscordAPIError && error.status === 401) this.#rest.setToken(this.#token);
    return this.#lost(request, error);
  }

  #lost({ method }: Request, error: unknown): Exclude<Reply<never>, { kind: "ok" }> {
    const losses = (this.#losses.get(method) ?? 0) + 1;
    this.#losses.set(method, losses);
    const afterMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (losses - 1));
    return { kind: "lost", reason: reasonOf(error), afterMs };
  }
}

const ALL = "";

/** Limits count for one kind of call in one channel or server. */
function bucketOf({ method, path }: Request): string {
  const [, place = "", rest = ""] = /^(\/(?:channels|guilds)\/\d+)?(.*)$/.exec(path) ?? [];
  return `${method} ${place}${rest.replaceAll(/\/(?:\d+|%[^/]+)/g, "/:id")}`;
}

/** Not the page of a proxy in between. */
const isDiscords = ({ code }: DiscordAPIError): boolean => code !== undefined && !Number.isNaN(Number(code));

/** The SDK forgets a token that Discord refused once. */
const isTokenless = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Expected token to be set");

function reasonOf(error: unknown): string {
  if (error instanceof HTTPError || error instanceof DiscordAPIError) return `HTTP ${error.status}`;
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
