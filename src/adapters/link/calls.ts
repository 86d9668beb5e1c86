/** A call by name, as the gate's method: the body is checked here and trusted from here on. */
import { AskgateError } from "../../core/error.ts";
import type { Gate } from "../../core/ports.ts";
import type { Call, Calls } from "./protocol.ts";
import { bodies } from "./wire.ts";

/** Calls that are answered at once; a wait is not. */
export type Prompt = Exclude<Call, "wait" | "health">;

export const isPrompt = (name: string): name is Prompt =>
  name !== "wait" && name !== "health" && Object.hasOwn(bodies, name);

/** Throws `bad_request`, and what the gate throws. */
export async function callGate(gate: Gate, name: Prompt, body: unknown): Promise<Calls[Prompt]["answer"]> {
  switch (name) {
    case "open":
      return gate.open(parsed(bodies.open, body));
    case "acknowledge": {
      const { session, carries } = parsed(bodies.acknowledge, body);
      await gate.acknowledge(session, carries);
      return null;
    }
    case "cancel":
      await gate.cancel(parsed(bodies.cancel, body).round);
      return null;
    case "down":
      return gate.down(parsed(bodies.down, body));
    case "list":
      return gate.list(parsed(bodies.list, body).project);
    case "show":
      return gate.show(parsed(bodies.show, body).id);
    case "act": {
      const { session, press } = parsed(bodies.act, body);
      return gate.act(session, press);
    }
  }
}

type Parsing<Body> = { success: true; data: Body } | { success: false; error: { message: string } };

/** Throws `bad_request`. */
export function parsed<Body>(schema: { safeParse(data: unknown): Parsing<Body> }, data: unknown): Body {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new AskgateError(
    "bad_request",
    `The command sent something else than this bot takes: ${result.error.message}`,
    {
      help: "Use the same version of askgate everywhere.",
    },
  );
}
