/** What the engine needs from the outside. Types only; every method is required. */
import type { Gate, Link } from "./gate.ts";
import type { Surface } from "./surface.ts";

/** A record as stored: its value and the version it was saved under (1, 2, 3 …). */
export interface Stored {
  value: unknown;
  version: number;
}

export interface StoredEntry extends Stored {
  key: string;
}

export interface Store {
  /**
   * The record, or undefined when there is none. Throws `damaged` when it cannot be read (what is there is set aside
   * first, under `damaged/<key>`), `store_failed` for a failing disk.
   */
  load(key: string): Promise<Stored | undefined>;
  /**
   * Writes and commits to disk. `expected` is the version the caller saw (0: must not exist). Resolves to the new version.
   * Throws `conflict` if another version is there, else `store_full`, `store_readonly` or `store_failed`; nothing changed then.
   */
  save(key: string, value: unknown, expected: number): Promise<number>;
  remove(key: string): Promise<void>;
  /** All records whose key begins with `prefix`, in key order; a damaged one is set aside, reported and skipped. */
  list(prefix: string): AsyncIterable<StoredEntry>;
  close(): Promise<void>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once at or after `when` (any distance); the function returned calls it off. */
  at(when: number, callback: () => void): () => void;
}

/** Ids and nonces. `id` gives `length` characters of a–z and 0–9. */
export interface Chance {
  id(length: number): string;
}

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** The engine as the bot sees it: the gate, and figures for `status`. */
export interface Engine extends Gate {
  figures(): { sessions: number; open: number; waiting: number; watching: number };
  stop(): Promise<void>;
}

/** All that an engine is given. */
export interface EngineParts {
  store: Store;
  /** The store's short id, which stands in every button. */
  storeId: string;
  clock: Clock;
  chance: Chance;
  log: Log;
  surfaces: Surface[];
  /** The link to a session's page; null where there is no page. */
  page: ((session: string, locale: string) => Link) | null;
  /** Who presses on the page and in the terminal: `local:ana`, "ana". */
  local: { id: string; name: string };
}
