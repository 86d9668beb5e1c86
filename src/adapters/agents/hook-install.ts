/** The hooks of an agent's settings file: ours put in and taken out again, whatever else stands there. */
import { GUARDED } from "./hook-guard.ts";

export interface Entry {
  type: "command";
  command: string;
  /** Seconds. */
  timeout: number;
  statusMessage?: string;
  async?: boolean;
}

export interface Group {
  matcher?: string;
  hooks: Entry[];
}

/** By event. */
export type Groups = Record<string, Group[]>;

export interface Installing {
  /** The command line of a hook that may run this many seconds; `guard`: it guards, whatever the settings say. */
  command(seconds: number, guard: boolean): string;
  /** How long a hook that asks people may run. */
  seconds: number;
  /** Names of the tools to guard; null: no guard. */
  guard: string[] | null;
}

/** Where an agent keeps its settings and skills, and what goes into them. */
export interface Install {
  /** The user's folder: a variable that names it, else a folder in the home directory. */
  home: { variable: string; folder: string };
  /** Relative to that folder, and to the project. */
  settings: { user: string; project: string };
  /** The user's skill relative to the same folder; from `~` to the home directory. */
  skill: { user: string; project: string };
  groups(installing: Installing): Groups;
  /** What to do once they are in. */
  next: string;
}

type Settings = Record<string, unknown>;

export const guardedTools = (more: string[]): string[] => [...new Set([...GUARDED, ...more])];

/** Is a command line ours, wherever it was started from? */
const isOurs = (agent: string, command: unknown): boolean =>
  typeof command === "string" && new RegExp(`(?:askgate|main\\.js)["']? hook ${agent}(?: |$)`).test(command);

const isRecord = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A settings file that hooks cannot be put into, and where. */
export class WrongSettings extends Error {}

/** The settings with these groups instead of any earlier ones of ours. Throws `WrongSettings`. */
export function withHooks(settings: unknown, agent: string, wanted: Groups): Settings {
  const root = withoutHooks(settings, agent);
  const hooks: Settings = isRecord(root.hooks) ? { ...root.hooks } : {};
  for (const [event, groups] of Object.entries(wanted)) {
    const there = hooks[event];
    hooks[event] = [...(Array.isArray(there) ? there : []), ...groups];
  }
  return { ...root, hooks };
}

/** The settings without ours; what others put there stays as it is. Throws `WrongSettings`. */
export function withoutHooks(settings: unknown, agent: string): Settings {
  if (!isRecord(settings)) throw new WrongSettings("<root>: expected an object");
  if (settings.hooks === undefined) return settings;
  if (!isRecord(settings.hooks)) throw new WrongSettings("hooks: expected an object");
  const kept = Object.entries(settings.hooks).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) throw new WrongSettings(`hooks.${event}: expected a list`);
    const rest = groups.flatMap((group) => withoutOurs(group, agent));
    return rest.length === 0 && groups.length > 0 ? [] : [[event, rest]];
  });
  const { hooks: _hooks, ...others } = settings;
  return kept.length === 0 && Object.keys(settings.hooks).length > 0
    ? others
    : { ...settings, hooks: Object.fromEntries(kept) };
}

function withoutOurs(group: unknown, agent: string): unknown[] {
  if (!isRecord(group) || !Array.isArray(group.hooks)) return [group];
  const hooks = group.hooks.filter((hook) => !(isRecord(hook) && isOurs(agent, hook.command)));
  if (hooks.length === group.hooks.length) return [group];
  return hooks.length === 0 ? [] : [{ ...group, hooks }];
}

/** Do our hooks stand in these settings? `guards`: one of them guards. */
export function installedIn(settings: unknown, agent: string): { hooks: number; guards: boolean } {
  const events = isRecord(settings) && isRecord(settings.hooks) ? Object.values(settings.hooks).flat() : [];
  const commands = events
    .flatMap((group) => (isRecord(group) && Array.isArray(group.hooks) ? group.hooks : []))
    .map((hook) => (isRecord(hook) ? hook.command : null))
    .filter((command) => isOurs(agent, command));
  return { hooks: commands.length, guards: commands.some((command) => String(command).includes(" --guard")) };
}
