/**
 * The gate as every program outside the bot sees it. A call reaches the bot of the state directory, starting one when none
 * runs, and is made again when the bot goes away in the middle: `open` attaches, presses carry their ids, and the rest may
 * happen twice.
 */
import { AskgateError } from "../../core/error.ts";
import type { Frame } from "../../core/gate.ts";
import { VERSION } from "../shared/package.ts";
import { connectionsThrough } from "./connections.ts";
import { lines, readText, refusal, type Trouble } from "./exchange.ts";
import { stateDirectory } from "./paths.ts";
import {
  type Call,
  type Calls,
  type Client,
  LINK_VERSION,
  type Refused,
  SLICE_MS,
  type Versions,
  type WatchBody,
} from "./protocol.ts";
import { Reach } from "./reach.ts";
import { countTroubles } from "./troubles.ts";

export type { Client, Health } from "./protocol.ts";

export interface ConnectOptions {
  /** Default: `ASKGATE_STATE_DIR`, else the platform's folder for state. */
  stateDir?: string | undefined;
  /** Start a bot when none runs (default true); else calls throw `unreachable`. */
  start?: boolean | undefined;
  /** Default: this package's. A bot older than this is replaced. */
  versions?: Versions | undefined;
}

/** Finds the bot, or starts one. Throws `unreachable`, or what keeps a bot from starting. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const reach = new Reach({
    stateDir: options.stateDir ?? stateDirectory(),
    start: options.start ?? true,
    versions: options.versions ?? { link: LINK_VERSION, version: VERSION },
  });
  await reach.find();
  const call = caller(reach);
  return {
    open: (request, credentials) => call("open", { ...request, credentials }),
    connections: connectionsThrough(reach, call),
    wait: (round, patienceMs, past) => waitInSlices(call, { round, patienceMs, past }),
    acknowledge: async (session, carries) => void (await call("acknowledge", { session, carries })),
    cancel: async (round, elsewhere) => void (await call("cancel", { round, elsewhere })),
    held: (selector, prefix) => call("held", { ...selector, prefix }),
    down: (selector) => call("down", { since: Date.now(), ...selector }),
    list: (project) => call("list", { project }),
    inbox: (selector) => call("inbox", selector),
    say: (selector, text) => call("say", { ...selector, text }),
    show: (id) => call("show", { id }),
    watch: (session, view, signal) => watch(reach, { session, view }, signal),
    act: (session, press) => call("act", { session, press }),
    health: () => call("health", {}),
    stop: () => reach.stop(),
    close: () => reach.close(),
  };
}

export type Caller = <Name extends Call>(
  name: Name,
  body: Calls[Name]["body"],
) => Promise<Calls[Name]["answer"]>;

const caller =
  (reach: Reach): Caller =>
  async <Name extends Call>(name: Name, body: Calls[Name]["body"]) => {
    const troubles = countTroubles();
    for (;;) {
      const reply = await reach.send(name, body);
      const answer = reply.kind === "answered" ? await readAnswer<Calls[Name]["answer"]>(reply.body) : reply;
      if (answer.kind === "value") return answer.value;
      await reach.recover(answer, troubles);
    }
  };

async function readAnswer<T>(body: AsyncIterable<string>): Promise<{ kind: "value"; value: T } | Trouble> {
  try {
    return { kind: "value", value: JSON.parse(await readText(body)) };
  } catch (cause) {
    return { kind: "lost", cause };
  }
}

async function waitInSlices(call: Caller, body: Calls["wait"]["body"]): Promise<Calls["wait"]["answer"]> {
  const end = Date.now() + body.patienceMs;
  for (;;) {
    const left = Math.max(end - Date.now(), 0);
    const waited = await call("wait", { ...body, patienceMs: Math.min(left, SLICE_MS) });
    if (waited.state !== "open" || left <= SLICE_MS) return waited;
  }
}

/** One series of frames, whichever bots they come from: the first after a change of bots holds all cards again. */
async function* watch(reach: Reach, body: WatchBody, signal: AbortSignal): AsyncGenerator<Frame> {
  const series = { number: 0 };
  const troubles = countTroubles();
  while (!signal.aborted) {
    const before = series.number;
    const trouble = yield* frames(reach, { body, signal, series });
    if (trouble === null || signal.aborted) return;
    if (series.number > before) troubles.forget();
    await reach.recover(trouble, troubles);
  }
}

/** The frames that one bot sends; returns what ended them, null if the session did. */
async function* frames(
  reach: Reach,
  { body, signal, series }: { body: WatchBody; signal: AbortSignal; series: { number: number } },
): AsyncGenerator<Frame, Trouble | null> {
  try {
    const reply = await reach.send("watch", body, { signal });
    if (reply.kind !== "answered") return reply;
    for await (const line of lines(reply.body)) {
      const message: Frame | Refused | null = JSON.parse(line);
      if (message === null) continue;
      if ("error" in message) return refusal(line);
      series.number += 1;
      yield { ...message, number: series.number };
      if (message.ended) return null;
    }
    return { kind: "lost", cause: new Error("the stream ended") };
  } catch (cause) {
    if (cause instanceof AskgateError) throw cause;
    return { kind: "lost", cause };
  }
}
