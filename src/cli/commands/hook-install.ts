/** `hook install AGENT`: shows what changes in the agent's settings and skills, and makes it or takes it back. */
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { AGENTS, type AgentName } from "../../adapters/agents/agents.ts";
import type { Agent } from "../../adapters/agents/hook.ts";
import { guardedTools, WrongSettings, withHooks, withoutHooks } from "../../adapters/agents/hook-install.ts";
import { isSkill, skill } from "../../adapters/agents/skill.ts";
import { loadSettings } from "../config.ts";
import { UsageError } from "../exit.ts";
import { parseJson } from "../json.ts";
import { findProject } from "../project.ts";
import { openPrompt } from "../prompt.ts";
import { readIfThere } from "../read-file.ts";
import { say } from "../shell.ts";
import { settingsFile } from "./hook-check.ts";
import { type Change, diff, make } from "./hook-files.ts";

export interface InstallFlags {
  user?: true;
  project?: true;
  guard?: true;
  chatOnly?: true;
  acceptEdits?: true;
  dryRun?: true;
  undo?: true;
  yes?: true;
}

/** How long people may take at most, in seconds: their own deadline (`timeout` in the settings) comes before. */
const ASKING_S = 24 * 60 * 60;

export async function installHooks(name: AgentName, flags: InstallFlags): Promise<number> {
  if (flags.user && flags.project) throw new UsageError("--user and --project: only one of them");
  const agent = await AGENTS[name].load();
  const place = placeOf(agent, flags);
  const changes = [settingsChange(name, { agent, flags, ...place }), skillChange(place.skill, flags)];
  const wanted = changes.filter((change) => change !== null);
  if (wanted.length === 0) {
    say(flags.undo ? "nothing of askgate stands there" : "everything is in place already");
    return 0;
  }
  for (const change of wanted) say(diff(change));
  if (flags.dryRun) return 0;
  if (!(await agreed(flags))) {
    say("nothing was changed");
    return 0;
  }
  for (const change of wanted) say(make(change));
  if (!flags.undo) say(agent.install.next);
  return 0;
}

interface Where {
  project: string;
  settings: string;
  skill: string;
}

function placeOf(agent: Agent, { user }: InstallFlags): Where {
  const project = findProject(process.cwd());
  const { home, skill: skills } = agent.install;
  const settings = settingsFile(agent, project, user === true);
  if (!user) return { project, settings, skill: join(project, skills.project) };
  const own = skills.user.startsWith("~/");
  const folder = own ? homedir() : process.env[home.variable] || join(homedir(), home.folder);
  return { project, settings, skill: join(folder, own ? skills.user.slice(2) : skills.user) };
}

interface Wanted extends Where {
  agent: Agent;
  flags: InstallFlags;
}

function settingsChange(name: AgentName, { agent, flags, project, settings: file }: Wanted): Change | null {
  const before = readIfThere(file);
  const there = before === null ? {} : parseJson(before, file);
  try {
    const after = flags.undo
      ? withoutHooks(there, name)
      : withHooks(there, name, agent.install.groups(installing(name, project, flags)));
    const empty = flags.undo && Object.keys(after).length === 0;
    return changeOf({ file, before, after: empty ? null : toText(after, before), keeps: true });
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    throw new UsageError(`${file}: ${error.message}`, "Nothing was changed. Correct the file and try again.");
  }
}

function installing(name: AgentName, project: string, flags: InstallFlags) {
  const more = loadSettings(project, process.env).guard;
  const program = programOf();
  const chosen = [
    ...(flags.chatOnly ? ["--chat-only"] : []),
    ...(flags.acceptEdits ? ["--accept-edits"] : []),
  ];
  return {
    command: (seconds: number, guards: boolean): string =>
      [program, "hook", name, "--within", `${seconds}s`, ...chosen, ...(guards ? ["--guard"] : [])].join(" "),
    seconds: ASKING_S,
    guard: flags.guard || more !== undefined ? guardedTools(more ?? []) : null,
  };
}

/** `askgate` where a shell finds it, else this very file. Folders that npm and npx put into the path are gone when they end. */
function programOf(): string {
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !NPM.test(folder));
  const found = folders.some((folder) => isProgram(join(folder, "askgate")));
  return found
    ? "askgate"
    : [process.execPath, process.argv[1] ?? ""].map((path) => JSON.stringify(path)).join(" ");
}

const NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function skillChange(file: string, { undo }: InstallFlags): Change | null {
  const before = readIfThere(file);
  if (before !== null && !isSkill(before)) {
    if (!undo) say(`${file} is not askgate's skill: it stays as it is`);
    return null;
  }
  return changeOf({ file, before, after: undo ? null : skill(), keeps: false });
}

const changeOf = (change: Change): Change | null => (change.before === change.after ? null : change);

/** JSON as the file had it indented. */
function toText(value: unknown, before: string | null): string {
  const indent = /^[ \t]+(?=")/m.exec(before ?? "")?.[0] ?? "  ";
  return `${JSON.stringify(value, null, indent)}\n`;
}

async function agreed({ yes }: InstallFlags): Promise<boolean> {
  if (yes) return true;
  const prompt = openPrompt();
  if (prompt === null) {
    throw new UsageError(
      "nobody is here to agree",
      "Nothing was changed. Pass --yes, or --dry-run to look only.",
    );
  }
  try {
    return /^y(?:es)?$/i.test(await prompt.ask("Make this change? [y/N] "));
  } finally {
    prompt.close();
  }
}
