/** What becomes of replies: an outcome counts as taken once its reply has left, and not when the client refused it. */
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Result } from "../../core/gate.ts";
import type { McpParts, Reply } from "./mcp-ports.ts";

/** Replies that the client may still refuse because its cancellation was on the way. */
const REMEMBERED = 20;

export class Receipts {
  private readonly parts: McpParts;
  /** Call → the rounds whose outcomes it gives. */
  private readonly claims = new Map<RequestId, string[]>();
  private readonly unsent = new Map<RequestId, Reply>();
  private readonly given = new Map<RequestId, Result[]>();
  private readonly acknowledging = new Set<Promise<void>>();
  private refused: Result[] = [];

  constructor(parts: McpParts) {
    this.parts = parts;
  }

  claim(id: RequestId, rounds: string[]): void {
    this.claims.set(id, [...(this.claims.get(id) ?? []), ...rounds]);
  }

  isClaimed(id: RequestId, round: string): boolean {
    return [...this.claims].some(([other, rounds]) => other !== id && rounds.includes(round));
  }

  /** Outcomes that were on their way when the client cancelled their call. */
  crossed(): Result[] {
    return this.refused;
  }

  /** The reply to a call is about to be sent. */
  owe(id: RequestId, reply: Reply): void {
    this.unsent.set(id, reply);
  }

  sent(id: RequestId): void {
    const reply = this.unsent.get(id);
    this.unsent.delete(id);
    if (reply === undefined) {
      this.release(id);
      return;
    }
    this.refused = this.refused.filter((result) => !reply.outcomes.includes(result));
    this.remember(id, reply.outcomes);
    const done = this.acknowledge(reply).finally(() => {
      this.release(id);
      this.acknowledging.delete(done);
    });
    this.acknowledging.add(done);
  }

  /** A call that was answered may be cancelled as well: the two crossed, and the client never saw the answer. */
  cancelled(id: RequestId): void {
    this.refused.push(...(this.given.get(id) ?? []));
    this.given.delete(id);
    this.drop(id);
  }

  /** No reply to this call is sent. */
  drop(id: RequestId): void {
    this.unsent.delete(id);
    this.release(id);
  }

  /** Resolves when the gate knows of all that was sent: nothing of it is given again then. */
  async settled(): Promise<void> {
    await Promise.all(this.acknowledging);
  }

  private release(id: RequestId): void {
    this.claims.delete(id);
  }

  private remember(id: RequestId, outcomes: Result[]): void {
    if (outcomes.length > 0) this.given.set(id, outcomes);
    const [oldest] = this.given.keys();
    if (this.given.size > REMEMBERED && oldest !== undefined) this.given.delete(oldest);
  }

  private async acknowledge({ receipts }: Reply): Promise<void> {
    for (const { session, carries } of receipts) {
      if (carries.rounds.length + carries.messages.length === 0) continue;
      try {
        await (await this.parts.gate()).acknowledge(session, carries);
      } catch (error) {
        const { message } = this.parts.explain(error);
        this.parts.say(
          `askgate: the bot did not learn that an answer was taken, it may come again: ${message}`,
        );
      }
    }
  }
}
