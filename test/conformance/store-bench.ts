/** One store at a time in a place of its own, and what the conformance cases do with it. */
import type { OnDamaged } from "../../src/adapters/store/store.ts";
import type { Store, StoredEntry } from "../../src/core/ports.ts";

/** A place where one store lives: what is saved there is found by the next store that is opened. */
export interface StorePlace {
  open(onDamaged: OnDamaged): Promise<Store>;
  /** Changes the stored bytes of a record, while no store is open. */
  damage(key: string): Promise<void>;
  remove(): Promise<void>;
}

/** The store of the case that is running. */
export class Bench {
  /** What was reported: `<code> <key>`. */
  damaged: string[] = [];
  #place: StorePlace | undefined;
  #store: Store | undefined;

  get place(): StorePlace {
    if (this.#place === undefined) throw new Error("No case is running");
    return this.#place;
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error("No store is open");
    return this.#store;
  }

  async start(place: StorePlace): Promise<void> {
    this.damaged = [];
    this.#place = place;
    await this.open();
  }

  async open(): Promise<void> {
    this.#store = await this.place.open((key, error) => this.damaged.push(`${error.code} ${key}`));
  }

  /** As a restart does. */
  async reopen(): Promise<void> {
    await this.store.close();
    await this.open();
  }

  async stop(): Promise<void> {
    await this.store.close();
    await this.place.remove();
  }
}

export async function all(store: Store, prefix: string): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of store.list(prefix)) entries.push(entry);
  return entries;
}

export async function clear(store: Store): Promise<void> {
  await Promise.all((await all(store, "")).map(({ key }) => store.remove(key)));
}

export async function increment(store: Store, key: string): Promise<void> {
  const found = await store.load(key);
  try {
    await store.save(key, Number(found?.value) + 1, found?.version ?? 0);
  } catch {
    await increment(store, key);
  }
}
