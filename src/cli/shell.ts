/** The two outputs of the process, and what a signal has to know. Standard output carries results, standard error talk. */

/** The round that this process waits for, for the words of a signal; null before it is open. */
export const waiting: { round: string | null } = { round: null };

/** Writes a line for people. A closed standard error is no reason to stop. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Resolves when standard output took the whole text; rejects when it is closed. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The text of a result: two spaces, a newline at the end. */
export const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** One line that others wrote, without the characters that steer a terminal. */
export const harmless = (line: string): string => line.replace(/\p{Cc}/gu, "�");
