/** An agent that runs its hooks as Claude Code and Codex do: from its settings file, by a shell, with a time limit. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Ended, Workshop } from "../cli/askgate.ts";
import { MAIN } from "../cli/askgate.ts";

const entry = z.object({ type: z.literal("command"), command: z.string(), timeout: z.number() });
const settings = z.object({
  hooks: z.record(z.string(), z.array(z.object({ matcher: z.string().optional(), hooks: z.array(entry) }))),
});

export interface HookEvent extends Record<string, unknown> {
  hook_event_name: string;
}

/** A hook as it ran; `late` when the agent stopped listening first. */
export interface Ran extends Ended {
  command: string;
  late: boolean;
  /** What the agent reads; null for nothing. */
  answer: unknown;
}

export interface RunningHook {
  ran: Promise<Ran>;
  kill(signal: NodeJS.Signals): void;
}

export class HookedAgent {
  readonly project: string;
  readonly #file: string;
  readonly #env: Record<string, string>;

  constructor(shop: Workshop, project: string, file: string) {
    this.project = project;
    this.#file = join(project, file);
    this.#env = withAskgate(shop, project);
  }

  /** The environment in which it runs commands: askgate is found by its name. */
  env(more: Record<string, string> = {}): Record<string, string> {
    return { ...this.#env, ...more };
  }

  /** Runs every hook that is set for the event. */
  fire(event: HookEvent, env: Record<string, string> = {}): RunningHook[] {
    const { hooks } = settings.parse(JSON.parse(readFileSync(this.#file, "utf8")));
    const groups = (hooks[event.hook_event_name] ?? []).filter(({ matcher }) => matches(matcher, event));
    return groups.flatMap((group) => group.hooks.map((one) => this.#run(one, event, env)));
  }

  /** Runs the one hook that is set for the event, to its end. */
  async answerTo(event: HookEvent, env: Record<string, string> = {}): Promise<Ran> {
    const [hook, ...others] = this.fire(event, env);
    if (hook === undefined || others.length > 0) throw new Error(`not one hook for ${event.hook_event_name}`);
    return hook.ran;
  }

  #run(
    { command, timeout }: z.infer<typeof entry>,
    event: HookEvent,
    env: Record<string, string>,
  ): RunningHook {
    const child = spawn("sh", ["-c", `exec ${command}`], { cwd: this.project, env: this.env(env) });
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.stderr += text;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ session_id: "conversation-1", cwd: this.project, ...event }));
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, timeout * 1000);
    const ran = new Promise<Ran>((done) => {
      child.once("close", (code, signal) => {
        clearTimeout(limit);
        const answer = said.stdout.trim() === "" ? null : JSON.parse(said.stdout);
        done({ code, signal, ...said, command, late, answer });
      });
    });
    return { ran, kill: (signal) => child.kill(signal) };
  }
}

function matches(matcher: string | undefined, { tool_name }: HookEvent): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  return typeof tool_name === "string" && new RegExp(`^(?:${matcher})$`).test(tool_name);
}

function withAskgate(shop: Workshop, project: string): Record<string, string> {
  const bin = join(project, "bin");
  mkdirSync(bin, { recursive: true });
  const program = join(bin, "askgate");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(program, 0o755);
  const env = shop.env();
  return { ...env, PATH: `${bin}:${env.PATH}`, ASKGATE_OPEN: "0" };
}
