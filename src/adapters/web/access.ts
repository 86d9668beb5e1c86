/**
 * Who may see a session's page. A link carries a secret in its fragment, or a ticket that works once; both are exchanged
 * for a cookie that belongs to one session. Everything is derived from one key, so a restart invalidates nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const TICKET_MS = 60_000;
const COOKIE_SECONDS = 7 * 24 * 60 * 60;

export interface Access {
  /** The secret of a session's link. */
  secret(session: string): string;
  knows(session: string, secret: string): boolean;
  /** The value of `Set-Cookie` that opens this session, and no other. */
  cookie(session: string): string;
  admits(session: string, cookies: string | undefined): boolean;
  /** Opens the session once, within a minute. */
  ticket(session: string): string;
  /** The session of a ticket, which is used up by this; null for one that is unknown, used or too old. */
  redeem(ticket: string): string | null;
}

export function createAccess(key: string, now: () => number): Access {
  const tickets = new Map<string, { session: string; until: number }>();
  const derive = (use: string, session: string): string =>
    createHmac("sha256", Buffer.from(key, "base64url")).update(`${use}\0${session}`).digest("base64url");
  const dropOld = (): void => {
    for (const [ticket, { until }] of tickets) if (until < now()) tickets.delete(ticket);
  };
  return {
    secret: (session) => derive("link", session),
    knows: (session, secret) => same(secret, derive("link", session)),
    cookie: (session) =>
      `${cookieName(session)}=${derive("cookie", session)}; Path=/s/${session}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict`,
    admits: (session, cookies) =>
      valuesOf(cookies, cookieName(session)).some((value) => same(value, derive("cookie", session))),
    ticket(session) {
      dropOld();
      const ticket = randomBytes(24).toString("base64url");
      tickets.set(ticket, { session, until: now() + TICKET_MS });
      return ticket;
    },
    redeem(ticket) {
      dropOld();
      const found = tickets.get(ticket);
      tickets.delete(ticket);
      return found?.session ?? null;
    },
  };
}

/**
 * Whether a request comes from this machine's own browser, by any loopback name and any port (SSH forwards change it).
 * A page of another origin is refused, and so is a name that only resolves to this machine (DNS rebinding).
 */
export function isOwn(headers: IncomingHttpHeaders): boolean {
  const { host, origin } = headers;
  if (host === undefined || !isLoopback(host)) return false;
  return origin === undefined || origin === `http://${host}`;
}

/** Whether a request for data comes from the page itself, not from a link or a frame elsewhere. */
export const isFromPage = (headers: IncomingHttpHeaders): boolean =>
  ["same-origin", "none", undefined].includes(headers["sec-fetch-site"]?.toString());

const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);

const cookieName = (session: string): string => `askgate_${session}`;

const valuesOf = (cookies: string | undefined, name: string): string[] =>
  (cookies ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
