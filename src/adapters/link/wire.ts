/** What a command may send, checked once at the edge of the bot. */
import { z } from "zod";
import type { Selector, View } from "../../core/gate.ts";
import type { Credentials } from "../../core/surface.ts";
import type { Call, Calls, CheckBody, WatchBody } from "./protocol.ts";

const names = z.array(z.string());
const surface = z.enum(["slack", "discord", "web", "terminal"]);
const chat = z.enum(["slack", "discord"]);

const policy = z.object({
  reviewers: names.optional(),
  responders: names.optional(),
  quorum: z.int().optional(),
  veto: z.boolean().optional(),
  onTimeout: z.enum(["keep", "recommended", "fail"]).optional(),
});

const selector: z.ZodType<Selector> = z.object({
  project: z.string(),
  session: z.string().nullable(),
  agentSession: z.string().nullable(),
});

const credentials: z.ZodType<Credentials> = z.object({
  surface: chat,
  tokens: z.record(z.string(), z.string()),
  baseUrl: z.string().nullable(),
});

/** What has a default is not sent by commands of link 1. */
const open: z.ZodType<Calls["open"]["body"]> = z.object({
  kind: z.enum(["clarity", "plan", "ask", "permission"]),
  again: z.boolean(),
  payload: z.unknown(),
  project: z.string(),
  session: z.string().nullable(),
  agentSession: z.string().nullable(),
  key: z.string().nullable(),
  timeoutMs: z.number().nonnegative().nullable(),
  policy,
  floor: policy,
  people: z.record(z.string(), names),
  granularity: z.enum(["auto", "block"]),
  asks: z.int().min(-1).nullable(),
  locale: z.string(),
  via: z.array(surface),
  to: names,
  connections: z.partialRecord(surface, z.string()).default({}),
  credentials: z.array(credentials).optional(),
  origin: z.object({ repo: z.string(), branch: z.string(), agent: z.string(), host: z.string() }),
});

/** JSON has no Infinity: a surface without a limit sends null. */
const limit = z
  .number()
  .positive()
  .nullable()
  .transform((number) => number ?? Number.POSITIVE_INFINITY);
const view: z.ZodType<View> = z.object({
  surface,
  limits: z.object({
    card: limit,
    text: limit,
    entries: limit,
    entryText: limit,
    units: limit,
    unitsPer: z.object({ text: limit, choice: limit, controls: limit }),
    files: z.enum(["inline", "apart"]).default("inline"),
    blocks: z.enum(["place", "thread"]).default("place"),
    planCards: limit,
    planCardsDirect: limit,
  }),
  locale: z.string(),
});

export const watchBody: z.ZodType<WatchBody> = z.object({ session: z.string(), view });

export const checkBody: z.ZodType<CheckBody> = z.object({ surface: chat, connection: z.string(), to: names });

export const bodies: { [Name in Call]: z.ZodType<Calls[Name]["body"]> } = {
  open,
  wait: z.object({ round: z.string(), patienceMs: z.number().nonnegative(), past: z.boolean() }),
  acknowledge: z.object({ session: z.string(), carries: z.object({ rounds: names, messages: names }) }),
  cancel: z.object({ round: z.string(), elsewhere: z.boolean().optional() }),
  held: selector.and(z.object({ prefix: z.string() })),
  down: selector.and(z.object({ since: z.number().optional() })),
  list: z.object({ project: z.string().nullable() }),
  inbox: selector,
  say: selector.and(z.object({ text: z.string() })),
  show: z.object({ id: z.string() }),
  act: z.object({
    session: z.string(),
    press: z.object({
      id: z.string(),
      button: z.string(),
      values: names,
      words: z.string().nullable(),
      locale: z.string().optional(),
      surface: z.enum(["web", "terminal"]),
    }),
  }),
  connect: z.object({ credentials }),
  connections: z.object({}),
  pair: z.object({ surface: chat, connection: z.string(), who: z.string() }),
  paired: z.object({ surface: chat, pairing: z.string(), patienceMs: z.number().nonnegative() }),
  health: z.object({}),
};
