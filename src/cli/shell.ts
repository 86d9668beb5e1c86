/** The two outputs of the process, and what a signal has to know. Standard output carries results, standard error talk. */

/** What a signal has to know: the round that this process waits for, and what it leaves behind; null before it is open. */
export const waiting: { round: string | null; leave: (() => Promise<void>) | null } = {
  round: null,
  leave: null,
};

/** Writes a line for people. A closed standard error is no reason to stop. */
export function say(line: string): void {
  heard(process.stderr).write(`${line}\n`);
}

/** Writes to standard output what nobody depends on. */
export function write(text: string): void {
  heard(process.stdout).write(text);
}

/** Resolves when standard output took the whole text; rejects when it is closed. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    heard(process.stdout).write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** A stream whose errors are noticed where something is written, and nowhere else. */
function heard(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  return stream;
}

/** The text of a result: two spaces, a newline at the end. */
export const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** One line that others wrote, without the characters that steer a terminal. */
export const harmless = (line: string): string => line.replace(/\p{Cc}/gu, "�");
