/** A small file beside the data file says that it was closed well, and in what state. It is gone while the store is open. */
import { readFile, rm, stat, writeFile } from "node:fs/promises";

/** Resolves to whether the data file is as it was when it was closed well. The mark is removed in any case. */
export async function takeMark(path: string): Promise<boolean> {
  const mark = await readFile(markOf(path), "utf8").catch(() => "");
  await rm(markOf(path), { force: true });
  return mark !== "" && mark === (await stateOf(path));
}

/** To be called once the data file is closed. Without a mark the next opening takes longer; so a failure is no matter. */
export async function leaveMark(path: string): Promise<void> {
  const state = await stateOf(path);
  await writeFile(markOf(path), state, { mode: 0o600 }).catch(() => undefined);
}

const markOf = (path: string): string => `${path}-closed`;

async function stateOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path);
  return `${size} ${mtimeMs} ${ino}`;
}
