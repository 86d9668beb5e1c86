/** `bot logs`: the bot's log for people, also while it is written and rotated. */
import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stateDirectory } from "../../adapters/link/paths.ts";
import { LOG_NAME } from "../../adapters/link/protocol.ts";
import { harmless, print, say } from "../shell.ts";

interface Flags {
  follow?: true;
  lines: number;
  json?: true;
}

const LOOK_MS = 200;

export async function botLogs({ follow, lines, json }: Flags): Promise<void> {
  const path = join(stateDirectory(), LOG_NAME);
  const draw = (line: string): Promise<void> => print(json ? `${line}\n` : describe(line));
  const { last, size } = await tail(path, lines);
  if (last.length === 0 && !follow) say(`nothing in ${path} yet`);
  for (const line of last) await draw(line);
  if (follow) for await (const line of newLines(path, size)) await draw(line);
}

/** The last lines, reaching back into the file before if this one is short; and the size up to which they were read. */
async function tail(path: string, count: number): Promise<{ last: string[]; size: number }> {
  const current = await readFile(path).catch(() => Buffer.alloc(0));
  let lines = split(current);
  if (lines.length < count)
    lines = [...split(await readFile(`${path}.1`).catch(() => Buffer.alloc(0))), ...lines];
  return { last: count === 0 ? [] : lines.slice(-count), size: current.length };
}

const split = (content: Buffer): string[] =>
  content
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");

/** Lines as they are written from `offset` on, into whichever file is the current one. Never ends. */
async function* newLines(path: string, offset: number): AsyncGenerator<string> {
  let at = offset;
  let rest = "";
  for (;;) {
    const file = await open(path).catch(() => null);
    for (let rotated = file === null; !rotated; ) {
      // Asked before reading: what was written until the file was put away is read as well.
      rotated = file === null || (await isRotated(path, file));
      const text = file === null ? "" : await readOn(file, at);
      at += Buffer.byteLength(text);
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
      if (!rotated) await sleep(LOOK_MS);
    }
    await file?.close();
    at = 0;
    await sleep(LOOK_MS);
  }
}

async function isRotated(path: string, file: FileHandle): Promise<boolean> {
  const [there, here] = await Promise.all([stat(path).catch(() => null), file.stat()]);
  return there === null || there.ino !== here.ino;
}

async function readOn(file: FileHandle, from: number): Promise<string> {
  const { size } = await file.stat();
  if (size <= from) return "";
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
  const whole = buffer.subarray(0, bytesRead);
  // Only whole lines, so that no character is cut.
  return whole.subarray(0, whole.lastIndexOf("\n") + 1).toString("utf8");
}

/** "2026-11-30 10:00:00 error a call failed  code=damaged", an error's stack indented below. */
function describe(line: string): string {
  const entry = parse(line);
  if (entry === null) return `${harmless(line)}\n`;
  const { time, level, msg, pid: _, error, ...fields } = entry;
  const when = String(time)
    .replace("T", " ")
    .replace(/\.\d+Z$/, "");
  const more = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const head = [when, String(level).padEnd(5), String(msg), ...more].join(" ");
  const stack =
    typeof error === "object" && error !== null && "stack" in error ? String(error.stack).split("\n") : [];
  return [head, ...stack.map((frame) => `    ${frame.trim()}`)].map((text) => `${harmless(text)}\n`).join("");
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? { ...entry } : null;
  } catch {
    return null;
  }
}
