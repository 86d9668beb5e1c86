/** A terminal as something that prints lines and asks for one: the only file that touches the streams. */
import { clearScreenDown, createInterface, cursorTo, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";

export type Input = ReadStream | Readable;
export type Output = WriteStream | Writable;

/** What came of asking: lines (several when they were pasted), the end of the input, or it was called off. */
export type Reply = { kind: "lines"; lines: string[] } | { kind: "end" } | { kind: "off" };

const INTERRUPT = 3;

export class Teletype {
  private readonly input: Input;
  private readonly output: Output;
  private asking: Interface | null = null;

  constructor(input: Input, output: Output) {
    this.input = input;
    this.output = output;
  }

  get columns(): number {
    return "columns" in this.output && this.output.columns > 0 ? this.output.columns : 80;
  }

  /** Colours only where the terminal has them and nobody has asked for none. */
  get colour(): boolean {
    if (process.env.NO_COLOR || process.env.TERM === "dumb") return false;
    return "hasColors" in this.output && this.output.isTTY && this.output.hasColors();
  }

  /** Prints above the line that is being typed, which stays as it is. */
  print(lines: string[]): void {
    if (lines.length === 0) return;
    if (this.asking !== null) {
      cursorTo(this.output, 0);
      clearScreenDown(this.output);
    }
    this.output.write(`${lines.join("\n")}\n`);
    this.asking?.prompt(true);
  }

  /** Asks for a line. What was typed before is thrown away: it answered something else. */
  async ask(prompt: string, off: AbortSignal): Promise<Reply> {
    await this.throwAway();
    if (off.aborted) return { kind: "off" };
    const asking = createInterface({ input: this.input, output: this.output, prompt, historySize: 0 });
    this.asking = asking;
    // In raw mode the terminal sends ^C as a key.
    asking.on("SIGINT", interrupt);
    try {
      return await reply(asking, off);
    } finally {
      this.asking = null;
      asking.close();
    }
  }

  /** Gives the terminal back, also in the middle of a line. */
  close(): void {
    if (this.asking === null) return;
    this.asking.close();
    this.output.write("\n");
    this.asking = null;
  }

  /** Reads what lies in the terminal, a half-typed line included, until a turn of the event loop brings nothing. */
  private async throwAway(): Promise<void> {
    const { input } = this;
    if (!("setRawMode" in input) || !input.isTTY) return;
    const swallow = (bytes: Buffer): void => {
      if (bytes.includes(INTERRUPT)) interrupt();
    };
    input.setRawMode(true);
    input.on("data", swallow);
    input.resume();
    await turn();
    await turn();
    input.off("data", swallow);
    input.pause();
    input.setRawMode(false);
  }
}

function reply(asking: Interface, off: AbortSignal): Promise<Reply> {
  return new Promise((resolve) => {
    const lines: string[] = [];
    const called = (): void => resolve({ kind: "off" });
    off.addEventListener("abort", called, { once: true });
    asking.on("line", (line) => {
      if (lines.push(line) > 1) return;
      off.removeEventListener("abort", called);
      // What was pasted arrives at once.
      setImmediate(() => resolve({ kind: "lines", lines }));
    });
    asking.once("close", () => {
      off.removeEventListener("abort", called);
      if (lines.length === 0) resolve({ kind: "end" });
    });
    asking.prompt();
  });
}

const interrupt = (): boolean => process.kill(process.pid, "SIGINT");

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
