/**
 * Bolt's ear. Bolt acknowledges messages before any listener runs; here each envelope is acknowledged when its listeners are
 * done and everything is saved. What could not be saved is not acknowledged: Slack sends it again.
 */
import type { App, Receiver } from "@slack/bolt";
import type { Log } from "../../core/ports.ts";
import type { Incoming } from "./wire.ts";

export class SavingReceiver implements Receiver {
  readonly #log: Log;
  #app: App | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  init(app: App): void {
    this.#app = app;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  /** Never throws: whatever goes wrong with one envelope is noted and ends there. */
  async take({ ack, body, type, retry_num, retry_reason }: Incoming): Promise<void> {
    const isEvent = type === "events_api";
    try {
      await this.#app?.processEvent({
        body,
        ack: isEvent ? async () => {} : ack,
        ...(retry_num === undefined ? {} : { retryNum: retry_num }),
        ...(retry_reason === undefined ? {} : { retryReason: retry_reason }),
      });
      if (isEvent) await ack();
    } catch (error) {
      this.#log.warn("something from Slack was not acknowledged", { type, error });
    }
  }
}
