/**
 * Hooks as a new user has them: installed in a project, run by the agent as it runs them, answered on a surface. And with a
 * bot that is down, slow, restarted or killed in between: the agent always gets an answer, and never a yes that nobody gave.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { inputOf } from "../adapters/agents/hook-fixtures.ts";
import { openWorkshop, press, type Workshop } from "../cli/askgate.ts";
import { until } from "../support/until.ts";
import { type HookEvent, HookedAgent } from "./hook-agent.ts";

let shop: Workshop;
let gate: Client;
beforeAll(async () => {
  shop = openWorkshop();
  await shop.run(["bot", "start"]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await shop.close();
});

const SETTINGS = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" } as const;

/** An agent in a project of its own, with its hooks installed. */
async function agentWith(name: keyof typeof SETTINGS, ...flags: string[]): Promise<HookedAgent> {
  const agent = new HookedAgent(shop, shop.project(), SETTINGS[name]);
  const how = { cwd: agent.project, env: agent.env() };
  const installed = await shop.run(["hook", "install", name, "--yes", ...flags], how);
  expect(installed).toMatchObject({ code: 0, stdout: "" });
  return agent;
}

/** The event of a fixture, as it comes in this conversation. */
function event(agent: keyof typeof SETTINGS, name: string, more: Record<string, unknown> = {}): HookEvent {
  const { session_id: _session, cwd: _cwd, ...input } = inputOf(agent, name);
  return { ...input, hook_event_name: String(input.hook_event_name), ...more };
}
const claude = (name: string, more = {}): HookEvent => event("claude-code", name, more);

/** The round that an agent's hook waits on. */
const waitedFor = ({ project }: HookedAgent): Promise<string> =>
  until(async () => {
    const selector = { project, session: null, agentSession: "conversation-1" };
    return (await gate.held(selector, "hook:"))[0]?.round ?? false;
  });

const pick = async (round: string): Promise<void> => {
  await press(gate, round, "pick", { target: "d0", values: ["o0"] });
  await press(gate, round, "pick", { target: "d1", values: ["o0", "o2"] });
  await press(gate, round, "send");
};

const ANSWERS = {
  "Which way should people log in?": "Magic link (Recommended)",
  "Which languages should the mails have?": "English, Chinese",
};

describe("Claude Code", () => {
  it.each(["plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"])(
    "in mode %s has its questions answered in chat",
    async (permission_mode) => {
      const agent = await agentWith("claude-code");
      const asked = claude("PreToolUse-AskUserQuestion", { permission_mode });
      const answer = agent.answerTo(asked);
      await pick(await waitedFor(agent));
      const { code, stderr, answer: read } = await answer;
      expect({ code, stderr, read }).toEqual({
        code: 0,
        stderr: "",
        read: {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "allow",
            updatedInput: { ...Object(asked.tool_input), answers: ANSWERS },
          },
        },
      });
    },
  );

  it("in the default mode has them answered beside its dialog, by one hook only", async () => {
    const agent = await agentWith("claude-code");
    const before = await agent.answerTo(claude("PreToolUse-AskUserQuestion-beside"));
    expect(before).toMatchObject({ code: 0, stdout: "" });
    const answer = agent.answerTo(claude("PermissionRequest-AskUserQuestion"));
    await pick(await waitedFor(agent));
    expect((await answer).answer).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "allow", updatedInput: { answers: ANSWERS } } },
    });
  });

  it("has its plan sent back with the comments, and approved, in one session", async () => {
    const agent = await agentWith("claude-code", "--accept-edits");
    const first = agent.answerTo(claude("PermissionRequest-ExitPlanMode"));
    const round = await waitedFor(agent);
    await press(gate, round, "comment", { target: "b2", words: "also rate-limit" });
    await press(gate, round, "revise");
    expect((await first).answer).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "deny", message: expect.stringMatching(/¶3 “## Risks” — .+also rate-limit/) },
      },
    });
    const again = agent.answerTo(claude("PermissionRequest-ExitPlanMode"));
    const next = await waitedFor(agent);
    expect(next.split("-")[0]).toBe(round.split("-")[0]);
    await press(gate, next, "approve");
    expect((await again).answer).toMatchObject({
      hookSpecificOutput: {
        decision: {
          behavior: "allow",
          updatedInput: { plan: expect.any(String) },
          updatedPermissions: [{ mode: "acceptEdits" }],
        },
      },
    });
  });

  it("is allowed and denied a command, each time anew", async () => {
    const agent = await agentWith("claude-code");
    const first = agent.answerTo(claude("PermissionRequest-Bash"));
    await press(gate, await waitedFor(agent), "allow");
    expect((await first).answer).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    const second = agent.answerTo(claude("PermissionRequest-Bash"));
    await press(gate, await waitedFor(agent), "deny", { words: "not on a Friday" });
    expect((await second).answer).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "deny", message: expect.stringContaining("not on a Friday") },
      },
    });
  });

  it("asks for two commands that are the same twice: one yes is for one of them", async () => {
    const agent = await agentWith("claude-code");
    const both = [1, 2].map(() => agent.answerTo(claude("PermissionRequest-Bash")));
    const selector = { project: agent.project, session: null, agentSession: null };
    const rounds = await until(async () => {
      const held = await gate.held(selector, "hook:main:permission:");
      return held.length === 2 ? held : false;
    });
    await press(gate, rounds[0]?.round ?? "", "allow");
    await press(gate, rounds[1]?.round ?? "", "deny");
    const read = (await Promise.all(both)).map(({ stdout }) => /"behavior":"(\w+)"/.exec(stdout)?.[1]);
    expect(read.sort()).toEqual(["allow", "deny"]);
  });
});

describe("the first answer wins", () => {
  const CASES = [
    ["a question", "PermissionRequest-AskUserQuestion", claude("PostToolUse-AskUserQuestion")],
    [
      "a command that was run",
      "PermissionRequest-Bash",
      claude("PostToolUse-Bash", { tool_input: claude("PermissionRequest-Bash").tool_input }),
    ],
    ["a command that was denied", "PermissionRequest-Bash", claude("UserPromptSubmit")],
    ["a plan that was sent back", "PermissionRequest-ExitPlanMode", claude("Stop")],
    ["what a subagent asked", "PermissionRequest-Write-subagent", claude("SubagentStop")],
  ] as const;

  it.each(CASES)(
    "at the terminal: %s says so on its card, and the hook says nothing more",
    async (_, name, next) => {
      const agent = await agentWith("claude-code");
      const answer = agent.answerTo(claude(name));
      const round = await waitedFor(agent);
      expect(await agent.answerTo(next)).toMatchObject({ code: 0, stdout: "" });
      expect(await answer).toMatchObject({ code: 0, stdout: "" });
      expect((await gate.show(round)).outcomes).toMatchObject([{ status: "cancelled", where: "terminal" }]);
    },
  );

  it("and what another asker has open stays open", async () => {
    const agent = await agentWith("claude-code");
    const answer = agent.answerTo(claude("PermissionRequest-Write-subagent"));
    const round = await waitedFor(agent);
    for (const next of ["Stop", "UserPromptSubmit", "PostToolUse-Bash"]) await agent.answerTo(claude(next));
    await press(gate, round, "allow");
    expect((await answer).answer).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
  });

  it("and a hook that the agent ends takes its question back", async () => {
    const agent = await agentWith("claude-code");
    const [hook] = agent.fire(claude("PermissionRequest-AskUserQuestion"));
    const round = await waitedFor(agent);
    hook?.kill("SIGTERM");
    expect(await hook?.ran).toMatchObject({ code: 143, stdout: "" });
    expect((await gate.show(round)).outcomes).toMatchObject([{ status: "cancelled" }]);
  });
});

describe("nobody in time", () => {
  const within = (agent: HookedAgent, name: string, ...args: string[]) => {
    const input = JSON.stringify({ session_id: "conversation-1", cwd: agent.project, ...claude(name) });
    return shop.run(["hook", "claude-code", ...args], { input, cwd: agent.project, env: agent.env() });
  };

  it.each([
    ["PreToolUse-AskUserQuestion", "Nobody has answered yet"],
    ["PermissionRequest-AskUserQuestion", "Nobody has answered yet"],
    ["PermissionRequest-ExitPlanMode", "not approved"],
    ["PermissionRequest-Bash", "denied"],
  ])("%s is denied with what to do, before the agent stops listening", async (name, words) => {
    const agent = await agentWith("claude-code");
    const began = performance.now();
    const { code, stdout } = await within(agent, name, "--within", "6s");
    expect({ code, inTime: performance.now() - began < 6000 }).toEqual({ code: 0, inTime: true });
    expect(stdout).toContain('"deny"');
    expect(stdout).toContain(words);
  });

  it("leaves the question open, and asking again attaches to it", async () => {
    const agent = await agentWith("claude-code");
    await within(agent, "PreToolUse-AskUserQuestion", "--within", "6s");
    const round = await waitedFor(agent);
    const answer = agent.answerTo(claude("PreToolUse-AskUserQuestion"));
    await until(async () => {
      const [held] = await gate.held({ project: agent.project, session: null, agentSession: null }, "hook:");
      return held?.late === false;
    });
    await pick(round);
    expect((await answer).stdout).toContain("Magic link");
  });

  it("has the settings' deadline where that comes first", async () => {
    const agent = await agentWith("claude-code");
    writeFileSync(join(agent.project, "askgate.json"), JSON.stringify({ timeout: "1s" }));
    expect((await within(agent, "PermissionRequest-Bash", "--within", "10m")).stdout).toContain('"deny"');
  });
});

describe("a bot that", () => {
  const ASKED = claude("PreToolUse-AskUserQuestion");
  const pid = async (): Promise<number> => (await gate.health()).pid;
  const input = (agent: HookedAgent, one: HookEvent): string =>
    JSON.stringify({ session_id: "conversation-1", cwd: agent.project, ...one });

  it.each(["SIGKILL", "SIGTERM"] as const)("ends by %s in between loses no answer", async (signal) => {
    const agent = await agentWith("claude-code");
    const answer = agent.answerTo(ASKED);
    const round = await waitedFor(agent);
    const before = await pid();
    process.kill(before, signal);
    await until(async () => (await pid().catch(() => before)) !== before);
    await pick(round);
    expect(await answer).toMatchObject({ code: 0, late: false, stderr: "" });
    expect((await answer).stdout).toContain("Magic link");
  });

  const CLOSED = [
    ["PreToolUse-AskUserQuestion", /"permissionDecision":"deny".+Go on by your own judgement/],
    ["PreToolUse-ExitPlanMode", /"permissionDecision":"deny".+not approved/],
    ["PermissionRequest-AskUserQuestion", /^\{"systemMessage":"askgate: .+Please decide here/],
    ["PermissionRequest-ExitPlanMode", /^\{"systemMessage":"askgate: .+Please decide here/],
    ["PermissionRequest-Bash", /^\{"systemMessage":"askgate: .+Please decide here/],
  ] as const;

  it.each(CLOSED)("cannot be started leaves %s to be denied, or to the terminal", async (name, answer) => {
    const agent = await agentWith("claude-code");
    const env = { ASKGATE_STATE_DIR: shop.file("no-folder", "a file") };
    const ran = await agent.answerTo(claude(name), env);
    expect(ran).toMatchObject({ code: 0, late: false });
    expect(ran.stdout).toMatch(answer);
    expect(ran.stdout + ran.stderr).not.toMatch(/\n\s+at /);
  });

  it("does not answer is given up on before the agent stops listening", async () => {
    const agent = await agentWith("claude-code");
    const stopped = await pid();
    process.kill(stopped, "SIGSTOP");
    try {
      const began = performance.now();
      const how = { input: input(agent, ASKED), cwd: agent.project, env: agent.env() };
      const { code, stdout } = await shop.run(["hook", "claude-code", "--within", "8s"], how);
      expect({ code, inTime: performance.now() - began < 8000 }).toEqual({ code: 0, inTime: true });
      expect(stdout).toMatch(/"permissionDecision":"deny".+took longer/);
    } finally {
      process.kill(stopped, "SIGCONT");
    }
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "not json"],
    ["half an event", '{"session_id":"a","hook_event_name":"PreTool'],
  ])("is sent %s by its agent blocks by its exit code", async (_, text) => {
    const { code, stdout, stderr } = await shop.run(["hook", "claude-code"], { input: text });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("the event could not be read");
  });

  it("is sent another shape denies what would go on by itself", async () => {
    const { session_id: _, ...odd } = { ...ASKED, session_id: 1, cwd: 2 };
    const { code, stdout } = await shop.run(["hook", "claude-code"], { input: JSON.stringify(odd) });
    expect(code).toBe(0);
    expect(stdout).toMatch(/"permissionDecision":"deny".+another shape/);
  });
});

describe("Codex", () => {
  const codex = (name: string, more = {}): HookEvent => event("codex", name, more);

  it("has a command allowed or denied", async () => {
    const agent = await agentWith("codex");
    const answer = agent.answerTo(codex("PermissionRequest-Bash"));
    await press(gate, await waitedFor(agent), "allow");
    expect((await answer).answer).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
  });

  it("has its plan sent back with the comments", async () => {
    const agent = await agentWith("codex");
    const answer = agent.answerTo(codex("Stop"));
    const round = await waitedFor(agent);
    await press(gate, round, "comment", { target: "b0", words: "call it sign-in" });
    await press(gate, round, "revise");
    expect((await answer).answer).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("call it sign-in"),
    });
  });

  it("ends its turn where there is no plan, and where nobody can be asked", async () => {
    const agent = await agentWith("codex");
    expect(await agent.answerTo(codex("Stop-no-plan"))).toMatchObject({ code: 0, stdout: "" });
    const env = { ASKGATE_STATE_DIR: shop.file("no-folder", "a file") };
    expect((await agent.answerTo(codex("Stop"), env)).answer).toEqual({
      systemMessage: expect.stringContaining("Please decide here."),
    });
  });
});
