/** Where the payload comes from: a file, or standard input. */
import { fstatSync, readFileSync } from "node:fs";
import { isatty } from "node:tty";
import { UsageError } from "./exit.ts";
import { parseJson } from "./json.ts";
import { say } from "./shell.ts";

/** Somebody who starts a command without input deserves a word after this long. */
const SILENCE_MS = 3000;

/** What to say where somebody at a terminal gave nothing. */
const NO_PAYLOAD: [string, string] = [
  "no payload",
  "Name a file with --input F, or pipe the JSON in:  askgate clarity up < login.json",
];

/** The JSON of `--input` (undefined and `-`: standard input). Throws `UsageError`. */
export const readPayload = async (file: string | undefined): Promise<unknown> =>
  parseJson(await readText(file, NO_PAYLOAD), nameOf(file));

const nameOf = (file: string | undefined): string =>
  file === undefined || file === "-" ? "standard input" : file;

/** The text of a file or of standard input. Throws `UsageError`; `missing` is what there is not, and what to do. */
export async function readText(file: string | undefined, missing: [string, string]): Promise<string> {
  const name = nameOf(file);
  const bytes =
    name === "standard input" ? await readStandardInput(file === "-" ? null : missing) : readFile(name);
  const text = bytes.toString("utf8");
  // Not `isUtf8`: importing node:buffer loads its lazy parts too, a twentieth of a bare start of Node.
  if (!Buffer.from(text).equals(bytes)) throw new UsageError(`${name} is not UTF-8 text`);
  return text;
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${reasonOf(error)}`);
  }
}

async function readStandardInput(missing: [string, string] | null): Promise<Buffer> {
  if (isatty(0) && missing !== null) {
    throw new UsageError(`${missing[0]}: standard input is a terminal`, missing[1]);
  }
  try {
    return fstatSync(0).isFile() ? readFileSync(0) : await readStream();
  } catch (error) {
    throw new UsageError(`cannot read standard input: ${reasonOf(error)}`);
  }
}

async function readStream(): Promise<Buffer> {
  const hint = setTimeout(() => say("reading standard input …"), SILENCE_MS);
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
