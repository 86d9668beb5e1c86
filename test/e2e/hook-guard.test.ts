/** The guard as Claude Code runs it: tool by brief, for the main thread and for subagents. Runs what `npm run build` made. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../cli/askgate.ts";
import { HookedAgent } from "./hook-agent.ts";

const SETTINGS = ".claude/settings.json";
const START = { hook_event_name: "SessionStart", source: "startup" };

let shop: Workshop;
beforeAll(() => {
  shop = openWorkshop();
});
afterAll(() => shop.close());

describe("the guard", () => {
  const TOOLS = [
    "Bash",
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Task",
    "Agent",
    "mcp__files__write",
    "Read",
    "Grep",
    "mcp__askgate__ask",
  ];
  const GUARDED = new Set(TOOLS.slice(0, 8));
  const FOUR = "## Goal\na\n## Acceptance criteria\nb\n## Boundaries\nc\n## Unknowns and assumptions\nd\n";
  const BRIEFS = {
    absent: null,
    empty: "",
    "lacking a section": FOUR.slice(0, FOUR.indexOf("## Unknowns")),
    "not UTF-8": Buffer.from([0xff, 0xfe, 0x80]),
    complete: FOUR,
  };

  let agent: HookedAgent;
  beforeAll(async () => {
    const file = shop.project();
    agent = new HookedAgent(shop, file, SETTINGS);
    writeFileSync(join(file, "askgate.json"), JSON.stringify({ guard: { tools: ["mcp__files__*"] } }));
    const how = { cwd: file, env: agent.env() };
    await shop.run(["hook", "install", "claude-code", "--yes", "--user"], {
      ...how,
      env: { ...how.env, CLAUDE_CONFIG_DIR: join(file, ".claude") },
    });
  });

  const useOf = async (tool_name: string, more: Record<string, unknown> = {}): Promise<string> => {
    const hooks = agent.fire({
      hook_event_name: "PreToolUse",
      permission_mode: "bypassPermissions",
      tool_name,
      tool_input: {},
      ...more,
    });
    const ran = await Promise.all(hooks.map((hook) => hook.ran));
    return ran.map(({ stdout }) => stdout).join("");
  };

  it.each(Object.keys(BRIEFS))("with a brief that is %s", async (state) => {
    const brief = Object.entries(BRIEFS).find(([name]) => name === state)?.[1] ?? null;
    mkdirSync(join(agent.project, ".askgate"), { recursive: true });
    if (brief !== null) writeFileSync(join(agent.project, ".askgate", "brief.md"), brief);
    for (const agent_id of [undefined, "a7f3c2"]) {
      const denied = await Promise.all(TOOLS.map(async (tool) => (await useOf(tool, { agent_id })) !== ""));
      const wanted = TOOLS.map((tool) => state !== "complete" && GUARDED.has(tool));
      expect(Object.fromEntries(TOOLS.map((tool, at) => [tool, denied[at]]))).toEqual(
        Object.fromEntries(TOOLS.map((tool, at) => [tool, wanted[at]])),
      );
    }
  });

  it("lets the agent ask and freeze the brief, names that, and ends with it", async () => {
    const project = shop.project();
    const other = new HookedAgent(shop, project, SETTINGS);
    await shop.run(["hook", "install", "claude-code", "--yes", "--guard"], {
      cwd: project,
      env: other.env(),
    });
    const bash = async (command: string): Promise<string> =>
      (await other.answerTo({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } }))
        .stdout;
    expect(await bash("make")).toMatch(/"deny".+askgate brief freeze/);
    expect(await bash(`askgate brief freeze <<'EOF'\n${FOUR}EOF`)).toBe("");
    mkdirSync(join(project, ".askgate"));
    writeFileSync(join(project, ".askgate", "brief.md"), FOUR);
    expect(await bash("make")).toBe("");
  });

  it("looks at the project in which the agent was started, wherever its commands stand", async () => {
    const project = shop.project();
    const other = new HookedAgent(shop, project, SETTINGS);
    await shop.run(["hook", "install", "claude-code", "--yes", "--guard"], {
      cwd: project,
      env: other.env(),
    });
    mkdirSync(join(project, ".askgate"));
    writeFileSync(join(project, ".askgate", "brief.md"), FOUR);
    const write = { hook_event_name: "PreToolUse", tool_name: "Write", tool_input: {}, cwd: shop.project() };
    expect((await other.answerTo(write)).stdout).toContain('"deny"');
    expect((await other.answerTo(write, { CLAUDE_PROJECT_DIR: project })).stdout).toBe("");
  });

  it("denies where the settings cannot be read", async () => {
    const project = shop.project();
    const other = new HookedAgent(shop, project, SETTINGS);
    await shop.run(["hook", "install", "claude-code", "--yes", "--guard"], {
      cwd: project,
      env: other.env(),
    });
    writeFileSync(join(project, "askgate.json"), "{ not json");
    const ran = await other.answerTo({ hook_event_name: "PreToolUse", tool_name: "Write", tool_input: {} });
    expect(ran.stdout).toMatch(/"deny".+askgate\.json:1:3: malformed JSON/);
  });

  it("tells a new conversation where the brief is and how it stands, and nothing of what is in it", async () => {
    const start = async (): Promise<string> => (await agent.answerTo(START)).stdout;
    writeFileSync(join(agent.project, ".askgate", "brief.md"), FOUR.slice(0, FOUR.indexOf("## Boundaries")));
    writeFileSync(join(agent.project, ".askgate", "qa.md"), "secret question");
    expect(await start()).toContain(
      `${join(agent.project, ".askgate", "brief.md")} lacks Boundaries, Unknowns and assumptions.`,
    );
    writeFileSync(join(agent.project, ".askgate", "brief.md"), FOUR.replace("\na\n", "\nsecret goal\n"));
    expect(await start()).toMatch(/is complete\. Read it/);
    expect(await start()).not.toMatch(/secret|qa\.md/);
  });
});
