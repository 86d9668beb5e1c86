/** Recorded shapes of agents' hook events: what comes in, what it comes to, and what goes out. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AGENTS, type AgentName } from "../../../src/adapters/agents/agents.ts";
import type { Agent, Heard, Hearing } from "../../../src/adapters/agents/hook.ts";

const ROOT = join(import.meta.dirname, "../../fixtures/agents");

const result = z.looseObject({ status: z.string() });
const out = z.strictObject({
  heard: z.looseObject({ kind: z.string() }),
  answers: z.record(
    z.string(),
    z.strictObject({
      result: result.optional(),
      reason: z.string().optional(),
      context: z.string().optional(),
      stdout: z.unknown(),
    }),
  ),
});

export interface Fixture {
  /** "2.1.240 Stop" */
  name: string;
  input: Record<string, unknown>;
  out: z.infer<typeof out>;
  hearing: Hearing;
}

export function fixturesOf(agent: AgentName): Fixture[] {
  return readdirSync(join(ROOT, agent)).flatMap((version) => {
    const folder = join(ROOT, agent, version);
    const files = readdirSync(folder).filter((file) => file.endsWith(".in.json"));
    return files.map((file) => fixture(folder, version, file.replace(".in.json", "")));
  });
}

function fixture(folder: string, version: string, event: string): Fixture {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));
  return {
    name: `${version} ${event}`,
    input: z.record(z.string(), z.unknown()).parse(read(`${event}.in.json`)),
    out: out.parse(read(`${event}.out.json`)),
    hearing: { ...HEARING, readText: (path) => textOf(join(folder, path)) },
  };
}

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);

/** The input of one fixture, by its name. */
export function inputOf(agent: AgentName, name: string): Record<string, unknown> {
  const found = fixturesOf(agent).find((one) => one.name.endsWith(` ${name}`));
  if (found === undefined) throw new Error(`no fixture ${name} of ${agent}`);
  return found.input;
}

export const HEARING: Hearing = { chatOnly: false, acceptEdits: false, readText: () => null };

export const load = (agent: AgentName): Promise<Agent> => AGENTS[agent].load();

/** What was heard, as data. */
export function asData(heard: Heard): Record<string, unknown> {
  return Object.fromEntries(Object.entries(heard).filter(([, value]) => typeof value !== "function"));
}

/** What goes to standard output in one case of a fixture. */
export function stdoutOf(agent: Agent, fixture: Fixture, when: string): unknown {
  const given = fixture.out.answers[when];
  if (when === "something went wrong") return agent.refuse(fixture.input, given?.reason ?? "");
  const { heard } = agent.hear(fixture.input, fixture.hearing);
  if (heard.kind === "ask") return heard.answer(result.parse(given?.result));
  if (heard.kind === "guard") return heard.deny(given?.reason ?? "");
  return heard.kind === "start" ? heard.tell(given?.context ?? "") : null;
}
