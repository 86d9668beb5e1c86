/** Asks the person at the terminal for lines, some of which are not shown as they are typed. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import { UsageError } from "./exit.ts";
import { say } from "./shell.ts";

export interface Prompt {
  /** The line without the spaces around it. Throws `UsageError` when the person leaves (^D); ^C ends the process. */
  ask(question: string): Promise<string>;
  /** The same for a secret: nothing of it is shown. */
  askHidden(question: string): Promise<string>;
  /** The terminal is as it was before. */
  close(): void;
}

/** Null where nobody sits at standard input and error. */
export const openPrompt = (): Prompt | null => (isatty(0) && isatty(2) ? new Lines() : null);

class Lines implements Prompt {
  private hidden = false;
  private left = false;
  /** Lines that came before they were asked for: somebody pasted two. */
  private readonly typed: string[] = [];
  private waiting: { resolve(line: string): void; reject(error: Error): void } | null = null;
  private readonly lines: Interface;

  constructor() {
    const screen = new Writable({
      write: (chunk, _, done) => {
        if (!this.hidden) process.stderr.write(chunk);
        done();
      },
    });
    this.lines = createInterface({ input: process.stdin, output: screen, terminal: true, historySize: 0 })
      .on("line", (line) => this.take(line.trim()))
      .on("SIGINT", interrupt)
      .on("close", () => this.leave());
  }

  ask(question: string): Promise<string> {
    const typed = this.typed.shift();
    if (typed !== undefined) return Promise.resolve(typed);
    this.lines.setPrompt(question);
    this.lines.prompt();
    return this.next();
  }

  async askHidden(question: string): Promise<string> {
    process.stderr.write(question);
    this.hidden = true;
    try {
      return this.typed.shift() ?? (await this.next());
    } finally {
      this.hidden = false;
      say("");
    }
  }

  close(): void {
    this.hidden = false;
    this.lines.close();
  }

  private next(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (this.left) this.leave();
    });
  }

  private take(line: string): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting === null) this.typed.push(line);
    else waiting.resolve(line);
  }

  private leave(): void {
    this.left = true;
    this.waiting?.reject(new UsageError("you left before it was done", "Start again with the same command."));
    this.waiting = null;
  }
}

/** In raw mode the terminal sends ^C as a key; Node itself leaves raw mode when the process ends. */
const interrupt = (): boolean => process.kill(process.pid, "SIGINT");
