/** Requests of the page → what the gate takes. Pure; null is anything that is not well formed. */
import type { LocalPress } from "../../core/gate.ts";
import { ACT, ENTER, parseJson } from "./wire.ts";

export function parsePress(body: string): LocalPress | null {
  const parsed = ACT.safeParse(parseJson(body));
  return parsed.success ? { ...parsed.data, surface: "web" } : null;
}

export function parseEntry(body: string): { session: string; secret: string } | null {
  const parsed = ENTER.safeParse(parseJson(body));
  return parsed.success ? parsed.data : null;
}

/** A language tag that may be passed on; "" for anything else. */
export const parseLocale = (tag: string | null): string =>
  tag !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(tag) ? tag : "";

/** What a path asks for. A session's id is only checked for its shape: its cookie proves the rest. */
export type Route =
  | { kind: "shell" }
  | { kind: "asset"; name: string }
  | { kind: "ticket"; ticket: string }
  | { kind: "enter" }
  | { kind: "stream" | "act"; session: string };

export function parseRoute(method: string, path: string): Route | null {
  const asset = /^\/assets\/([a-z]+\.(?:js|css))$/.exec(path)?.[1];
  const ticket = /^\/t\/([\w-]{1,64})$/.exec(path)?.[1];
  const [, session, rest] = /^\/s\/([\w-]{1,80})(?:\/(stream|act))?$/.exec(path) ?? [];
  if (method === "POST") {
    if (path === "/enter") return { kind: "enter" };
    return session !== undefined && rest === "act" ? { kind: "act", session } : null;
  }
  if (method !== "GET") return null;
  if (asset !== undefined) return { kind: "asset", name: asset };
  if (ticket !== undefined) return { kind: "ticket", ticket };
  if (session !== undefined && rest === "stream") return { kind: "stream", session };
  return path === "/" || (session !== undefined && rest === undefined) ? { kind: "shell" } : null;
}
