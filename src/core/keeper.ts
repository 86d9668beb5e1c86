/**
 * Keeps sessions: takes the events of each one in order, saves before anything is answered, and tells those who listen.
 * What is in memory for every session is small; the whole of one is read when it is used.
 */
import { reject, type Stepped } from "./effect.ts";
import { AskgateError } from "./error.ts";
import type { Event } from "./event.ts";
import type { EngineParts } from "./ports.ts";
import { fromRecord, immutableRecords, isSessionRecord, knownFrom, sessionKey, toRecord } from "./record.ts";
import type { Session } from "./session.ts";
import { Stands } from "./stands.ts";
import { step } from "./step.ts";
import type { Known } from "./which.ts";
import { words } from "./words.ts";

/** Sessions held whole, the ones used last. */
const HELD = 500;
/** Ended sessions are kept at hand this long for late commands, then filed away. */
const AT_HAND_MS = 12 * 60 * 60 * 1000;
/** What time should have changed and could not be saved is tried again after this long. */
const RETRY_MS = 5_000;

interface Held {
  /** Of its record: a session that ended long ago has been filed away. */
  key: string;
  session: Session;
  version: number;
}

type Needs = Pick<EngineParts, "store" | "clock" | "log">;
type Listener = (session: Session) => void;

export interface KeeperHooks {
  /** What a change will have to be followed by, noted in the session before it is saved. */
  prepare(session: Session): Session;
  /** Called after every saved change. */
  onChange: Listener;
}

export class Keeper {
  readonly #needs: Needs;
  readonly #hooks: KeeperHooks;
  readonly #known = new Map<string, Known>();
  /** What stands where, of all that are known. */
  readonly stands = new Stands();
  readonly #held = new Map<string, Held>();
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #alarm = { at: Number.POSITIVE_INFINITY, off: (): void => {} };
  #stopped = false;

  private constructor(needs: Needs, hooks: KeeperHooks) {
    this.#needs = needs;
    this.#hooks = hooks;
  }

  /** Reads what is known of all sessions, and catches up on time that passed meanwhile. */
  static async open(needs: Needs, hooks: KeeperHooks): Promise<Keeper> {
    const keeper = new Keeper(needs, hooks);
    for await (const { key, value } of needs.store.list("session/")) await keeper.#index(key, value);
    await keeper.#ring();
    return keeper;
  }

  known(): Iterable<Known> {
    return this.#known.values();
  }

  /** The whole session; undefined when there is none. Throws `damaged` when its records cannot be read. */
  async load(id: string): Promise<Session | undefined> {
    return (await this.#fetch(id))?.session;
  }

  /** Begins a session with its first event, or leaves nothing behind. */
  begin(session: Session, event: Event): Promise<Stepped> {
    return this.#inOrder(session.id, () => this.#step(event, null, session));
  }

  /** Steps and saves; resolves once the change is on disk. */
  take(id: string, event: Event): Promise<Stepped> {
    return this.#inOrder(id, async () => {
      const entry = await this.#fetch(id);
      return entry === undefined ? unknown(event) : this.#step(event, entry, entry.session);
    });
  }

  /** Calls back after every saved change, until the function returned is called. */
  listen(id: string, listener: Listener): () => void {
    const set = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#listeners.delete(id);
    };
  }

  /** Lets what has begun end; nothing is due any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm.off();
    await Promise.all(this.#queues.values());
  }

  async #index(key: string, value: unknown): Promise<void> {
    const { log, clock, store } = this.#needs;
    if (!isSessionRecord(value)) return log.error("a session's record is damaged and left alone", { key });
    const entry = knownFrom(value);
    const old = entry.ended !== null && entry.ended.at < clock.now() - AT_HAND_MS;
    if (!old) {
      this.stands.note(value);
      return void this.#known.set(entry.id, entry);
    }
    await this.#put(pastKey(entry.id), value);
    await store.remove(key);
  }

  async #fetch(id: string): Promise<Held | undefined> {
    const { store } = this.#needs;
    const there = this.#held.get(id);
    if (there !== undefined) return there;
    const present = await store.load(sessionKey(id));
    const key = present === undefined ? pastKey(id) : sessionKey(id);
    const stored = present ?? (await store.load(key));
    if (stored === undefined) return undefined;
    if (!isSessionRecord(stored.value)) throw unreadable(id);
    const session = await fromRecord(stored.value, async (part) => (await store.load(part))?.value);
    const entry = { key, session, version: stored.version };
    // What was saved while this was read is newer.
    const newer = this.#held.get(id);
    if (newer === undefined && this.#known.has(id)) this.#hold(entry);
    return newer ?? entry;
  }

  #hold(entry: Held): void {
    this.#held.delete(entry.session.id);
    this.#held.set(entry.session.id, entry);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD && oldest !== undefined) this.#held.delete(oldest);
  }

  /** Runs after everything that was asked of this session before. */
  #inOrder<T>(id: string, task: () => Promise<T>): Promise<T> {
    const run = (this.#queues.get(id) ?? Promise.resolve()).then(task);
    const settled = run.then(
      () => {},
      () => {},
    );
    this.#queues.set(id, settled);
    void settled.then(() => this.#queues.get(id) === settled && this.#queues.delete(id));
    return run;
  }

  async #step(event: Event, before: Held | null, start: Session): Promise<Stepped> {
    const { clock, log } = this.#needs;
    const taken = step(start, event, clock.now());
    if (!taken.ok || taken.session === before?.session) return taken;
    const stepped =
      event.type === "press" ? { ...taken, session: this.#hooks.prepare(taken.session) } : taken;
    try {
      await this.#write(before, stepped.session);
    } catch (error) {
      this.#held.delete(start.id);
      log.error("a change could not be saved", { session: start.id, event: event.type, error });
      return reject("not_saved", words(start.locale).notSaved);
    }
    this.#publish(stepped.session);
    return stepped;
  }

  async #write(before: Held | null, session: Session): Promise<void> {
    for (const [key, value] of immutableRecords(before?.session ?? null, session))
      await this.#put(key, value);
    const record = toRecord(session);
    const key = before?.key ?? sessionKey(session.id);
    const version = await this.#needs.store.save(key, record, before?.version ?? 0);
    if (key === pastKey(session.id)) return;
    this.#hold({ key, session, version });
    this.#known.set(session.id, knownFrom(record));
    this.stands.note(session);
  }

  /** An immutable record. One that is there already belongs to a change that never came to be: nothing points to it. */
  async #put(key: string, value: unknown): Promise<void> {
    const { store } = this.#needs;
    await store.save(key, value, (await store.load(key))?.version ?? 0);
  }

  #publish(session: Session): void {
    for (const listener of [...(this.#listeners.get(session.id) ?? [])]) listener(session);
    this.#hooks.onChange(session);
    this.#wakeAt(this.#known.get(session.id)?.due ?? null);
  }

  #wakeAt(at: number | null): void {
    if (this.#stopped || at === null || at >= this.#alarm.at) return;
    this.#alarm.off();
    this.#alarm = { at, off: this.#needs.clock.at(at, () => void this.#ring()) };
  }

  /** Ticks whatever is due, then sets the alarm for what is due next. */
  async #ring(): Promise<void> {
    const { clock, log } = this.#needs;
    this.#alarm = { at: Number.POSITIVE_INFINITY, off: () => {} };
    const begun = clock.now();
    const due = [...this.#known.values()].filter((entry) => entry.due !== null && entry.due <= begun);
    const tick = (id: string) =>
      this.take(id, { type: "tick" }).catch((error) =>
        log.error("time could not pass", { session: id, error }),
      );
    await Promise.all(due.map(({ id }) => tick(id)));
    const next = Math.min(...[...this.#known.values()].map((entry) => entry.due ?? Number.POSITIVE_INFINITY));
    if (Number.isFinite(next)) this.#wakeAt(next <= begun ? clock.now() + RETRY_MS : next);
  }
}

/** Nothing is kept under that id. Whoever pressed hears so. */
const unknown = (event: Event): Stepped =>
  reject("unknown_round", event.type === "press" ? words(event.locale ?? "").unknownButton : "");

const pastKey = (id: string): string => `past/${id}`;

const unreadable = (id: string): AskgateError =>
  new AskgateError("damaged", `The record of session ${id} cannot be read.`, {
    help: "Other sessions work. Ask again to start a new one.",
  });
