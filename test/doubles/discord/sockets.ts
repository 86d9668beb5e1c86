/** A test's hands on the sockets and sessions of the gateway. */
import type { Connection } from "./connection.ts";
import type { Gateway } from "./gateway.ts";

/** One socket by its place among those that are open, oldest first; all unless given. */
type Which = number;

export interface Sockets {
  /** How many are open with a session on them. */
  readonly count: number;
  /** How many sessions can be resumed, connected or not. */
  readonly sessions: number;
  /** How many sessions were started, and how many times one was taken up again. */
  readonly started: number;
  readonly resumed: number;
  readonly heartbeats: number;
  /** The codes the server closed sockets with, in order. */
  readonly closes: readonly number[];
  /** Breaks the line without a word. */
  drop(which?: Which): void;
  dropAll(): void;
  /** Closes with a code: 4000 and others can be resumed. */
  close(code: number, which?: Which): void;
  /** Asks to reconnect (op 7). */
  reconnect(which?: Which): void;
  /** Says that the session is invalid (op 9). */
  invalidate(resumable: boolean, which?: Which): void;
  /** Forgets the sessions that nobody is connected to: resuming them fails. */
  forget(): void;
  /** Stays open, but neither says nor hears anything any more. */
  silence(which?: Which): void;
  /** No socket is taken while false. */
  reachable(yes: boolean): void;
  /** New sockets hear no HELLO while false. */
  greet(yes: boolean): void;
  /** No heartbeat is acknowledged while false. */
  acknowledge(yes: boolean): void;
  /** So many dispatches that were heard already come again after each RESUME. */
  repeat(dispatches: number): void;
}

export function socketsOf(gateway: Gateway): Sockets {
  const open = (): Connection[] => [...gateway.connections].filter(({ session }) => session !== null);
  const some = (which?: Which): Connection[] => {
    if (which === undefined) return open();
    const one = open()[which];
    if (one === undefined) throw new Error(`no socket ${which}; ${open().length} are open`);
    return [one];
  };
  const each = (which: Which | undefined, act: (one: Connection) => void) => some(which).forEach(act);
  return {
    get count() {
      return open().length;
    },
    get sessions() {
      return gateway.sessions.size;
    },
    get started() {
      return gateway.started;
    },
    get resumed() {
      return gateway.resumed;
    },
    get heartbeats() {
      return open().reduce((sum, one) => sum + one.heartbeats, 0);
    },
    closes: gateway.closes,
    drop: (which) => each(which, (one) => one.drop()),
    dropAll: () => gateway.stop(),
    close: (code, which) => each(which, (one) => one.close(code)),
    reconnect: (which) => each(which, (one) => one.reconnect()),
    invalidate: (resumable, which) => each(which, (one) => one.invalidate(resumable)),
    forget: () => {
      for (const session of gateway.sessions.values())
        if (session.connection === null) gateway.forget(session);
    },
    silence: (which) => each(which, (one) => one.silence()),
    reachable: (yes) => {
      gateway.reachable = yes;
    },
    greet: (yes) => {
      gateway.greets = yes;
    },
    acknowledge: (yes) => {
      gateway.acknowledges = yes;
    },
    repeat: (dispatches) => {
      gateway.repeats = dispatches;
    },
  };
}
