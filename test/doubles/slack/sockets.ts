/** A test's hands on all sockets of Socket Mode. */
import type { Reason } from "./connection.ts";
import type { Hub } from "./hub.ts";
import { linkOf } from "./hub.ts";
import type { Link } from "./link.ts";

/** One socket by its place among those that are open, oldest first; all unless given. */
type Which = number;

export interface Sockets {
  /** How many are open. */
  readonly count: number;
  /** How many events wait for a socket. */
  readonly queued: number;
  /** Breaks all lines without a word. */
  dropAll(): void;
  drop(which: Which): void;
  /** Says `refresh_requested` and closes soon after. */
  refresh(which?: Which): void;
  /** `warning` closes ten seconds later; `link_disabled` also refuses new connections. */
  disconnect(reason: Exclude<Reason, "too_many_websockets">, which?: Which): void;
  /** Stays open, but neither says nor hears anything any more. */
  silence(which?: Which): void;
  /** All envelopes go to this socket from now on; null takes turns again. */
  deliverTo(which: Which | null): void;
}

const REFRESH_MS = 1_000;
const WARNING_MS = 10_000;

export function socketsOf(hub: Hub): Sockets {
  const links = (): Link[] => [...hub.links.values()];
  const open = () => links().flatMap((link) => link.open);
  const some = (which?: Which) => {
    if (which === undefined) return open();
    const one = open()[which];
    if (one === undefined) throw new Error(`no socket ${which}; ${open().length} are open`);
    return [one];
  };
  const disconnect = (reason: Reason, which?: Which) => {
    const grace = reason === "warning" ? WARNING_MS : reason === "refresh_requested" ? REFRESH_MS : 0;
    if (reason === "link_disabled")
      for (const team of hub.teams.values())
        if (linkOf(hub, team).open.length > 0) team.app.refusal = "socket_mode_disabled";
    for (const connection of some(which)) connection.disconnect(reason, grace);
  };
  return {
    get count() {
      return open().length;
    },
    get queued() {
      return links().reduce((sum, link) => sum + link.queued, 0);
    },
    dropAll: () => {
      for (const connection of open()) connection.drop();
    },
    drop: (which) => {
      for (const connection of some(which)) connection.drop();
    },
    refresh: (which) => disconnect("refresh_requested", which),
    disconnect,
    silence: (which) => {
      for (const connection of some(which)) connection.silence();
    },
    deliverTo: (which) => {
      for (const link of links()) link.favourite = which;
    },
  };
}
