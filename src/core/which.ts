/** Which session a command means, from what is known of all of them. */
import type { Selector } from "./gate.ts";
import type { Session } from "./session.ts";

/** The few facts of a session that are kept in memory for every one. */
export interface Known
  extends Pick<Session, "id" | "project" | "name" | "agentSession" | "usedAt" | "ended"> {
  /** When it next needs a `tick`. */
  due: number | null;
  /** Rounds without an outcome. */
  open: number;
  /** It is asked in a chat. */
  inChat: boolean;
  /** Something is open, or ended without a command taking it. */
  pending: boolean;
}

export const isId = (selector: string): boolean => /^s_[a-z0-9]+$/.test(selector);

/** Sessions that fit a selector, the one used last first. */
export function fitting<K extends Known>(
  all: Iterable<K>,
  { project, session, agentSession }: Selector,
): K[] {
  const fits = (known: Known): boolean => {
    if (session !== null && isId(session)) return known.id === session;
    if (known.project !== project) return false;
    if (session !== null) return known.name === session;
    return agentSession === null || known.agentSession === agentSession;
  };
  // Of two used in the same millisecond, the one that began later.
  return [...all]
    .filter(fits)
    .reverse()
    .sort((a, b) => b.usedAt - a.usedAt);
}

export type Choice = { kind: "one"; id: string } | { kind: "none" } | { kind: "several"; ids: string[] };

/** The running session that is meant: the one used last, unless commands wait in several of them now. */
export function current(candidates: Known[], isWaiting: (id: string) => boolean): Choice {
  const running = candidates.filter(({ ended }) => ended === null);
  const waiting = running.filter(({ id }) => isWaiting(id));
  const [last] = running;
  if (waiting.length > 1) return { kind: "several", ids: waiting.map(({ id }) => id) };
  return last === undefined ? { kind: "none" } : { kind: "one", id: last.id };
}
