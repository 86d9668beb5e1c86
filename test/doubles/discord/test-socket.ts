/** A bare socket to the gateway, for what the real client never does. */
import { WebSocket } from "ws";
import type { Discord } from "./index.ts";
import { type Json, parse, record } from "./wire.ts";

export interface TestSocket {
  /** All frames that came, in order. */
  frames: Json[];
  send(frame: unknown): void;
  /** Resolves with the next frame that this holds for, those that came already too. */
  frame(holds: (frame: Json) => boolean): Promise<Json>;
  /** The code it was closed with. */
  closed: Promise<number>;
  close(): void;
}

export function testSocket(discord: Discord, query = "?v=10&encoding=json"): TestSocket {
  const socket = new WebSocket(`${discord.apiUrl.replace("http", "ws").replace("/api", "/gateway")}${query}`);
  const frames: Json[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    frames.push(record(parse(data.toString())));
    for (const look of waiting) look();
  });
  return {
    frames,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    frame: (holds) =>
      new Promise((resolve) => {
        const look = () => {
          const found = frames.find(holds);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    closed: new Promise((resolve) => {
      socket.on("close", (code) => resolve(code));
    }),
    close: () => socket.close(1000),
  };
}

export const identify = (discord: Discord, more: Json = {}): Json => ({
  op: 2,
  d: { token: discord.token, intents: 33_281, properties: { os: "a", browser: "b", device: "c" }, ...more },
});

export const resume = (discord: Discord, more: Json): Json => ({
  op: 6,
  d: { token: discord.token, seq: 1, ...more },
});
