/** The one port: Web API, uploads, response urls and the sockets of Socket Mode. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { failed, readAll } from "../shared/port.ts";
import { answerHook } from "./hooks.ts";
import type { Hub } from "./hub.ts";
import type { Link } from "./link.ts";
import { type Answer, answer } from "./web-api.ts";
import { type Json, parse, record, str } from "./wire.ts";

export function createSlackServer(hub: Hub): Server {
  const server = createServer((request, response) => {
    serve(hub, request, response).catch((error: unknown) => {
      failed(hub.ledger, request, error);
      response.destroy();
    });
  });
  const sockets = new WebSocketServer({ noServer: true, autoPong: false });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const link = ticketed(hub, request);
    if (link === null) socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
    else sockets.handleUpgrade(request, socket, head, (opened) => link.accept(opened));
  });
  return server;
}

/** The app that the address was given to; an address works once. */
function ticketed(hub: Hub, request: IncomingMessage): Link | null {
  const url = new URL(request.url ?? "", hub.origin());
  const ticket = url.searchParams.get("ticket") ?? "";
  const app = hub.tickets.get(ticket);
  hub.tickets.delete(ticket);
  if (app === undefined)
    hub.ledger.violation("a socket was opened with an address that was never given out, or twice");
  return app === undefined ? null : (hub.links.get(app.id) ?? null);
}

async function serve(hub: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", hub.origin());
  const type = request.headers["content-type"] ?? "";
  const body = await readAll(request);
  if (pathname.startsWith("/upload/")) {
    await takeUpload(hub, pathname, { body, type }, response);
  } else if (pathname.startsWith("/hooks/")) {
    const said = await answerHook(hub, pathname, parse(body.toString()));
    write(response, said);
  } else if (pathname.startsWith("/api/")) {
    const args = { ...Object.fromEntries(searchParams), ...argsOf(body.toString(), type) };
    const token = bearer(request) ?? (str(args.token) || null);
    const said = await answer(hub, { method: pathname.slice("/api/".length), token, args });
    write(response, said);
  } else {
    hub.ledger.violation(`nothing is at ${pathname}`);
    response.writeHead(404).end();
  }
}

function write(response: ServerResponse, said: Answer): void {
  if (said.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(said.status, { "content-type": "application/json; charset=utf-8", ...said.headers });
  response.end(JSON.stringify(said.body));
}

const argsOf = (body: string, type: string): Json =>
  type.startsWith("application/json") ? record(parse(body)) : Object.fromEntries(new URLSearchParams(body));

const bearer = (request: IncomingMessage): string | null =>
  /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null;

/** The bytes of a file: as they are, or as the only part of a form. */
async function takeUpload(
  hub: Hub,
  path: string,
  sent: { body: Buffer; type: string },
  response: ServerResponse,
): Promise<void> {
  const fault = hub.faults.next("upload", null);
  if (fault !== null && "http" in fault) {
    response.writeHead(fault.http).end();
    return;
  }
  if (fault !== null && "lose" in fault && fault.lose === "request")
    return write(response, { kind: "reset" });
  const file = hub.uploads.get(path);
  const content = await contentOf(sent);
  if (file === undefined || content.length !== file.size) {
    hub.ledger.violation(
      file === undefined
        ? `an upload to an address never given out: ${path}`
        : `an upload of ${content.length} bytes where ${file.size} were announced: ${file.name}`,
    );
    response.writeHead(400).end("upload refused");
    return;
  }
  file.content = content;
  file.state = "uploaded";
  response.writeHead(200, { "content-type": "text/plain" }).end(`OK - ${content.length}`);
}

async function contentOf({ body, type }: { body: Buffer; type: string }): Promise<Buffer> {
  if (!type.startsWith("multipart/form-data")) return body;
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  for (const [, part] of form) if (typeof part !== "string") return Buffer.from(await part.arrayBuffer());
  return Buffer.alloc(0);
}
