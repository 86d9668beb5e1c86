/** What a tool wants to do, as a request for permission that shows all of it. */
import { shorten } from "./hook.ts";

const TITLE = 120;
const COMMAND = 20_000;

export interface ToolCall {
  tool: string;
  input: Record<string, unknown>;
  cwd: string;
}

/** Null where it is too long to be shown: nobody may allow what they have not seen. */
export function permissionPayload({ tool, input, cwd }: ToolCall, agent: string): unknown {
  const { command, description, ...rest } = input;
  const isShell = typeof command === "string" && command.trim() !== "";
  const about = typeof description === "string" ? description.trim() : "";
  const shown = isShell ? command : fieldsOf(input) || tool;
  const others = isShell ? fieldsOf(rest) : "";
  const detail = [`In ${cwd}`, ...(others === "" ? [] : [others])].join("\n\n");
  if (shown.length > COMMAND || detail.length > COMMAND) return null;
  return {
    title: shorten(about === "" ? `${agent} wants to use ${tool}` : `${tool}: ${about}`, TITLE),
    command: shown,
    detail,
  };
}

const fieldsOf = (input: Record<string, unknown>): string =>
  Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
