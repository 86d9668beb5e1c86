/** The one port: REST, the gateway's sockets, and the files of messages. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { failed, readAll } from "../shared/port.ts";
import type { SentFile } from "./content.ts";
import type { Hub } from "./hub.ts";
import { LIMITS } from "./limits.ts";
import { type Answer, answer } from "./rest.ts";
import { parse } from "./wire.ts";

const API = "/api/v10";

export function createDiscordServer(hub: Hub): Server {
  const server = createServer((request, response) => {
    serve(hub, request, response).catch((error: unknown) => {
      failed(hub.ledger, request, error);
      response.destroy();
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(request.url ?? "", hub.origin());
    if (!/^\/(?:gateway|resume)\/?$/.test(pathname)) {
      hub.ledger.violation(`no gateway is at ${pathname}`);
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
      return;
    }
    if (!hub.gateway.reachable) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => hub.gateway.accept(opened, searchParams));
  });
  return server;
}

async function serve(hub: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", hub.origin());
  const type = request.headers["content-type"] ?? "";
  const bytes = await readAll(request);
  if (pathname.startsWith("/attachments/")) return sendFile(hub, pathname, response);
  if (!pathname.startsWith(`${API}/`)) {
    hub.ledger.violation(`nothing is at ${request.method} ${pathname}`);
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: "404: Not Found", code: 0 }));
    return;
  }
  const { body, files } = await bodyOf(bytes, type);
  const said = await answer(hub, {
    method: request.method ?? "GET",
    path: pathname.slice(API.length),
    search: searchParams,
    token: request.headers.authorization ?? null,
    body: bytes.length > LIMITS.requestBytes ? undefined : body,
    files,
  });
  write(response, said);
}

/** A 204 carries nothing, not even a type. */
function write(response: ServerResponse, said: Answer): void {
  if (said.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (said.status === 204) {
    response.writeHead(204, said.headers).end();
    return;
  }
  response.writeHead(said.status, { "content-type": "application/json", ...said.headers });
  response.end(JSON.stringify(said.body));
}

/** JSON, or a form with `payload_json` and `files[n]`; undefined where it is neither. */
async function bodyOf(bytes: Buffer, type: string): Promise<{ body: unknown; files: SentFile[] }> {
  if (bytes.length === 0) return { body: {}, files: [] };
  if (!type.startsWith("multipart/form-data")) {
    const body = type.startsWith("application/json") ? parse(bytes.toString()) : undefined;
    return { body, files: [] };
  }
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const files: SentFile[] = [];
  for (const [key, part] of form) {
    const index = /^files\[(\d+)\]$/.exec(key)?.[1];
    if (typeof part === "string" || index === undefined) continue;
    const content = Buffer.from(await part.arrayBuffer());
    files.push({ index, filename: part.name, contentType: part.type, content });
  }
  const payload = form.get("payload_json");
  return { body: payload === null ? {} : parse(typeof payload === "string" ? payload : ""), files };
}

function sendFile(hub: Hub, pathname: string, response: ServerResponse): void {
  const [, , channel = "", id] = pathname.split("/");
  const log = hub.rooms.get(channel)?.log ?? [];
  const file = log.flatMap(({ attachments }) => attachments).find((one) => one.id === id);
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": file.contentType || "application/octet-stream" });
  response.end(file.content);
}
