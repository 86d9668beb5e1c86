/** Which agents' hooks are installed here, for `doctor`: where, guarding or not, and for which version they are known to fit. */
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { AGENT_NAMES, AGENTS, type AgentName } from "../../adapters/agents/agents.ts";
import type { Agent } from "../../adapters/agents/hook.ts";
import { installedIn } from "../../adapters/agents/hook-install.ts";
import type { Check } from "../../core/surface.ts";
import type { Settings } from "../config.ts";
import { parseJson } from "../json.ts";
import { readIfThere } from "../read-file.ts";

/** How long an agent may take to say its version. */
const VERSION_MS = 5_000;

/** One for each settings file that has hooks of ours; agents without are not mentioned. */
export async function* checkHooks(project: string, settings: Settings): AsyncGenerator<Check> {
  for (const name of AGENT_NAMES) {
    const agent = await AGENTS[name].load();
    for (const file of filesOf(agent, project)) yield* checkFile(name, agent, { file, settings });
  }
}

/** How hooks are put in; `user`: for all projects. */
export const settingsFile = (
  { install: { home, settings } }: Agent,
  project: string,
  user: boolean,
): string =>
  user
    ? join(process.env[home.variable] || join(homedir(), home.folder), settings.user)
    : join(project, settings.project);

const filesOf = (agent: Agent, project: string): string[] => [
  ...new Set([settingsFile(agent, project, false), settingsFile(agent, project, true)]),
];

async function* checkFile(
  name: AgentName,
  agent: Agent,
  { file, settings }: { file: string; settings: Settings },
): AsyncGenerator<Check> {
  const found = look(file, name);
  if (typeof found === "string") yield { name, state: "failed", detail: found, help: "" };
  else if (found.hooks > 0) yield await standing(name, agent, { file, settings, guards: found.guards });
}

function look(file: string, name: AgentName): ReturnType<typeof installedIn> | string {
  try {
    const text = readIfThere(file);
    return installedIn(text === null ? {} : parseJson(text, file), name);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function standing(
  name: AgentName,
  agent: Agent,
  { file, settings, guards }: { file: string; settings: Settings; guards: boolean },
): Promise<Check> {
  if (settings.guard !== undefined && !guards && name === "claude-code") {
    const detail = `hooks in ${file}, but without the guard that the settings turn on`;
    return { name, state: "failed", detail, help: `Put it in: askgate hook install ${name}` };
  }
  const version = await versionOf(AGENTS[name].program);
  const covered = agent.covers.join(", ");
  const fits = version === "" ? `shapes of ${covered}` : `${version} is here, shapes of ${covered}`;
  return { name, state: "ok", detail: `hooks in ${file}${guards ? ", guarding" : ""}; ${fits}`, help: "" };
}

/** "2.1.240"; "" where the agent is not here or does not say. */
const versionOf = (program: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, ["--version"], { timeout: VERSION_MS }, (error, stdout) =>
      resolve(error === null ? (/\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? "") : ""),
    );
  });
