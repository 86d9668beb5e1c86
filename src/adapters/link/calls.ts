/** A call by name, as the gate's method: the body is checked here and trusted from here on. */
import { AskgateError } from "../../core/error.ts";
import type { Gate, Opened, OpenRequest } from "../../core/gate.ts";
import type { Credentials } from "../../core/surface.ts";
import type { Call, Calls, Connections } from "./protocol.ts";
import { bodies } from "./wire.ts";

/** The connections of the bot, and rounds that are opened on them. */
export interface Chats extends Connections {
  /** A connection that cannot be made becomes a note; it ends the round only where no surface is left. */
  open(request: OpenRequest, credentials: Credentials[]): Promise<Opened>;
}

export interface Callee {
  gate: Gate;
  chats: Chats;
}

/** Calls that are answered at once; those that wait for somebody are not. */
export type Prompt = Exclude<Call, "wait" | "paired" | "health">;

export const isPrompt = (name: string): name is Prompt =>
  name !== "wait" && name !== "paired" && name !== "health" && Object.hasOwn(bodies, name);

/** Throws `bad_request`, and what the gate throws. */
export async function callGate(
  { gate, chats }: Callee,
  name: Prompt,
  body: unknown,
): Promise<Calls[Prompt]["answer"]> {
  switch (name) {
    case "open": {
      const { credentials = [], ...request } = parsed(bodies.open, body);
      return chats.open(request, credentials);
    }
    case "acknowledge": {
      const { session, carries } = parsed(bodies.acknowledge, body);
      await gate.acknowledge(session, carries);
      return null;
    }
    case "cancel": {
      const { round, elsewhere } = parsed(bodies.cancel, body);
      await gate.cancel(round, elsewhere);
      return null;
    }
    case "held": {
      const { prefix, ...selector } = parsed(bodies.held, body);
      return gate.held(selector, prefix);
    }
    case "down":
      return gate.down(parsed(bodies.down, body));
    case "list":
      return gate.list(parsed(bodies.list, body).project);
    case "inbox":
      return gate.inbox(parsed(bodies.inbox, body));
    case "say": {
      const { text, ...selector } = parsed(bodies.say, body);
      return gate.say(selector, text);
    }
    case "show":
      return gate.show(parsed(bodies.show, body).id);
    case "act": {
      const { session, press } = parsed(bodies.act, body);
      return gate.act(session, press);
    }
    case "connect":
      return chats.connect(parsed(bodies.connect, body).credentials);
    case "connections":
      return chats.list();
    case "pair":
      return chats.pair(parsed(bodies.pair, body));
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
