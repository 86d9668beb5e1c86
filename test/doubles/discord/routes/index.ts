/** All routes, and which one a request is for. */
import type { Request } from "../rest.ts";
import { isJson, type Json } from "../wire.ts";
import { app } from "./app.ts";
import { callbacks } from "./callbacks.ts";
import { channels } from "./channels.ts";
import { guilds } from "./guilds.ts";
import { messages } from "./messages.ts";
import type { Route, Routes } from "./route.ts";
import { threads } from "./threads.ts";
import { webhooks } from "./webhooks.ts";

const OPEN: Routes = { ...callbacks, ...webhooks };
const ROUTES: Routes = { ...app, ...channels, ...guilds, ...messages, ...threads, ...OPEN };
const PATTERNS = Object.entries(ROUTES).map(([pattern, run]) => ({
  pattern,
  parts: pattern.split("/"),
  run,
}));

export interface Match {
  /** As tests name it: `POST /channels/:channel/messages`. */
  route: string;
  ids: { [name: string]: string };
  /** Of the call, where there is one. */
  channel: string | null;
  major: string;
  body: Json;
  status: number;
  /** Whether it is answered without the bot's token. */
  open: boolean;
  run: Route | null;
}

export function matched({ method, path, body }: Request): Match {
  const asked = `${method} ${path}`.split("/");
  const json = isJson(body) ? body : Array.isArray(body) ? { list: body } : {};
  for (const { pattern, parts, run } of PATTERNS) {
    const ids = idsOf(parts, asked);
    if (ids === null) continue;
    const { channel = null, guild, token = "" } = ids;
    return {
      route: pattern,
      ids,
      channel,
      major: channel ?? guild ?? token,
      body: json,
      status: pattern.startsWith("POST ") && pattern.endsWith("/threads") ? 201 : 200,
      open: OPEN[pattern] !== undefined,
      run,
    };
  }
  const route = `${method} ${path}`;
  return { route, ids: {}, channel: null, major: "", body: json, status: 404, open: true, run: null };
}

function idsOf(parts: string[], asked: string[]): { [name: string]: string } | null {
  if (parts.length !== asked.length) return null;
  const ids: { [name: string]: string } = {};
  for (const [index, part] of parts.entries()) {
    const given = decoded(asked[index] ?? "");
    if (part.startsWith(":")) ids[part.slice(1)] = given;
    else if (part !== given) return null;
  }
  return ids;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
