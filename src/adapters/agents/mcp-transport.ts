/** The wire to the client: when a reply has left, when it was refused, and when the client is gone. */
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";

/** Standard input and output. It closes when the client closes its end, and a reply has left once it is written in full. */
export class Stdio extends StdioServerTransport {
  private readonly input: Readable;
  private readonly output: Writable;

  constructor(input: Readable, output: Writable) {
    super(input, output);
    this.input = input;
    this.output = output;
  }

  override async start(): Promise<void> {
    const gone = (): void => void this.close();
    this.output.on("error", gone);
    this.input.once("end", gone).once("close", gone);
    await super.start();
  }

  override send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.output.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }
}

export interface Watcher {
  /** The reply to this request is with the client. */
  sent(id: RequestId): void;
  /** The client cancels this request, whether it is answered or not. */
  cancelled(id: RequestId): void;
  /** The client is gone; before anything else hears of it. */
  closed(): void;
}

/** Tells the watcher what passes through a transport. */
export function watched(transport: Transport, watcher: Watcher): Transport {
  const outer: Transport = {
    async start() {
      transport.onmessage = (message, extra) => {
        const id = cancelledBy(message);
        if (id !== undefined) watcher.cancelled(id);
        outer.onmessage?.(message, extra);
      };
      transport.onerror = (error) => outer.onerror?.(error);
      transport.onclose = () => {
        watcher.closed();
        outer.onclose?.();
      };
      await transport.start();
    },
    async send(message, options) {
      await transport.send(message, options);
      const isReply = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
      if (isReply && message.id !== undefined) watcher.sent(message.id);
    },
    close: () => transport.close(),
  };
  return outer;
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
