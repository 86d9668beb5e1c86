/** `hook install`: what it changes, keeps and takes back. Runs what `npm run build` made. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "./askgate.ts";

let shop: Workshop;
let project: string;
beforeAll(() => {
  shop = openWorkshop();
});
beforeEach(() => {
  project = shop.project();
  mkdirSync(join(project, ".git"));
});
afterAll(() => shop.close());

const install = (...args: string[]) => shop.run(["hook", "install", ...args], { cwd: project });

const path = (...parts: string[]): string => join(project, ...parts);
const read = (...parts: string[]): string => readFileSync(path(...parts), "utf8");
const put = (file: string, text: string): void => {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), text);
};

const SETTINGS = ".claude/settings.json";
const SKILL = ".claude/skills/askgate/SKILL.md";
const MINE = {
  model: "opus",
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./lint.sh" }] }],
    Notification: [{ hooks: [{ type: "command", command: "notify-send askgate hook" }] }],
  },
};

const commandsIn = (text: string): string[] =>
  [...text.matchAll(/"command": "(.*)"/g)].map(([, command]) => command ?? "");

describe("askgate hook install claude-code", () => {
  it("makes the settings and the skill, and says what it made", async () => {
    const { code, stdout, stderr } = await install("claude-code", "--yes");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(`+     "PermissionRequest": [`);
    expect(stderr).toContain(`wrote ${path(SKILL)}`);
    expect(Object.keys(JSON.parse(read(SETTINGS)).hooks)).toEqual([
      "PreToolUse",
      "PermissionRequest",
      "PostToolUse",
      "UserPromptSubmit",
      "Stop",
      "SubagentStop",
      "SessionStart",
    ]);
    expect(read(SKILL)).toBe((await shop.run(["skill"])).stdout);
  });

  it("gives each hook the time that it tells it", async () => {
    await install("claude-code", "--yes", "--guard");
    const entries = [...read(SETTINGS).matchAll(/--within (\d+)s.*",\s+"timeout": (\d+)/g)];
    expect(entries.length).toBeGreaterThan(7);
    for (const [, told, given] of entries) expect(told).toBe(given);
  });

  it("leaves what is there, keeps it beside, and takes out only its own", async () => {
    const before = `${JSON.stringify(MINE, null, 4)}\n`;
    put(SETTINGS, before);
    expect((await install("claude-code", "--yes", "--guard")).code).toBe(0);
    const there = JSON.parse(read(SETTINGS));
    expect(there).toMatchObject({ model: "opus", hooks: { Notification: MINE.hooks.Notification } });
    expect(there.hooks.PreToolUse[0]).toEqual(MINE.hooks.PreToolUse[0]);
    const [kept] = readdirSync(path(".claude")).filter((name) => name.endsWith(".bak"));
    expect(read(".claude", kept ?? "")).toBe(before);
    expect((await install("claude-code", "--undo", "--yes")).code).toBe(0);
    expect(read(SETTINGS)).toBe(before);
    expect(existsSync(path(SKILL))).toBe(false);
  });

  it("changes nothing the second time, nor where nothing is to be taken out", async () => {
    expect((await install("claude-code", "--undo", "--yes")).stderr).toBe(
      "nothing of askgate stands there\n",
    );
    await install("claude-code", "--yes");
    const before = read(SETTINGS);
    expect((await install("claude-code", "--yes")).stderr).toBe("everything is in place already\n");
    expect(read(SETTINGS)).toBe(before);
    expect(readdirSync(path(".claude")).sort()).toEqual(["settings.json", "skills"]);
  });

  it("is up to date after it was installed otherwise", async () => {
    await install("claude-code", "--yes", "--guard", "--chat-only");
    expect(commandsIn(read(SETTINGS)).some((command) => command.includes("--guard"))).toBe(true);
    await install("claude-code", "--yes", "--accept-edits");
    const commands = commandsIn(read(SETTINGS));
    expect(commands.every((command) => command.includes("--accept-edits"))).toBe(true);
    expect(commands.join("\n")).not.toMatch(/--guard|--chat-only/);
  });

  it("shows the change and makes none with --dry-run, nor where nobody can agree", async () => {
    const dry = await install("claude-code", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(`${path(SETTINGS)} (new)`) });
    const unasked = await install("claude-code");
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("Pass --yes") });
    expect(existsSync(path(".claude"))).toBe(false);
  });

  it.each([
    ["{ no", /settings\.json:1:3: malformed JSON/],
    ["[]", /settings\.json: <root>: expected an object/],
    ['{"hooks": []}', /settings\.json: hooks: expected an object/],
    ['{"hooks": {"Stop": {}}}', /settings\.json: hooks\.Stop: expected a list/],
  ])("leaves a settings file as it is that it does not understand: %s", async (text, words) => {
    put(SETTINGS, text);
    const { code, stderr } = await install("claude-code", "--yes");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) });
    expect(read(SETTINGS)).toBe(text);
    expect(readdirSync(path(".claude"))).toEqual(["settings.json"]);
  });

  it("leaves a skill of that name alone that is not its own", async () => {
    put(SKILL, "mine\n");
    expect((await install("claude-code", "--yes")).stderr).toContain("is not askgate's skill");
    await install("claude-code", "--undo", "--yes");
    expect(read(SKILL)).toBe("mine\n");
  });

  it("follows a link to the settings, which stays one", async () => {
    put("dotfiles/settings.json", "{}\n");
    mkdirSync(path(".claude"));
    symlinkSync(path("dotfiles/settings.json"), path(SETTINGS));
    await install("claude-code", "--yes");
    expect(read("dotfiles/settings.json")).toContain("hook claude-code");
    expect(read(SETTINGS)).toBe(read("dotfiles/settings.json"));
  });

  it("guards what the project's settings name", async () => {
    put("askgate.json", JSON.stringify({ guard: { tools: ["mcp__git.hub__*"] } }));
    await install("claude-code", "--yes");
    const matchers = JSON.parse(read(SETTINGS)).hooks.PreToolUse.map(
      ({ matcher }: { matcher: string }) => matcher,
    );
    expect(matchers[1]).toBe("Bash|Write|Edit|MultiEdit|NotebookEdit|Task|Agent|mcp__git\\.hub__.*");
  });

  it("names askgate where the agent's shell finds it, and not where npx put it for a moment", async () => {
    for (const folder of ["bin", "node_modules/.bin"]) {
      put(`${folder}/askgate`, "#!/bin/sh\n");
      chmodSync(path(folder, "askgate"), 0o755);
      const env = { PATH: `${path(folder)}:${process.env.PATH}` };
      await shop.run(["hook", "install", "claude-code", "--yes"], { cwd: project, env });
      const named = commandsIn(read(SETTINGS)).every((command) => command.startsWith("askgate hook "));
      expect({ folder, named }).toEqual({ folder, named: folder === "bin" });
    }
  });

  it("installs for all projects of the user", async () => {
    const home = shop.project();
    const how = { cwd: project, env: { CLAUDE_CONFIG_DIR: join(home, "claude") } };
    await shop.run(["hook", "install", "claude-code", "--user", "--yes"], how);
    expect(readFileSync(join(home, "claude/settings.json"), "utf8")).toContain("hook claude-code");
    expect(existsSync(join(home, "claude/skills/askgate/SKILL.md"))).toBe(true);
    expect(existsSync(path(".claude"))).toBe(false);
  });
});

describe("askgate hook install codex", () => {
  it("puts two hooks into hooks.json, and the skill where Codex looks, and says that they need trust", async () => {
    const { stderr } = await install("codex", "--yes");
    expect(stderr).toContain("trust");
    expect(Object.keys(JSON.parse(read(".codex/hooks.json")).hooks)).toEqual(["PermissionRequest", "Stop"]);
    expect(existsSync(path(".agents/skills/askgate/SKILL.md"))).toBe(true);
    await install("codex", "--undo", "--yes");
    expect(existsSync(path(".codex/hooks.json"))).toBe(false);
  });
});

it("an agent that is not known is named with those that are", async () => {
  expect(await install("emacs")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("claude-code, codex"),
  });
});

describe("askgate doctor", () => {
  const agents = async (): Promise<string[]> => {
    const { stdout } = await shop.run(["doctor", "--json"], { cwd: project });
    const checks: { about: string; state: string; detail: string }[] = JSON.parse(stdout);
    return checks.flatMap(({ about, state, detail }) => (about === "agents" ? [`${state} ${detail}`] : []));
  };

  it("says where hooks are, whether they guard, and what they are known to fit", async () => {
    expect(await agents()).toEqual([]);
    await install("claude-code", "--yes", "--guard");
    expect(await agents()).toEqual([`ok hooks in ${path(SETTINGS)}, guarding; shapes of 2.1.240`]);
  });

  it("says when the guard is on in the settings and not in the hooks", async () => {
    await install("claude-code", "--yes");
    put("askgate.json", JSON.stringify({ guard: true }));
    expect(await agents()).toEqual([expect.stringMatching(/^failed .+without the guard/)]);
  });
});
