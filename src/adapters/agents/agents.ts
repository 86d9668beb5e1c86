/**
 * The agents whose hooks askgate speaks: one file each, loaded when it is needed, because parsing an event costs more than
 * the rest of a command's start.
 */
import type { Agent } from "./hook.ts";

export const AGENTS = {
  "claude-code": {
    name: "Claude Code",
    program: "claude",
    load: async (): Promise<Agent> => (await import("./claude-code.ts")).claudeCode,
  },
  codex: {
    name: "Codex",
    program: "codex",
    load: async (): Promise<Agent> => (await import("./codex.ts")).codex,
  },
} as const;

export type AgentName = keyof typeof AGENTS;

export const AGENT_NAMES: AgentName[] = ["claude-code", "codex"];
