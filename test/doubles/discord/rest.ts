/** REST: from one request to one answer, in the order in which Discord says no. */

import { held } from "../shared/faults.ts";
import type { SentFile } from "./content.ts";
import type { Fault } from "./faults.ts";
import { type Hub, isSnowflake } from "./hub.ts";
import type { TooMany } from "./rates.ts";
import { invalid, Refusal, wrong } from "./refusal.ts";
import { type Match, matched } from "./routes/index.ts";
import type { Json } from "./wire.ts";

export interface Request {
  method: string;
  /** Behind `/api/v10`, as it was sent. */
  path: string;
  search: URLSearchParams;
  token: string | null;
  body: unknown;
  files: SentFile[];
}

export type Answer =
  | { kind: "json"; status: number; headers: { [name: string]: string }; body: Json | Json[] | null }
  | { kind: "reset" };

/** What was done by faults on the way counts neither as an error of the bot nor as done. */
export async function answer(hub: Hub, request: Request): Promise<Answer> {
  const match = matched(request);
  const { route, channel, body, major } = match;
  const note = (error: string | null) =>
    hub.ledger.call({ method: route, team: null, channel, args: body, error, at: hub.now() });
  const calling = { route, major, body };
  const fault = hub.faults.next(route, channel);
  const tooMany = hub.rates.refusal(calling);
  if (fault !== null && "hold" in fault && fault.at !== "response") await held(fault);
  if (fault !== null && "retryAfter" in fault) {
    const ordered: TooMany = { seconds: fault.retryAfter, scope: fault.scope ?? "user" };
    hub.rates.order(calling, ordered);
    note("429");
    return refusedFor(ordered);
  }
  const failed = fault === null ? null : before(fault);
  if (failed !== null) {
    note(failed.note);
    return failed.answer;
  }
  if (tooMany !== null) {
    note("429");
    return refusedFor(tooMany);
  }
  const done = run(hub, request, match);
  note(done.error);
  if (done.seconds !== null) {
    hub.rates.order(calling, { seconds: done.seconds, scope: "user" });
    return refusedFor({ seconds: done.seconds, scope: "user" }, done.body);
  }
  if (fault !== null && "hold" in fault && fault.at === "response") await held(fault);
  if (fault !== null && "lose" in fault) return { kind: "reset" };
  return json(done.status, done.body, hub.rates.headers(calling));
}

/** What a fault answers before anything is done. */
function before(fault: Fault): { note: string; answer: Answer } | null {
  if ("http" in fault)
    return { note: `http ${fault.http}`, answer: json(fault.http, { message: `${fault.http}`, code: 0 }) };
  if ("code" in fault)
    return {
      note: String(fault.code),
      answer: json(fault.status, new Refusal(fault.code).body()),
    };
  if ("lose" in fault && fault.lose === "request") return { note: "request lost", answer: { kind: "reset" } };
  return null;
}

const refusedFor = (
  { seconds, scope }: TooMany,
  said: Done["body"] = { message: "You are being rate limited." },
): Answer =>
  json(
    429,
    { ...said, retry_after: seconds, global: scope === "global" },
    {
      "retry-after": String(Math.ceil(seconds)),
      "x-ratelimit-scope": scope,
      "x-ratelimit-reset-after": String(seconds),
      ...(scope === "global" ? { "x-ratelimit-global": "true" } : {}),
    },
  );

const json = (
  status: number,
  body: Json | Json[] | null,
  headers: { [name: string]: string } = {},
): Answer => ({ kind: "json", status, headers, body });

const IDS = new Set(["app", "channel", "guild", "interaction", "message", "user"]);

/** `@me` and `@original` stand for ids. */
function needSnowflakes(ids: Match["ids"]): void {
  const wrongly = Object.entries(ids).filter(
    ([name, id]) => IDS.has(name) && !id.startsWith("@") && !isSnowflake(id),
  );
  if (wrongly.length > 0)
    throw invalid(...wrongly.map(([name]) => wrong([`${name}_id`], "NUMBER_TYPE_COERCE", "Not snowflake.")));
}

interface Done {
  status: number;
  body: Json | Json[] | null;
  error: string | null;
  seconds: number | null;
}

function run(hub: Hub, request: Request, match: Match): Done {
  try {
    const body = perform(hub, request, match);
    return { status: body === null ? 204 : match.status, body, error: null, seconds: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    hub.ledger.refused(match.route, String(error.code), error.details());
    const { status, code, seconds } = error;
    return { status, body: error.body(), error: String(code), seconds };
  }
}

function perform(hub: Hub, request: Request, match: Match): Json | Json[] | null {
  if (match.run === null) throw new Refusal(404);
  const { token } = hub.app;
  if (!match.open && (hub.app.revoked || request.token !== `Bot ${token}`)) throw new Refusal(401);
  if (request.body === undefined) throw new Refusal(50109);
  needSnowflakes(match.ids);
  const { search, files } = request;
  return match.run({ hub, ids: match.ids, body: match.body, search, files });
}
