/** The Web API: from one request to one answer, in the order in which Slack says no. */
import { randomUUID } from "node:crypto";
import { held } from "../shared/faults.ts";
import type { Fault } from "./faults.ts";
import type { Hub } from "./hub.ts";
import { chat } from "./methods/chat.ts";
import { conversations } from "./methods/conversations.ts";
import { files } from "./methods/files.ts";
import { type Method, needScope } from "./methods/method.ts";
import { people } from "./methods/people.ts";
import { reactions } from "./methods/reactions.ts";
import { views } from "./methods/views.ts";
import type { App, Team } from "./model.ts";
import { Refusal } from "./refusal.ts";
import { type Json, list, str } from "./wire.ts";

const METHODS: { [name: string]: Method } = {
  ...chat,
  ...conversations,
  ...files,
  ...people,
  ...reactions,
  ...views,
};

const CONNECT = "apps.connections.open";

export interface Request {
  method: string;
  token: string | null;
  args: Json;
}

export type Answer =
  | { kind: "json"; status: number; headers: { [name: string]: string }; body: Json }
  | { kind: "reset" };

/** What was done by faults on the way counts neither as an error of the bot nor as done. */
export async function answer(hub: Hub, request: Request): Promise<Answer> {
  const channel = channelOf(request.args);
  const team = teamOf(hub, request.token);
  const note = (error: string | null) =>
    hub.ledger.call({
      method: request.method,
      team: team?.id ?? null,
      channel,
      args: request.args,
      error,
      at: hub.now(),
    });
  const calling = {
    team: team?.id ?? request.token ?? "",
    method: request.method,
    channel,
    args: request.args,
  };
  const fault = hub.faults.next(request.method, channel);
  const seconds = hub.rates.refusal(calling);
  if (fault !== null && "hold" in fault && fault.at !== "response") await held(fault);
  const failed = fault === null ? null : before(fault);
  if (failed !== null) {
    note(failed.note);
    if (fault !== null && "retryAfter" in fault)
      hub.rates.order(calling, fault.retryAfter, fault.wholeMethod !== true && channel !== null);
    return failed.answer;
  }
  if (seconds !== null) {
    note("ratelimited");
    return tooMany(seconds);
  }
  const done = run(hub, request);
  note(done.error);
  if (fault !== null && "hold" in fault && fault.at === "response") await held(fault);
  return fault !== null && "lose" in fault ? { kind: "reset" } : json(200, done.body, scopeHeaders(team));
}

/** What a fault answers before anything is done. */
function before(fault: Fault): { note: string; answer: Answer } | null {
  if ("http" in fault)
    return { note: `http ${fault.http}`, answer: json(fault.http, { ok: false, error: "internal_error" }) };
  if ("error" in fault) return { note: fault.error, answer: json(200, { ok: false, error: fault.error }) };
  if ("retryAfter" in fault) return { note: "ratelimited", answer: tooMany(fault.retryAfter) };
  if ("lose" in fault && fault.lose === "request") return { note: "request lost", answer: { kind: "reset" } };
  return null;
}

const tooMany = (seconds: number): Answer =>
  json(429, { ok: false, error: "ratelimited" }, { "retry-after": String(seconds) });

const json = (status: number, body: Json, headers: { [name: string]: string } = {}): Answer => ({
  kind: "json",
  status,
  headers,
  body,
});

function run(hub: Hub, request: Request): { body: Json; error: string | null } {
  try {
    return { body: { ok: true, ...perform(hub, request) }, error: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    hub.ledger.refused(request.method, error.code, error.details);
    return { body: { ok: false, error: error.code, ...error.extra }, error: error.code };
  }
}

function perform(hub: Hub, { method: name, token, args }: Request): Json {
  const holder = holderOf(hub, token);
  const known = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (known === undefined && name !== CONNECT) throw new Refusal("unknown_method", { req_method: name });
  if (holder.kind === "app") {
    if (known !== undefined) throw new Refusal("not_allowed_token_type");
    return { url: connectUrl(hub, holder.app) };
  }
  if (known === undefined) throw new Refusal("not_allowed_token_type");
  if (known.scopes.length > 0) needScope(holder.team, ...known.scopes);
  return known.run({ hub, team: holder.team }, args, name);
}

type Holder = { kind: "bot"; team: Team } | { kind: "app"; app: App };

function holderOf(hub: Hub, token: string | null): Holder {
  if (token === null || token === "") throw new Refusal("not_authed");
  const holder = hub.tokens.get(token);
  if (holder === undefined) throw new Refusal("invalid_auth");
  const refusal = holder.kind === "bot" ? holder.team.refusal : holder.app.refusal;
  if (refusal !== null) throw new Refusal(refusal);
  return holder;
}

/** An address for one socket of this app. */
export function connectUrl(hub: Hub, app: App): string {
  const ticket = randomUUID();
  hub.tickets.set(ticket, app);
  return `${hub.origin().replace("http", "ws")}/link/?ticket=${ticket}&app_id=${app.id}`;
}

function teamOf(hub: Hub, token: string | null): Team | null {
  const holder = token === null ? undefined : hub.tokens.get(token);
  return holder?.kind === "bot" ? holder.team : null;
}

const scopeHeaders = (team: Team | null): { [name: string]: string } =>
  team === null ? {} : { "x-oauth-scopes": [...team.scopes].join(",") };

function channelOf(args: Json): string | null {
  const channel = str(args.channel) || str(args.channel_id) || str(list(args.channels)[0]);
  return channel === "" ? null : channel;
}
