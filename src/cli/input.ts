/** Where the payload comes from: a file, or standard input. */
import { fstatSync, readFileSync } from "node:fs";
import { isatty } from "node:tty";
import { UsageError } from "./exit.ts";
import { parseJson } from "./json.ts";
import { say } from "./shell.ts";

/** Somebody who starts a command without input deserves a word after this long. */
const SILENCE_MS = 3000;

/** The JSON of `--input` (undefined and `-`: standard input). Throws `UsageError`. */
export async function readPayload(file: string | undefined): Promise<unknown> {
  const name = file === undefined || file === "-" ? "standard input" : file;
  const bytes = name === "standard input" ? await readStandardInput(file === "-") : readFile(name);
  const text = bytes.toString("utf8");
  // Not `isUtf8`: importing node:buffer loads its lazy parts too, a twentieth of a bare start of Node.
  if (!Buffer.from(text).equals(bytes)) throw new UsageError(`${name} is not UTF-8 text`);
  return parseJson(text, name);
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${reasonOf(error)}`);
  }
}

async function readStandardInput(named: boolean): Promise<Buffer> {
  if (isatty(0) && !named) {
    throw new UsageError(
      "no payload: standard input is a terminal",
      "Name a file with --input F, or pipe the JSON in:  askgate clarity up < login.json",
    );
  }
  try {
    return fstatSync(0).isFile() ? readFileSync(0) : await readStream();
  } catch (error) {
    throw new UsageError(`cannot read standard input: ${reasonOf(error)}`);
  }
}

async function readStream(): Promise<Buffer> {
  const hint = setTimeout(() => say("reading the payload from standard input …"), SILENCE_MS);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  clearTimeout(hint);
  return Buffer.concat(chunks);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  ENOTDIR: "a part of its path is not a folder",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
};

/** Why the system refused, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
