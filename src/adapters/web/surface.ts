/**
 * The web surface: HTTP on this machine alone, one page per session. It checks who asks, streams the cards of the gate
 * and hands presses over; it keeps nothing but its port and its key.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { AskgateError } from "../../core/error.ts";
import type { Gate, Link } from "../../core/gate.ts";
import type { Log } from "../../core/ports.ts";
import { type Access, createAccess, isFromPage, isOwn } from "./access.ts";
import { type Assets, readAssets } from "./assets.ts";
import { keep, readKept } from "./kept.ts";
import { parseEntry, parseLocale, parsePress, parseRoute, type Route } from "./parse.ts";
import { LIMITS, renderFrame } from "./render.ts";
import { drained, HEADERS, readBody, refuse, sendAsset, sendShell } from "./reply.ts";

const HOST = "127.0.0.1";
const NOTHING = "There is nothing here.";
/** A stream says this often that it is alive, so that the page notices a sleeping machine or a lost forward. */
const BEAT_MS = 10_000;

export interface WebParts {
  gate: Pick<Gate, "watch" | "act">;
  /** Where port and key are kept. */
  stateDir: string;
  log: Log;
  /** The folder of the bundled page (`dist/page`). */
  assets: string;
  now?: () => number;
}

export interface Web {
  port: number;
  /** The link to a session's page, in the language of `locale` where one is given. */
  page(session: string, locale?: string): Link;
  close(): Promise<void>;
}

/** Starts the surface, on the port it had before unless somebody else took it. */
export async function serveWeb({ gate, stateDir, log, assets, now = Date.now }: WebParts): Promise<Web> {
  const kept = readKept(stateDir);
  const access = createAccess(kept.key, now);
  const closing = new AbortController();
  const on: On = { gate, log, access, assets: readAssets(assets), closing: closing.signal };
  const server = createServer((request, response) => {
    handle(on, request, response).catch((error: unknown) => fail(on, response, error));
  });
  const port = await listen(server, kept.port, log);
  if (port !== kept.port) keep(stateDir, { ...kept, port });
  return {
    port,
    page: (session, locale) => linkTo(`http://${HOST}:${port}`, { access, session, locale }),
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface On {
  gate: WebParts["gate"];
  log: Log;
  access: Access;
  assets: Assets;
  closing: AbortSignal;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
}

function linkTo(base: string, on: { access: Access; session: string; locale: string | undefined }): Link {
  const query = langQuery(on.locale ?? null);
  return {
    surface: "web",
    label: "the browser",
    url: `${base}/${query}#${on.session}.${on.access.secret(on.session)}`,
    open: `${base}/t/${on.access.ticket(on.session)}${query}`,
  };
}

const langQuery = (locale: string | null): string => {
  const lang = parseLocale(locale);
  return lang === "" ? "" : `?lang=${lang}`;
};

async function listen(server: Server, wanted: number, log: Log): Promise<number> {
  const tryPort = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, HOST, () => {
        server.off("error", reject);
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  try {
    return await tryPort(wanted);
  } catch (error) {
    if (wanted === 0) throw error;
    log.warn("the page's port is taken, so links printed before stop working", { port: wanted });
    return await tryPort(0);
  }
}

async function handle(on: On, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  if (!isOwn(request.headers)) return refuse(response, 403, "Only this machine's own browser is served.");
  const [path = "", search = ""] = (request.url ?? "").split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const route = parseRoute(request.method ?? "", path);
  if (route === null) return refuse(response, 404, NOTHING);
  return answer(on, route, { request, response, query });
}

async function answer(on: On, route: Route, exchange: Exchange): Promise<void> {
  const { request, response, query } = exchange;
  const asset = route.kind === "asset" ? on.assets.files.get(route.name) : undefined;
  switch (route.kind) {
    case "shell":
      return sendShell(on.assets.version, response, 200);
    case "asset":
      return asset === undefined ? refuse(response, 404, NOTHING) : sendAsset(asset, response);
    case "ticket":
      return redeem(on, route.ticket, exchange);
    case "enter":
      return isFromPage(request.headers) ? enter(on, exchange) : refuse(response, 403, "Not from here.");
    case "stream":
    case "act":
      if (!isFromPage(request.headers)) return refuse(response, 403, "Not from here.");
      if (!on.access.admits(route.session, request.headers.cookie)) {
        return refuse(response, 401, "Open the link that the command printed.");
      }
      return (route.kind === "act" ? act : stream)(
        on,
        { session: route.session, locale: parseLocale(query.get("lang")) },
        exchange,
      );
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof AskgateError && error.code === "unknown_round";

function fail(on: On, response: ServerResponse, error: unknown): void {
  if (!isUnknown(error)) on.log.error("the page could not be served", { error });
  if (response.headersSent) response.destroy();
  else if (isUnknown(error)) refuse(response, 404, "This session is not known here.");
  else refuse(response, 503, "The bot could not do that just now.");
}

/** A used or old ticket shows the shell all the same: the page says which link to open instead. */
function redeem(on: On, ticket: string, { response, query }: Exchange): void {
  const session = on.access.redeem(ticket);
  if (session === null) {
    sendShell(on.assets.version, response, 410);
    return;
  }
  response.writeHead(303, {
    "Set-Cookie": on.access.cookie(session),
    Location: `/s/${session}${langQuery(query.get("lang"))}`,
  });
  response.end();
}

async function enter(on: On, { request, response }: Exchange): Promise<void> {
  const body = await readBody(request, response);
  if (body === null) return;
  const entry = parseEntry(body);
  if (entry === null || !on.access.knows(entry.session, entry.secret)) {
    return refuse(response, 401, "This link opens nothing here.");
  }
  response.writeHead(204, { "Set-Cookie": on.access.cookie(entry.session) });
  response.end();
}

/** A session as one person sees it: in their language. */
interface Reader {
  session: string;
  locale: string;
}

async function act(on: On, { session, locale }: Reader, { request, response }: Exchange): Promise<void> {
  const body = await readBody(request, response);
  if (body === null) return;
  const press = parsePress(body);
  if (press === null) return refuse(response, 400, "This is no press.");
  const given = await on.gate.act(session, { ...press, locale });
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(given));
}

async function stream(on: On, to: Reader, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, on.closing]);
  const view = { surface: "web" as const, limits: LIMITS, locale: to.locale };
  const beat = setInterval(() => response.headersSent && response.write(": alive\n\n"), BEAT_MS);
  try {
    for await (const frame of on.gate.watch(to.session, view, signal)) {
      if (!response.headersSent) response.writeHead(200, streamHeaders(on));
      if (!response.write(renderFrame(frame))) await drained(response);
    }
    response.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(beat);
  }
}

const streamHeaders = (on: On): Record<string, string> => ({
  "Content-Type": "text/event-stream; charset=utf-8",
  "X-Askgate-Page": on.assets.version,
});
