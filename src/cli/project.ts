/** Which project a command stands in, and where its task comes from, read from files alone: starting git costs too much. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Origin } from "../core/people.ts";

export const CONFIG_FILE = "askgate.json";

/** Variables in which an agent documents the id of its conversation, most particular first. */
const AGENT_SESSIONS = ["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID"] as const;

/** Variables by which an agent makes itself known to the commands that it runs. */
const AGENTS = [
  ["CLAUDECODE", "Claude"],
  ["CODEX_THREAD_ID", "Codex"],
  ["GEMINI_CLI", "Gemini"],
  ["OPENCODE", "OpenCode"],
  ["CURSOR_AGENT", "Cursor"],
] as const;

/** The git top level, else the folder of `askgate.json`, else `cwd`. */
export function findProject(cwd: string): string {
  return above(cwd, ".git") ?? above(cwd, CONFIG_FILE) ?? cwd;
}

function above(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : above(parent, name);
}

/** The agent's own id of its conversation, where it gives one. */
export function agentSession(env: NodeJS.ProcessEnv): string | null {
  for (const name of AGENT_SESSIONS) if (env[name]) return env[name];
  return null;
}

export function readOrigin(project: string, env: NodeJS.ProcessEnv): Origin {
  const git = gitFolder(project);
  return {
    repo: git === null ? basename(project) : repoName(project, git),
    branch: git === null ? "" : branchName(git),
    agent: AGENTS.find(([name]) => env[name])?.[1] ?? "",
    host: hostname(),
  };
}

/** The git folder of a checkout; a worktree and a submodule have a file that names it. Null outside git. */
function gitFolder(project: string): string | null {
  const path = join(project, ".git");
  try {
    if (statSync(path).isDirectory()) return path;
    const named = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
    return named === undefined ? null : resolve(project, named.trim());
  } catch {
    return null;
  }
}

/** The branch, or the first seven digits of a detached commit; "" when git does not say. */
function branchName(git: string): string {
  const head = read(join(git, "HEAD")).trim();
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? (/^[0-9a-f]{40,}$/.test(head) ? head.slice(0, 7) : "");
}

/** The last part of origin's address, else the name of the main checkout's folder. */
function repoName(project: string, git: string): string {
  const common = resolve(git, read(join(git, "commondir")).trim() || ".");
  const url = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(.+)$/m.exec(read(join(common, "config")))?.[1];
  const named = url
    ?.trim()
    .replace(/\/+$/, "")
    .split(/[/:\\]/)
    .at(-1)
    ?.replace(/\.git$/, "");
  if (named) return named;
  return basename(basename(common) === ".git" ? dirname(common) : project);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
