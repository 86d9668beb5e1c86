/** What a process of its own does with a store, for tests that limit or kill it. Speaks JSON, one line each. */
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Store } from "../../../src/core/ports.ts";

const [task, dir = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const pad = "x".repeat(2_000);

const open = (): Promise<Store> =>
  openStore({
    dir,
    onDamaged: (key, error) => {
      throw new Error(`damaged: ${key}`, { cause: error });
    },
  });

/** The error as it would reach a person; undefined when there is none. */
async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? { ...error, message: error.message } : String(error);
  }
}

/** Saves until the disk has no more, then tries what must still work. */
async function fill(): Promise<void> {
  const store = await open();
  const saved: string[] = [];
  let refused: unknown;
  while (refused === undefined && saved.length < 10_000) {
    const key = `record/${saved.length}`;
    refused = await refusal(store.save(key, { key, pad: pad.repeat(20) }, 0));
    if (refused === undefined) saved.push(key);
  }
  const together = await Promise.all(["a", "b"].map((key) => refusal(store.save(key, pad.repeat(200), 0))));
  const removed = await refusal(store.remove("record/0"));
  const readable = await Promise.all(saved.slice(1).map((key) => store.load(key)));
  await store.close();
  say({ saved: saved.slice(1), refused, together, removed, readable: readable.filter(Boolean).length });
}

/** Only opens. */
async function begin(): Promise<void> {
  say(await refusal(open()));
}

/** Opens as somebody who is not root and has no rights here. */
async function intrude(): Promise<void> {
  await import("lmdb");
  if (process.getuid?.() === 0) process.setuid?.(65_534);
  await begin();
}

/** Eight writers, each counting one record up, each acknowledging what is saved, until the process is killed. */
async function stream(): Promise<void> {
  const store = await open();
  await Promise.all(Array.from({ length: 8 }, (_, writer) => countUp(store, `writer/${writer}`)));
}

async function countUp(store: Store, key: string): Promise<void> {
  for (let version = 0; ; ) {
    version = await store.save(key, { count: version + 1, pad }, version);
    await store.save(`${key}/${version}`, pad, 0);
    say({ key, version });
  }
}

const TASKS: Record<string, () => Promise<void>> = { begin, fill, intrude, stream };
await TASKS[task ?? ""]?.();
