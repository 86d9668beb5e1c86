/** Whether somebody sits at a terminal of this command, and the two streams to talk to them. */
import { openSync, readFileSync } from "node:fs";
import { isatty, ReadStream, WriteStream } from "node:tty";
import type { Gate, Opened } from "../core/gate.ts";
import type { SurfaceName } from "../core/people.ts";
import { reasonOf } from "./input.ts";
import { say } from "./shell.ts";

/** A command's place at the terminal. */
export interface Seat {
  /** The surfaces to ask on. */
  via: SurfaceName[];
  takesPart: boolean;
  /** Asks here until the seat is left or the person leaves; never rejects. */
  takePart(gate: Gate, opened: Opened, locale: string): Promise<void>;
  leave(): void;
}

interface Streams {
  input: ReadStream;
  output: WriteStream;
  close(): void;
}

/**
 * `via` as said, else `otherwise` and, where standard input and error are terminals, `terminal`. A terminal that was asked
 * for and is not there is left out; "none" when nothing else is left.
 */
export async function takeSeat(
  said: SurfaceName[] | undefined,
  otherwise: SurfaceName[],
): Promise<Seat | "none"> {
  if (said !== undefined && !said.includes("terminal")) return seat(said, null);
  const streams = ownStreams() ?? (said === undefined ? null : controllingTerminal());
  if (streams !== null) return seat(said ?? [...otherwise, "terminal"], streams);
  const rest = said?.filter((surface) => surface !== "terminal") ?? otherwise;
  if (rest.length === 0) return "none";
  if (said !== undefined) say("not asked here: this command has no terminal");
  return seat(rest, null);
}

function seat(via: SurfaceName[], streams: Streams | null): Seat {
  const left = new AbortController();
  return {
    via,
    takesPart: streams !== null,
    async takePart(gate, { session, round }, locale) {
      if (streams === null) return;
      const { input, output } = streams;
      try {
        const { takePart } = await import("../adapters/terminal/surface.ts");
        await takePart({ gate, session, round, locale, input, output, signal: left.signal });
      } catch (error) {
        say(`askgate: the terminal cannot go on (${reasonOf(error)}); the question stays open elsewhere`);
      }
    },
    leave() {
      left.abort();
      streams?.close();
    },
  };
}

/** Standard input and error, where both are terminals and the command is not in the background. */
function ownStreams(): Streams | null {
  if (!isatty(0) || !isatty(2) || !inForeground()) return null;
  const { stdin: input, stderr: output } = process;
  const used = input.readableEnded || input.destroyed;
  return used ? null : { input, output, close: () => input.pause() };
}

/** The terminal that the process was started from, however its streams are redirected. */
function controllingTerminal(): Streams | null {
  if (process.platform === "win32" || !inForeground()) return null;
  try {
    const reading = openSync("/dev/tty", "r");
    const writing = openSync("/dev/tty", "w");
    const input = new ReadStream(reading);
    const output = new WriteStream(writing);
    return { input, output, close: () => [input.destroy(), output.destroy()] };
  } catch {
    return null;
  }
}

/** Only Linux tells; elsewhere a command in the background is stopped by the system when it reads, and goes on in front. */
function inForeground(): boolean {
  if (process.platform !== "linux") return true;
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const [, , group, , , foreground] = fields;
    return group === foreground;
  } catch {
    return true;
  }
}
