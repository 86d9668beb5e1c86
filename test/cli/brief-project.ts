/** The commands around the brief, in a project of their own. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { run } from "../../src/cli/program.ts";

/** Commands in this process, in a project of their own, with no bot anywhere. */
export let project = "";
export let streams = { stdout: "", stderr: "" };

/** Each test has its own; to be called once in a file. */
export function inItsOwnProject(): void {
  beforeEach(() => {
    project = realpathSync(mkdtempSync(join(tmpdir(), "askgate-brief-")));
    streams = { stdout: "", stderr: "" };
    vi.stubEnv("ASKGATE_STATE_DIR", join(project, "state"));
    vi.stubEnv("HOME", project);
    vi.stubEnv("XDG_CONFIG_HOME", join(project, "config"));
    vi.spyOn(process, "cwd").mockReturnValue(project);
    for (const name of ["stdout", "stderr"] as const)
      vi.spyOn(process[name], "write").mockImplementation((text, ...rest: unknown[]) => {
        streams[name] += String(text);
        const done = rest.at(-1);
        if (typeof done === "function") done();
        return true;
      });
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(project, { recursive: true, force: true });
  });
}

export async function brief(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  streams = { stdout: "", stderr: "" };
  const code = await run(["brief", ...args]);
  return { code, ...streams };
}

export const at = (...parts: string[]): string => join(project, ".askgate", ...parts);

export function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

export const reply = (text: string): string => put(join(project, "reply.md"), text);
export const read = (...parts: string[]): string => readFileSync(at(...parts), "utf8");
export const archived = (): string[] => readdirSync(at("archive")).toSorted();
