/** Sockets for the double's own tests: one without manners of its own, and the real client's. */
import { SocketModeClient } from "@slack/socket-mode";
import { WebSocket } from "ws";
import type { Channel, Message, Person } from "./index.ts";
import { client, quiet, type Scene, scene } from "./testing.ts";
import { type Json, parse, record } from "./wire.ts";

/** A socket that acknowledges only what it is told to. */
export interface Raw {
  socket: WebSocket;
  /** What came and nobody asked for yet. */
  frames: Json[];
  /** The next frame that fits, also one that came already. */
  frame(fits: (frame: Json) => boolean): Promise<Json>;
  ack(frame: Json, payload?: Json): void;
  closed: Promise<void>;
}

export const isHello = (frame: Json): boolean => frame.type === "hello";
export const isEvent = (frame: Json): boolean => frame.type === "events_api";
export const isInteractive = (frame: Json): boolean => frame.type === "interactive";
export const isDisconnect = (frame: Json): boolean => frame.type === "disconnect";

export interface SocketScene extends Scene {
  ana: Person;
  plans: Channel;
  address(): Promise<string>;
  raw(url?: string): Promise<Raw>;
  /** A raw socket that was greeted. */
  ready(): Promise<Raw>;
  socketClient(): Promise<SocketModeClient>;
  /** A message with the button Go. */
  posted(): Promise<Message>;
  end(): Promise<void>;
}

/** A Slack that waits for acknowledgements long enough for this machine, and short enough for a test. */
export async function socketScene(): Promise<SocketScene> {
  const base = await scene({ ackMs: 400, retryMs: [0, 50], pingMs: 100, factor: Number.POSITIVE_INFINITY });
  const { slack, acme } = base;
  const ana = acme.person({ id: "U1", name: "Ana" });
  const plans = acme.channel({ id: "C1", name: "plans", members: [ana, acme.bot] });
  const clients: SocketModeClient[] = [];
  const raws: Raw[] = [];
  const address = async () => (await client(slack, acme.appToken).apps.connections.open()).url ?? "";
  const raw = async (url?: string) => {
    const made = openRaw(url ?? (await address()));
    raws.push(made);
    return made;
  };
  return {
    ...base,
    ana,
    plans,
    address,
    raw,
    async ready() {
      const made = await raw();
      await made.frame(isHello);
      return made;
    },
    async socketClient() {
      const made = realClient(base);
      clients.push(made);
      await made.start();
      return made;
    },
    posted: () => posted(base, plans),
    async end() {
      await Promise.all(clients.map((one) => one.disconnect()));
      for (const one of raws) one.socket.terminate();
      await slack.stop();
    },
  };
}

function openRaw(url: string): Raw {
  const socket = new WebSocket(url);
  const frames: Json[] = [];
  const waiting = new Set<() => void>();
  socket.on("error", () => {});
  socket.on("message", (data) => {
    frames.push(record(parse(data.toString())));
    for (const wake of waiting) wake();
  });
  return {
    socket,
    frames,
    frame: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = frames.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          frames.splice(frames.indexOf(found), 1);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    ack: (one, payload) => socket.send(JSON.stringify({ envelope_id: one.envelope_id, payload })),
    closed: new Promise((resolve) => socket.once("close", () => resolve())),
  };
}

const realClient = ({ slack, acme }: Scene): SocketModeClient =>
  new SocketModeClient({
    appToken: acme.appToken,
    logger: quiet,
    clientPingTimeout: 200,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });

async function posted({ web }: Scene, plans: Channel): Promise<Message> {
  const button = { type: "button", action_id: "go", text: { type: "plain_text", text: "Go" } };
  const blocks = [{ type: "actions", elements: [button] }];
  await web.apiCall("chat.postMessage", { channel: plans.id, text: "a", blocks });
  const message = plans.messages().at(-1);
  if (message === undefined) throw new Error("nothing was posted");
  return message;
}
