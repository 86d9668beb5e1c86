/** A command in a real terminal: util-linux `script` gives it one, and its keyboard is a pipe. */
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";
import { until } from "../support/until.ts";

export interface Terminal {
  /** Everything on the screen so far, as it came. */
  raw(): string;
  /** Waits until a text stands on the screen, after what was seen before. */
  see(text: string): Promise<void>;
  /** Types a line and Enter. */
  type(line: string): void;
  /** Presses keys as they are. */
  press(keys: string): void;
  ended: Promise<number | null>;
}

export interface Size {
  columns?: number;
}

export function inTerminal(
  command: string,
  env: Record<string, string>,
  { columns = 100 }: Size = {},
): Terminal {
  const child = spawn("script", ["-qfec", `stty cols ${columns} rows 60; ${command}`, "/dev/null"], {
    env: { TERM: "xterm-256color", NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  let raw = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
  });
  child.stdin.on("error", () => {});
  const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)));
  const screen = (): string => stripVTControlCharacters(raw).replaceAll("\r", "");
  return {
    raw: () => raw,
    async see(text) {
      const at = await until(() => {
        const found = screen().indexOf(text, seen);
        if (found === -1) throw new Error(`not on the screen: ${text}\n${screen().slice(seen)}`);
        return found + 1;
      });
      seen = at - 1 + text.length;
    },
    type: (line) => void child.stdin.write(`${line}\r`),
    press: (keys) => void child.stdin.write(keys),
    ended,
  };
}
