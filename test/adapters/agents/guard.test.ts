import { describe, expect, it } from "vitest";
import {
  GUARDED,
  guardReason,
  isAsking,
  isGuarded,
  standing,
} from "../../../src/adapters/agents/hook-guard.ts";

describe("the guard", () => {
  it.each(GUARDED)("guards %s", (tool) => {
    expect(isGuarded(tool, [])).toBe(true);
  });

  it.each([
    "Read",
    "Glob",
    "Grep",
    "WebFetch",
    "AskUserQuestion",
    "ExitPlanMode",
    "mcp__askgate__ask",
    "BashOutput",
    "bash",
  ])("leaves %s alone", (tool) => {
    expect(isGuarded(tool, ["mcp__github__*"])).toBe(false);
  });

  it("guards the tools that the settings name, with * for anything", () => {
    expect(isGuarded("mcp__github__merge", ["mcp__github__*"])).toBe(true);
    expect(isGuarded("xmcp__github__merge", ["mcp__github__*"])).toBe(false);
    expect(isGuarded("aXb", ["a.b"])).toBe(false);
  });

  it("names the path, what is missing and the command that ends the block", () => {
    const missing = guardReason(
      "Bash",
      { stands: true, missing: ["bounds", "unknowns"] },
      "/shop/.askgate/brief.md",
    );
    expect(missing).toContain(
      "the brief in /shop/.askgate/brief.md lacks Boundaries, Unknowns and assumptions.",
    );
    expect(missing).toContain("askgate brief freeze");
    expect(standing({ stands: false, missing: [] }, "/b.md")).toBe("there is no brief in /b.md.");
  });
});

describe("a shell command", () => {
  it.each([
    "askgate ask 'Web UI or terminal?' --option 'Web UI' --option Terminal",
    'askgate ask "What about Ana\'s data?"',
    "  askgate inbox  ",
    "npx askgate wait r_4k2m9x-1 --timeout 8m",
    "askgate brief freeze <<'EOF'\n## Goal\nrm -rf / && $(whoami) `id`\nEOF",
    'askgate clarity up << "END"\n{"title": "a"}\nEND\n',
    "askgate say 'line one\nline two'",
    "askgate --version",
  ])("that only asks may run: %s", (command) => {
    expect(isAsking(command)).toBe(true);
  });

  it.each([
    "ls",
    "",
    "askgate",
    "askgate ask a; rm -rf x",
    "askgate ask a && make",
    "askgate ask a || make",
    "askgate ask a | sh",
    "askgate ask a > src/main.ts",
    "askgate ask a &",
    "askgate ask $(make)",
    "askgate ask `make`",
    'askgate ask "$(make)"',
    'askgate ask "`make`"',
    'askgate ask "a\\" ; make "',
    "askgate ask $'a'",
    "askgate ask <(make)",
    "askgate ask 'a'\nmake",
    "askgate ask 'a",
    "askgate brief freeze <<EOF\n$(make)\nEOF",
    "askgate brief freeze <<'EOF'\n## Goal\nEOF\nmake",
    "askgate brief freeze <<'EOF' && make\n## Goal\nEOF",
    "askgate brief freeze <<'EOF'\n## Goal",
    "askgate brief freeze <<'EOF'\nEOF\nmake\nEOF",
    "askgate clarity up --out src/main.ts",
    "askgate clarity up --out=src/main.ts",
    "askgate clarity up --o'ut' src/main.ts",
    "askgate ask a --log src/main.ts",
    "askgate hook install claude-code --undo --yes",
    "askgate bot stop",
    "askgate mcp",
    "./askgate ask a",
    "PATH=/tmp askgate ask a",
    "npx --yes askgate ask a",
    "npx other ask a",
    "sudo askgate ask a",
    "askgatex ask a",
    "askgate ask a {b,c}",
    "askgate ask ~",
    "askgate ask *",
    "askgate ask a\r\nmake",
  ])("that does more is none: %s", (command) => {
    expect(isAsking(command)).toBe(false);
  });
});
