/**
 * One transaction at a time: what arrives while one is being written goes into the next together. So space can be claimed
 * for exactly what is written, and nothing waits behind a disk that has failed: after that, LMDB starts no transaction and
 * lmdb-js would never answer.
 */
import { failureName, StoreError } from "./errors.ts";

export interface Write {
  /** Bytes of the value; 0 for a removal. */
  size: number;
  /** Called inside a transaction, perhaps again in another one; must not throw. Resolves to whether the condition held. */
  act(): Promise<boolean>;
}

/** What the queue writes to. */
export interface Disk {
  /** Rejects when values of these sizes have no place. */
  makeRoom(sizes: number[]): Promise<void>;
  /** Runs `act` inside one transaction and resolves when that is on disk. */
  transact(act: () => void): Promise<unknown>;
}

/** Bounds the space that is claimed for a transaction. */
const MOST_TOGETHER = 100;

interface Waiting {
  write: Write;
  resolve(held: boolean): void;
  reject(error: unknown): void;
}

export class WriteQueue {
  readonly #disk: Disk;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #failure: StoreError | undefined;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Resolves when the write is on disk, to whether its condition held; rejects when nothing of it was written. */
  add(write: Write): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything added so far has ended. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // One turn of patience, so that writes which arrive together share a transaction from the first one on.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, MOST_TOGETHER));
    }
    this.#running = undefined;
  }

  /** A failed transaction changed nothing, so each of its writes is tried alone: one too large must not fail the others. */
  async #commit(together: Waiting[]): Promise<void> {
    try {
      const held = await this.#attempt(together.map((waiting) => waiting.write));
      for (const [index, waiting] of together.entries()) waiting.resolve(held[index] === true);
    } catch (error) {
      if (together.length === 1) for (const waiting of together) waiting.reject(error);
      else for (const waiting of together) await this.#commit([waiting]);
    }
  }

  async #attempt(writes: Write[]): Promise<boolean[]> {
    if (this.#failure !== undefined) throw this.#failure;
    await this.#disk.makeRoom(writes.map((write) => write.size));
    try {
      let results: Promise<boolean>[] = [];
      const done = this.#disk.transact(() => {
        results = writes.map((write) => write.act());
      });
      const [, ...held] = await Promise.all([done, ...results]);
      return held;
    } catch (cause) {
      throw this.#learn(await commitError(cause));
    }
  }

  /** After a failing disk (not: a damaged page) the database takes no further writes. */
  #learn(cause: unknown): unknown {
    const name = failureName(cause);
    if (name === "unknown" || (name.startsWith("MDB_") && name !== "MDB_PANIC")) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The disk failed; nothing is saved any more: ${reason}`;
    this.#failure ??= new StoreError("store_failed", message, { fields: { failure: name }, cause });
    return this.#failure;
  }
}

/** lmdb-js says only "Commit failed" at first, and why in a promise that must not stay unhandled. */
async function commitError(cause: unknown): Promise<unknown> {
  if (!(cause instanceof Error) || !("commitError" in cause)) return cause;
  try {
    await cause.commitError;
    return cause;
  } catch (inner) {
    return inner;
  }
}
