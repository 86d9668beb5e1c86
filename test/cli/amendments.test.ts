import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { amendmentsFile, saveAmendments } from "../../src/cli/amendments.ts";
import { parseBrief } from "../../src/core/brief.ts";
import type { Letter } from "../../src/core/gate.ts";
import { temporaryFolder } from "../support/folder.ts";

const letter = (text: string, more: Partial<Letter> = {}): Letter => ({
  id: "m1",
  text,
  by: "Ana",
  byId: "slack:T1/U1",
  where: "slack",
  at: "2026-12-01T10:00:00Z",
  ...more,
});

const FILE = join(".askgate", "amendments.md");
const BRIEF =
  "# Brief\n\n## Goal\nAn importer\n\n## Acceptance criteria\nIt imports\n\n## Boundaries\nNo UI\n\n## Unknowns and assumptions\nNone\n";

function saved(...letters: Letter[]): string {
  const project = temporaryFolder();
  expect(saveAmendments(project, "s_1", letters)).toEqual({ saved: true, file: FILE });
  return readFileSync(amendmentsFile(project), "utf8");
}

describe("amendments", () => {
  it("say who wrote when and where, and quote it", () => {
    const file = { name: "spec.pdf", type: "application/pdf", url: "https://files.example/spec" };
    const text = saved(letter("also .cc\n\nand .hh"), letter("", { id: "m2", files: [file] }));
    expect(text).toMatch(/^# Amendments\n\n> What people wrote/);
    expect(text).toContain(
      "\n## 2026-12-01T10:00:00Z · s_1/m1 · Ana (slack:T1/U1) in slack\n\n> also .cc\n>\n> and .hh\n",
    );
    expect(text).toContain("> file: spec.pdf (application/pdf) https://files.example/spec\n");
  });

  it.each([
    ["begins with a section's name", "Goal: something else"],
    ["begins with a section's name in Chinese", "边界：不要界面"],
    ["is a heading", "## Boundaries\nnone at all"],
    ["opens code and never closes it", "```\nconst a = 1;"],
    ["opens code in other ways", "~~~\nx\n````\ny"],
    ["begins a comment", "<!-- nobody sees the rest"],
    ["breaks lines as few do", "one\u2028## Goal\rtwo\u0085# Title"],
    ["is from somebody with a name of two lines", "hello"],
  ])("lose nothing and change no section of the brief where the text %s", (what, hostile) => {
    const by = what.includes("name of two lines") ? "Ana\n## Goal" : "Ana";
    const text = saved(letter(hostile, { by }), letter("the last word", { id: "m2" }));
    expect(parseBrief(`${BRIEF}\n${text}`)).toEqual(parseBrief(BRIEF));
    const blocks = marked.lexer(text).filter(({ type }) => type !== "space");
    expect(blocks.map(({ type }) => type)).toEqual([
      ...["heading", "blockquote"],
      ...["heading", "blockquote", "heading", "blockquote"],
    ]);
    expect(blocks.at(-1)?.raw).toContain("> the last word");
  });

  it("are appended, and the same message is not appended twice", () => {
    const project = temporaryFolder();
    saveAmendments(project, "s_1", [letter("one")]);
    saveAmendments(project, "s_1", [letter("one"), letter("two", { id: "m2" })]);
    saveAmendments(project, "s_2", [letter("one")]);
    const text = readFileSync(amendmentsFile(project), "utf8");
    expect(text.match(/^> (one|two)$/gm)).toEqual(["> one", "> two", "> one"]);
  });

  it("go on in a file whose last line has no end", () => {
    const project = temporaryFolder();
    mkdirSync(join(project, ".askgate"));
    writeFileSync(amendmentsFile(project), "by hand");
    saveAmendments(project, "s_1", [letter("one")]);
    expect(readFileSync(amendmentsFile(project), "utf8")).toMatch(/^by hand\n## 2026/);
  });

  it("are not called saved where they are not", () => {
    const project = temporaryFolder();
    mkdirSync(amendmentsFile(project), { recursive: true });
    expect(saveAmendments(project, "s_1", [letter("one")])).toEqual({
      saved: false,
      file: FILE,
      reason: "it is a folder",
    });
  });
});
