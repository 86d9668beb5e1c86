/** The one place where all that belongs to one double hangs together. */
import type { Faults } from "../shared/faults.ts";
import type { Ledger } from "../shared/ledger.ts";
import type { Fault } from "./faults.ts";
import type { Link } from "./link.ts";
import type { App, Message, Room, StoredFile, Team, User } from "./model.ts";
import type { Rates } from "./rates.ts";

export interface Trigger {
  team: Team;
  person: User;
  expires: number;
  used: boolean;
  /** The modal in which it arose. */
  viewId: string | null;
}

/** What a response_url stands for. */
export interface Hook {
  team: Team;
  person: User;
  room: Room;
  message: Message | null;
  expires: number;
  left: number;
}

export interface Hub {
  now(): number;
  /** `http://127.0.0.1:PORT` */
  origin(): string;
  ledger: Ledger;
  rates: Rates;
  faults: Faults<Fault>;
  teams: Map<string, Team>;
  /** Whose token this is. */
  tokens: Map<string, { kind: "bot"; team: Team } | { kind: "app"; app: App }>;
  /** By app id. */
  links: Map<string, Link>;
  /** Socket addresses that were given out and not used yet, with the app. */
  tickets: Map<string, App>;
  triggers: Map<string, Trigger>;
  hooks: Map<string, Hook>;
  uploads: Map<string, StoredFile>;
  /** How many block and view payloads were checked. */
  validated: number;
  /** A fresh id, the next of a count. */
  id(prefix: string): string;
}

const TRIGGER_MS = 3_000;
const HOOK_MS = 30 * 60_000;
const HOOK_USES = 5;

export function newTrigger(hub: Hub, team: Team, person: User, viewId: string | null = null): string {
  const id = `${hub.id("1388105719492.")}.${team.id.toLowerCase()}.abcdef`;
  hub.triggers.set(id, { team, person, expires: hub.now() + TRIGGER_MS, used: false, viewId });
  return id;
}

export function newHook(hub: Hub, hook: Omit<Hook, "expires" | "left">): string {
  const path = `/hooks/${hook.team.id}/${hub.id("H")}`;
  hub.hooks.set(path, { ...hook, expires: hub.now() + HOOK_MS, left: HOOK_USES });
  return `${hub.origin()}${path}`;
}

export function linkOf(hub: Hub, team: Team): Link {
  const link = hub.links.get(team.app.id);
  if (link === undefined) throw new Error(`no app ${team.app.id}`);
  return link;
}
