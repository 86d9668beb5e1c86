/** `hook AGENT` and `hook install AGENT`. What a command does is imported when it runs. */
import { Command, InvalidArgumentError } from "commander";
import { AGENT_NAMES, AGENTS, type AgentName } from "../../adapters/agents/agents.ts";
import { parseDuration } from "../duration.ts";
import { HOOK, HOOK_INSTALL, SKILL } from "../help-hook.ts";
import type { InstallFlags } from "./hook-install.ts";
import type { HookFlags } from "./hook-run.ts";

export function hookCommand(finish: (code: number) => void): Command {
  const hook = new Command("hook")
    .description("answer an agent's own questions, plans and permissions in chat")
    .helpCommand(false)
    .addHelpText("after", HOOK);
  addInstall(hook, finish);
  for (const name of AGENT_NAMES) addAgent(hook, name, finish);
  return hook;
}

function addAgent(hook: Command, name: AgentName, finish: (code: number) => void): void {
  hook
    .command(name)
    .description(`one event of ${AGENTS[name].name}, from standard input`)
    .option("--within <time>", "when the agent stops listening; the answer comes before", within)
    .option("--guard", "deny tools that change something until the brief is complete")
    .option("--chat-only", "ask in chat alone, not beside the agent's own dialog")
    .option("--accept-edits", "an approved plan may be carried out without asking for each edit")
    .action(async (flags: HookFlags) => {
      const { hook: answer } = await import("./hook-run.ts");
      finish(await answer(name, flags));
    });
}

function addInstall(hook: Command, finish: (code: number) => void): void {
  hook
    .command("install")
    .description("put the hooks and the skill into an agent's settings")
    .argument("<agent>", AGENT_NAMES.join(", "), agentName)
    .option("--user", "for all your projects; else for this project")
    .option("--project", "for this project (default)")
    .option("--guard", "also deny tools that change something until the brief is complete")
    .option("--chat-only", "ask in chat alone, not beside the agent's own dialog")
    .option("--accept-edits", "an approved plan may be carried out without asking for each edit")
    .option("--dry-run", "show the change and make none")
    .option("--undo", "take out what was put in, and nothing else")
    .option("--yes", "do not ask")
    .addHelpText("after", HOOK_INSTALL)
    .action(async (name: AgentName, flags: InstallFlags) => {
      const { installHooks } = await import("./hook-install.ts");
      finish(await installHooks(name, flags));
    });
}

export const skillCommand = (finish: (code: number) => void): Command =>
  new Command("skill")
    .description("print what an agent has to know to ask well")
    .addHelpText("after", SKILL)
    .action(async () => {
      const { printSkill } = await import("./skill.ts");
      finish(await printSkill());
    });

const within = (text: string): { ms: number | null } => {
  const ms = parseDuration(text, "--within");
  if (ms === null || ms < 1000) throw new InvalidArgumentError("It must be a time from 1s on.");
  return { ms };
};

function agentName(text: string): AgentName {
  const name = AGENT_NAMES.find((known) => known === text);
  if (name === undefined) throw new InvalidArgumentError(`Known agents: ${AGENT_NAMES.join(", ")}.`);
  return name;
}
