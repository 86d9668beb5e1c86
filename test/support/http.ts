/** Requests as an attacker would write them: any header, any body, no browser in between. */
import { type IncomingHttpHeaders, request } from "node:http";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends to `port` of this machine. Resolves once the head is there where `headOnly`, else with the whole reply. */
export const send = (
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Sending = {},
  headOnly = false,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const reply = (): Reply => ({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(chunks).toString("utf8"),
      });
      if (headOnly) {
        resolve(reply());
        response.destroy();
        return;
      }
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => resolve(reply()));
      response.once("error", reject);
    });
    asked.once("error", reject);
    asked.end(body);
  });
