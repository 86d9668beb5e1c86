import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { renderBrief } from "../../src/core/brief-file.ts";
import { archived, at, brief, inItsOwnProject, project, put, read, reply, streams } from "./brief-project.ts";

inItsOwnProject();

const full = (goal: string): string =>
  `## Goal\n${goal}\n## Acceptance\nA\n## Boundaries\nB\n## Unknowns\nU\n`;
const FROZEN = renderBrief({ goal: "G", accept: "A", bounds: "B", unknowns: "U" }, "en");

describe("brief check", () => {
  it("takes a complete reply", async () => {
    const { code, stdout } = await brief("check", reply(full("G")));
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, status: "valid", missing: [] });
  });

  it("names what is missing, in the reply's language or another", async () => {
    const file = reply("## Ziel\nG\n## Grenzen\nB");
    const { code, stdout, stderr } = await brief("check", file);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 2,
      status: "invalid",
      missing: ["Abnahmekriterien", "Unbekanntes und Annahmen"],
      missingKeys: ["accept", "unknowns"],
      answered: [],
    });
    expect(stderr).toContain("missing: Abnahmekriterien, Unbekanntes und Annahmen");
    expect(JSON.parse((await brief("check", file, "--locale", "fr")).stdout).missing[0]).toBe(
      "Critères d'acceptation",
    );
  });

  it("looks at the project's brief, from any folder in it", async () => {
    put(join(project, "askgate.json"), "{}");
    mkdirSync(join(project, "deep"));
    vi.mocked(process.cwd).mockReturnValue(join(project, "deep"));
    expect(JSON.parse((await brief("check")).stdout)).toMatchObject({
      status: "invalid",
      reason: "there is no brief yet: .askgate/brief.md",
    });
    put(at("brief.md"), FROZEN);
    expect(await brief("check")).toMatchObject({ code: 0 });
    put(at("brief.md"), FROZEN.replace("\nA\n", "\n(left empty)\n"));
    expect(JSON.parse((await brief("check")).stdout)).toMatchObject({ missing: ["Acceptance criteria"] });
  });

  it("counts no brief where people want to be asked anew", async () => {
    put(at("brief.md"), FROZEN);
    const { code, stdout, stderr } = await brief("check", "--always-ask");
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 2, status: "invalid", missing: [] });
    expect(stderr).toContain("people want to be asked anew");
  });

  it("starts no bot to learn that nothing was asked", async () => {
    const { stdout } = await brief("check");
    expect(JSON.parse(stdout).note).toBe("no bot runs and nothing is kept: no question was asked here");
    expect(readdirSync(project)).toEqual([]);
  });

  it("says of a placeholder that freezing will not take it", async () => {
    const { code, stderr } = await brief("check", reply(full("(left empty)")));
    expect(code).toBe(0);
    expect(stderr).toContain("Goal holds only a placeholder");
  });
});

describe("brief freeze", () => {
  it("writes a complete reply, whole, and leaves nothing else", async () => {
    const { code, stdout } = await brief("freeze", reply(`Sure.\n\n${full("a wiki")}`));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      status: "submitted",
      file: ".askgate/brief.md",
      sections: { goal: "a wiki", accept: "A", bounds: "B", unknowns: "U" },
    });
    expect(readdirSync(at())).toEqual(["brief.md"]);
    expect(read("brief.md")).toContain("## Acceptance criteria\n\nA\n");
  });

  it("writes in the reply's language, unless told another", async () => {
    await brief("freeze", reply("## 目标\n甲\n## 验收\n乙\n## 边界\n丙\n## 假设\n丁"));
    expect(read("brief.md")).toContain("# 需求确认书");
    await brief("freeze", reply(full("G")), "--locale", "es");
    expect(read("brief.md")).toContain("# Encargo");
  });

  it("changes nothing for an incomplete one", async () => {
    put(at("brief.md"), FROZEN);
    const { code, stdout } = await brief("freeze", reply("## Goal\nother"));
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 2, status: "invalid", answered: [] });
    expect(read("brief.md")).toBe(FROZEN);
    expect(readdirSync(at())).toEqual(["brief.md"]);
  });

  it("archives another brief first, whatever its bytes, and the same one never", async () => {
    const bytes = Uint8Array.of(0x23, 0xff);
    put(at("brief.md"), bytes);
    const { stdout } = await brief("freeze", reply(full("first")));
    const [folder = ""] = archived();
    expect(JSON.parse(stdout).archived).toBe(`.askgate/archive/${folder}/brief.md`);
    expect(readFileSync(at("archive", folder, "brief.md"))).toEqual(Buffer.from(bytes));
    expect(JSON.parse((await brief("freeze", reply(full("first")))).stdout)).not.toHaveProperty("archived");
    await brief("freeze", reply(full("second")));
    await brief("freeze", reply(full("third")));
    const goals = archived().map((name) => readFileSync(at("archive", name, "brief.md"), "utf8"));
    expect(
      goals
        .slice(1)
        .map((text) => /first|second/.exec(text)?.[0])
        .toSorted(),
    ).toEqual(["first", "second"]);
    expect(read("brief.md")).toContain("third");
  });

  it("keeps what people wrote since", async () => {
    put(at("amendments.md"), "# Amendments\n\n> and a logo\n");
    await brief("freeze", reply(full("G")));
    expect(read("amendments.md")).toContain("and a logo");
  });

  it("refuses what cannot be written, exactly", async () => {
    put(at(), "a file");
    await expect(brief("freeze", reply(full("G")))).rejects.toMatchObject({
      message: expect.stringContaining(at()),
    });
    expect(readFileSync(at(), "utf8")).toBe("a file");
  });
});

describe("a brief that is none", () => {
  const commands = [["check"], ["show"], ["prompt"], ["freeze", "reply.md"], ["new"]];

  const fails = async (args: string[], said: string): Promise<void> => {
    const file = reply(full("G"));
    const given = args.map((arg) => (arg === "reply.md" ? file : arg));
    await expect(brief(...given)).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining(said),
    });
    expect(streams.stdout).toBe("");
  };

  it.each(commands)("is a symbolic link: brief %s", async (...args) => {
    const target = put(join(project, "secret"), FROZEN);
    mkdirSync(at());
    symlinkSync(target, at("brief.md"));
    await fails(args, "brief.md is a symbolic link");
    expect(readFileSync(target, "utf8")).toBe(FROZEN);
  });

  it.each(commands)("is a folder: brief %s", async (...args) => {
    mkdirSync(at("brief.md"), { recursive: true });
    await fails(args, "brief.md is a folder");
  });

  it.each([["check"], ["show"], ["prompt"]])("is no UTF-8: brief %s", async (...args) => {
    put(at("brief.md"), Uint8Array.of(0x23, 0xff));
    await fails(args, "brief.md is not UTF-8 text");
  });

  it.skipIf(process.getuid?.() === 0)("may not be read", async () => {
    chmodSync(put(at("brief.md"), FROZEN), 0o000);
    await fails(["check"], "brief.md: permission denied");
  });
});

describe("brief show and prompt", () => {
  it("show the sections and what people wrote since", async () => {
    put(at("brief.md"), FROZEN);
    put(at("amendments.md"), "# Amendments\n\n## 2026-12-01 Ana\n\n> Goal: a wiki\n");
    const { code, stdout } = await brief("show", "--json");
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      ...{ code: 0, status: "valid", file: ".askgate/brief.md", missing: [] },
      ...{ sections: { goal: "G" }, amendments: expect.stringContaining("a wiki"), archive: [] },
    });
  });

  it("print a prompt without the questions and answers", async () => {
    put(at("brief.md"), FROZEN);
    put(at("qa.md"), "- Q: secret question");
    put(at("amendments.md"), "# Amendments\n\n## 2026-12-01 Ana\n\n> Goal: a wiki\n");
    expect(await brief("prompt")).toMatchObject({
      code: 0,
      stdout:
        "## Goal\nG\n\n## Acceptance criteria\nA\n\n## Boundaries\nB\n\n## Unknowns and assumptions\nU\n\n## Amendments\n### 2026-12-01 Ana\n\n> Goal: a wiki\n",
      stderr: "",
    });
    expect((await brief("prompt", "--locale", "de")).stdout).toContain("## Ziel\nG");
  });

  it("say that there is none", async () => {
    put(at("amendments.md"), "> and a logo\n");
    expect(await brief("prompt")).toMatchObject({ code: 2, stdout: "" });
    expect(await brief("show")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no brief yet"),
    });
  });
});

describe("brief new", () => {
  it("moves all of a task into the archive, and says so", async () => {
    for (const name of ["brief.md", "amendments.md", "qa.md"]) put(at(name), name);
    const { code, stdout, stderr } = await brief("new");
    const [folder = ""] = archived();
    expect(folder).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(readdirSync(at("archive", folder)).toSorted()).toEqual(["amendments.md", "brief.md", "qa.md"]);
    expect(readdirSync(at())).toEqual(["archive"]);
    expect(code).toBe(0);
    expect(stderr).toContain(`moved into .askgate/archive/${folder}: .askgate/brief.md`);
    expect(JSON.parse(stdout)).toMatchObject({
      archived: `.askgate/archive/${folder}`,
      moved: { length: 3 },
    });
  });

  it("is fine with nothing", async () => {
    expect(await brief("new")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("nothing was moved"),
    });
    expect(readdirSync(project)).toEqual([]);
  });
});
