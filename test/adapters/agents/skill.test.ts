import { describe, expect, it } from "vitest";
import { isSkill, skill } from "../../../src/adapters/agents/skill.ts";
import { buildProgram } from "../../../src/cli/program.ts";
import { parseBrief } from "../../../src/core/brief.ts";
import { parseClarity } from "../../../src/core/payload.ts";

const text = skill();

describe("the skill", () => {
  it("is short, and known as ours", () => {
    expect(text.split("\n").length).toBeLessThan(121);
    expect(isSkill(text)).toBe(true);
    expect(isSkill("---\nname: other\n---\n")).toBe(false);
  });

  it("names commands that there are", () => {
    const known = buildProgram(() => {}).commands.flatMap((command) => [
      command.name(),
      ...command.commands.map((child) => `${command.name()} ${child.name()}`),
    ]);
    const named = [...text.matchAll(/`?askgate ((?:clarity|plan|brief) [a-z]+|[a-z]+)/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(15);
    expect(known).toEqual(expect.arrayContaining(named));
  });

  it("shows a payload and a brief that are accepted", () => {
    const heredocs = [...text.matchAll(/<<'EOF'\n([\s\S]*?)\n +EOF\n/g)].map(([, body]) => body ?? "");
    expect(parseClarity(JSON.parse(heredocs[0] ?? "")).decisions).toHaveLength(2);
    expect(parseBrief(heredocs.at(-1) ?? "").missing).toEqual([]);
  });
});
