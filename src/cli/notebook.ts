/** Markdown files in the project that askgate only ever appends to. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

export interface Notebook {
  file: string;
  /** Its first lines, written when it is made. */
  head: string;
  /** Entries count as written only once they are on the disk. */
  sync: boolean;
}

/** `mark` stands in the entry's first line and says which one it is: such an entry is never written twice. */
export interface Entry {
  mark: string;
  text: string;
}

/** Appends the entries that do not stand there. Throws what the file system says. */
export function appendEntries({ file, head, sync }: Notebook, entries: Entry[]): void {
  begin(file, head);
  const descriptor = openSync(file, "a+");
  try {
    const content = readFileSync(descriptor, "utf8");
    const starts = content.split("\n").filter((line) => /^(?:- |## )/.test(line));
    const fresh = entries.filter(({ mark }) => !starts.some((line) => has(line, mark)));
    const lead = content === "" || content.endsWith("\n") ? "" : "\n";
    if (fresh.length > 0) writeWhole(descriptor, lead + fresh.map(({ text }) => text).join(""));
    if (sync) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (sync && process.platform !== "win32") syncFolder(dirname(file));
}

/** Two commands may begin at once: the file is made by one of them. */
function begin(file: string, head: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${head}\n`, { flag: "ax" });
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}

/** A new file is on the disk once its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Does the mark stand in the line as a whole? Names come after it. */
function has(line: string, mark: string): boolean {
  const at = line.indexOf(mark);
  return at !== -1 && /^(?: |$)/.test(line.slice(at + mark.length));
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  const written = writeSync(descriptor, bytes);
  if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
}

/** What somebody wrote, line by line, so that none of it opens code or HTML that would swallow what follows. */
export const textLines = (text: string): string[] =>
  text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map(tame);

/** The same in one line. */
export const inline = (text: string): string => textLines(text).join(" ");

const tame = (line: string): string =>
  line
    .replace(/\p{Cc}/gu, (char) => (char === "\t" ? char : "�"))
    .replace(/`{3,}|~{3,}/g, (run) => [...run].map((char) => `\\${char}`).join(""))
    .replace(/<(?=[!?/a-z])/gi, "\\<");
