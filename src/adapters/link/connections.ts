/** Connections to chat platforms, as every program outside the bot adds and looks after them. */
import { AskgateError } from "../../core/error.ts";
import type { Check } from "../../core/surface.ts";
import type { Caller } from "./client.ts";
import { lines, refusal, type Trouble } from "./exchange.ts";
import { CHECKED, type CheckBody, type Connections, type Refused } from "./protocol.ts";
import type { Reach } from "./reach.ts";
import { countTroubles } from "./troubles.ts";

export const connectionsThrough = (reach: Reach, call: Caller): Connections => ({
  connect: (credentials) => call("connect", { credentials }),
  list: () => call("connections", {}),
  pair: (body) => call("pair", body),
  paired: (body) => call("paired", body),
  check: (body) => check(reach, body),
});

/** Begun again with the next bot as long as nothing has come. */
async function* check(reach: Reach, body: CheckBody): AsyncGenerator<Check> {
  const troubles = countTroubles();
  for (let trouble = yield* checks(reach, body); trouble !== null; trouble = yield* checks(reach, body)) {
    await reach.recover(trouble, troubles);
  }
}

/** What one bot finds; returns what kept it from beginning, null when it came to the end. */
async function* checks(reach: Reach, body: CheckBody): AsyncGenerator<Check, Trouble | null> {
  let begun = false;
  try {
    const reply = await reach.send("check", body);
    if (reply.kind !== "answered") return reply;
    for await (const line of lines(reply.body)) {
      const message: Check | Refused | typeof CHECKED | null = JSON.parse(line);
      if (message === null) continue;
      if (message === CHECKED) return null;
      if ("error" in message) {
        const trouble = refusal(line);
        if (begun) throw lost(trouble);
        return trouble;
      }
      begun = true;
      yield message;
    }
    throw new Error("the stream ended");
  } catch (cause) {
    if (cause instanceof AskgateError) throw cause;
    if (begun) throw lost(cause);
    return { kind: "lost", cause };
  }
}

const lost = (cause: unknown): AskgateError =>
  new AskgateError("unreachable", "The bot went away in the middle of its checks.", {
    cause,
    help: "Begin again; `askgate bot logs` may say why.",
  });
