/** A server on a port of this machine that is free. */
import type { IncomingMessage, Server } from "node:http";

/** `http://127.0.0.1:PORT` */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Waits for nobody. */
export const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Something went wrong while a request was served; one that broke off before its end, as when its sender was killed, never came. */
export function failed(
  ledger: { violation(text: string): void },
  request: IncomingMessage,
  error: unknown,
): void {
  if (!request.complete) return;
  ledger.violation(`the double itself failed: ${error instanceof Error ? error.stack : error}`);
}

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
