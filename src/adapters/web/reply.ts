/** What every answer of the page's server has in common, and the body of a request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Asset } from "./assets.ts";
import { renderShell } from "./render.ts";

const BODY_BYTES = 256 * 1024;

/** Strict for everything: no page of ours needs more, and none may be framed or send data elsewhere. */
export const HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "img-src data:",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

export function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end(`${text}\n`);
}

export function sendShell(version: string, response: ServerResponse, status: number): void {
  response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" });
  response.end(renderShell(version));
}

export function sendAsset(asset: Asset, response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": asset.type });
  response.end(asset.bytes);
}

/** The body as text; null when it was refused (not JSON, too long), which has been answered then. */
export async function readBody(request: IncomingMessage, response: ServerResponse): Promise<string | null> {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    refuse(response, 415, "Only JSON is taken.");
    return null;
  }
  const chunks: Buffer[] = [];
  let bytes = Number(request.headers["content-length"] ?? 0);
  if (bytes <= BODY_BYTES) {
    bytes = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES) break;
      chunks.push(chunk);
    }
  }
  if (bytes <= BODY_BYTES) return Buffer.concat(chunks).toString("utf8");
  refuse(response, 413, "That is more text than the page may send.");
  return null;
}

/** Resolves when the reader has caught up, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
    if (response.destroyed) done();
  });
}
