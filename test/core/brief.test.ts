import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { languageOf, parseBrief } from "../../src/core/brief.ts";
import {
  amendmentsPrompt,
  briefPrompt,
  freezeBrief,
  frozenPrompt,
  loadBrief,
  renderBrief,
} from "../../src/core/brief-file.ts";
import { SECTIONS } from "../../src/core/brief-labels.ts";
import { cases } from "./conformance.ts";

const Text = z.object({ goal: z.string(), accept: z.string(), bounds: z.string(), unknowns: z.string() });
const Keys = z.array(z.string());
const Parsed = z.object({
  sections: Text,
  missing_keys: Keys,
  complete: z.boolean(),
  prompt_block: z.string().optional(),
});

const Case = z.discriminatedUnion("op", [
  z.object({ id: z.string(), op: z.literal("parse"), input: z.string(), expect: Parsed }),
  z.object({
    id: z.string(),
    op: z.literal("load"),
    input: z.string().nullable(),
    expect: z.union([Parsed.extend({ loaded: z.literal(true) }), z.object({ loaded: z.literal(false) })]),
  }),
  z.object({
    id: z.string(),
    op: z.literal("render"),
    input: Text,
    expect: z.object({ markdown_body: z.string(), prompt_block: z.string(), missing_keys: Keys }),
  }),
  z.object({
    id: z.string(),
    op: z.literal("roundtrip"),
    input: z.string(),
    expect: z.object({ first: Text, file_body: z.string(), second: Text, missing_after: Keys }),
  }),
  z.object({
    id: z.string(),
    op: z.literal("gate"),
    input: z.string(),
    file_before: z.string().nullable(),
    expect: z.object({
      pass: z.boolean(),
      missing: Keys.nullable(),
      file_after_body: z.string().nullable(),
      passed_down: z.string().nullable(),
    }),
  }),
  z.object({
    id: z.string(),
    op: z.literal("when"),
    file_before: z.string().nullable(),
    always_ask: z.boolean(),
    expect: z.object({ run_step: z.boolean(), hydrated: z.string().nullable() }),
  }),
]);

/** The names that the data's cases use; sections are named in the file's language. */
const LOCALE = "zh";
const NAMES = { goal: "目标", accept: "验收标准", bounds: "边界", unknowns: "未知与假设" };

const bodyOf = (file: string): string => file.slice(file.indexOf("\n## ") + 1);

function check(entry: z.infer<typeof Case>): void {
  switch (entry.op) {
    case "parse": {
      const brief = parseBrief(entry.input);
      expect(brief).toEqual({ sections: entry.expect.sections, missing: entry.expect.missing_keys });
      expect(brief.missing.length === 0).toBe(entry.expect.complete);
      if (entry.expect.prompt_block !== undefined)
        expect(briefPrompt(brief.sections, LOCALE)).toBe(entry.expect.prompt_block);
      return;
    }
    case "load": {
      const { loaded } = entry.expect;
      expect(loadBrief(entry.input)).toEqual(
        loaded
          ? { state: "loaded", sections: entry.expect.sections, missing: entry.expect.missing_keys }
          : { state: "absent" },
      );
      return;
    }
    case "render": {
      expect(bodyOf(renderBrief(entry.input, LOCALE))).toBe(entry.expect.markdown_body);
      expect(briefPrompt(entry.input, LOCALE)).toBe(entry.expect.prompt_block);
      return;
    }
    case "roundtrip": {
      const { sections } = parseBrief(entry.input);
      expect(sections).toEqual(entry.expect.first);
      const file = renderBrief(sections, LOCALE);
      expect(bodyOf(file)).toBe(entry.expect.file_body);
      expect(loadBrief(file)).toEqual({
        state: "loaded",
        sections: entry.expect.second,
        missing: entry.expect.missing_after,
      });
      return;
    }
    case "gate": {
      const frozen = freezeBrief(entry.input, LOCALE);
      expect(frozen.ok).toBe(entry.expect.pass);
      if (frozen.ok) {
        expect(bodyOf(frozen.file)).toBe(entry.expect.file_after_body);
        expect(frozen.prompt).toBe(entry.expect.passed_down);
      } else expect(frozen.missing.map((key) => NAMES[key])).toEqual(entry.expect.missing);
      return;
    }
    case "when": {
      const prompt = entry.always_ask ? null : frozenPrompt(entry.file_before, LOCALE);
      expect({ run_step: prompt === null, hydrated: prompt }).toEqual(entry.expect);
      return;
    }
  }
}

describe("conformance: briefs", () => {
  const all = cases("briefs", Case);
  it.each(all.map((entry) => ({ name: `${entry.id} (${entry.op})`, entry })))("$name", ({ entry }) =>
    check(entry),
  );
  it("has all cases", () => expect(all).toHaveLength(112));
});

const full = (more: object = {}) => ({ goal: "G", accept: "A", bounds: "B", unknowns: "U", ...more });
const markdown = (goal: string) => `## Goal\n${goal}\n## Acceptance\nA\n## Boundaries\nB\n## Unknowns\nU\n`;

describe("parseBrief", () => {
  it.each([
    ["traditional Chinese", "## 目標\nG\n## 驗收標準\nA\n## 邊界\nB\n## 未知與假設\nU"],
    ["Chinese numbers", "十、目标\nG\n（二）\n二、验收标准\nA\n## 三、边界\nB\n四）x\n**四、假设**\nU"],
    ["underscores and upper case", "__GOAL__\nG\n__ACCEPTANCE__:\nA\n__Boundaries:__ B\n## __Unknowns__\nU"],
    ["emphasis around the whole line", "**Goal: G**\n**Acceptance: A**\n**Boundaries: B**\n**Unknowns: U**"],
    [
      "no-break spaces before colons",
      "Objectif\u00a0: G\nCritères d’acceptation\u202f: A\nLimites : B\nInconnues: U",
    ],
    [
      "letters with combining accents",
      "Objectif: G\nAcceptance: A\nLimites: B\nInconnues et hypothe\u0300ses: U",
    ],
    [
      "underlines of any length",
      "Goal\n==\nG\n\nAcceptance\n---\nA\n\nBoundaries\n=====\nB\n\nUnknowns\n--\nU",
    ],
  ])("reads %s", (_, text) => {
    const { sections, missing } = parseBrief(text);
    expect(missing).toEqual([]);
    expect(Object.values(sections).map((value) => value[0])).toEqual(["G", "A", "B", "U"]);
  });

  it("ends a section at a foreign heading of its level, not at a lower one", () => {
    expect(parseBrief("## Goal\nG\n### Detail\nkept\n## Notes\ngone\n### Detail\ngone").sections.goal).toBe(
      "G\n### Detail\nkept",
    );
    expect(parseBrief("**Goal**\nG\n#### Notes\ngone").sections.goal).toBe("G");
    expect(parseBrief("## Goal\nG\n#hashtag\nkept").sections.goal).toBe("G\n#hashtag\nkept");
  });

  it.each([
    ["a longer fence around a shorter one", "G\n````\n```\n## Boundaries\nfake\n```\n````"],
    ["a fence on a bullet's line", "G\n1. ```sh\n   ## Boundaries\n   fake\n   ```"],
    ["inline code of three ticks", "G ```js x```"],
  ])("pairs fences as CommonMark does: %s", (_, goal) => {
    expect(parseBrief(markdown(goal)).sections).toMatchObject({ accept: "A", bounds: "B", unknowns: "U" });
  });

  it.each([
    ["a line of blanks", " ".repeat(200_000)],
    ["blanks before a word", `a${" ".repeat(200_000)}b`],
    ["hashes", "#".repeat(200_000)],
    ["a heading of hashes", `# ${"#".repeat(200_000)} x`],
    ["digits", "1".repeat(200_000)],
    ["ticks", "`".repeat(200_000)],
    ["backslashes", "\\".repeat(200_000)],
    ["many lines", "目标\n".repeat(50_000)],
  ])("does not hang on %s", (_, text) => expect(parseBrief(text).missing).toHaveLength(4));
});

describe("the frozen file", () => {
  it.each([
    ["zh", "(未填)"],
    ["en", "(left empty)"],
    ["fr-CA", "(non rempli)"],
    ["es", "(sin rellenar)"],
    ["de_AT", "(nicht ausgefüllt)"],
    ["pt", "(left empty)"],
  ])("in %s says what is empty, and is read again", (locale, placeholder) => {
    const sections = full({ bounds: "" });
    const file = renderBrief(sections, locale);
    expect(file.split(placeholder)).toHaveLength(2);
    expect(file.endsWith("U\n")).toBe(true);
    expect(loadBrief(file)).toEqual({ state: "loaded", sections, missing: ["bounds"] });
  });

  it("keeps text that looks like a heading or a fence", () => {
    const sections = full({ goal: "Boundaries: wide\n## Notes\n```\n### kept as it is\n\\# escaped" });
    expect(renderBrief(sections, "en")).toContain("\\Boundaries: wide\n\\## Notes\n\\```\n### kept");
    expect(loadBrief(renderBrief(sections, "en"))).toEqual({ state: "loaded", sections, missing: [] });
  });

  it("lets no placeholder win over later text", () => {
    const loaded = loadBrief(`## Goal\n（未填）\n${markdown("real")}`);
    expect(loaded).toMatchObject({ sections: { goal: "real" } });
  });

  it("is not frozen with a placeholder in it", () => {
    expect(freezeBrief(markdown("(left empty)"), "en")).toEqual({ ok: false, missing: ["goal"] });
  });

  it("of bytes that are no UTF-8 is unreadable", () => {
    expect(loadBrief(Uint8Array.of(0x23, 0xff, 0xfe))).toEqual({ state: "unreadable" });
    expect(loadBrief(new TextEncoder().encode(`\uFEFF${markdown("G")}`))).toMatchObject({ missing: [] });
    expect(frozenPrompt(Uint8Array.of(0xff), "en")).toBeNull();
  });

  it("incomplete has people asked again", () => {
    expect(frozenPrompt(null, "en")).toBeNull();
    expect(frozenPrompt("## Goal\nG\n", "en")).toBeNull();
    expect(frozenPrompt(markdown("G"), "en")).toContain("## Goal\nG");
  });
});

describe("the language of a brief", () => {
  it.each([
    ["## 目标\n甲\n## Boundaries\nB\n## 假设\n丙", "zh"],
    ["**Objectif** : O\n**Limites** : L", "fr"],
    ["# Objetivo\nx", "es"],
    ["Ziel: x\nGrenzen: y", "de"],
    ["## Goal\nobjectif", "en"],
    ["```\n## Ziel\n```\n", null],
    ["", null],
  ])("of %j is %s", (text, language) => expect(languageOf(text)).toBe(language));
});

describe("amendments", () => {
  const WRITTEN =
    "# Amendments\n\n## 2026-12-01 10:00 UTC, Ana\n\n> Goal: a wiki\n> ```\n\nBoundaries\n\n## Goal\nx\n    ## Unknowns\n```";

  it("stand under a heading of their own, quoted", () => {
    expect(amendmentsPrompt(WRITTEN, "fr")).toBe(
      [
        ...["## Compléments", "### 2026-12-01 10:00 UTC, Ana", "", "> Goal: a wiki", "> ```", ""],
        ...["> Boundaries", "", "> ## Goal", "> x", ">     ## Unknowns", "> ```"],
      ].join("\n"),
    );
  });

  it("are nothing where nobody wrote", () => expect(amendmentsPrompt("# Amendments\r\n\r\n", "en")).toBe(""));

  it("change no section, whatever they say", () => {
    const brief = briefPrompt(full(), "en");
    for (const amendments of [WRITTEN, "Goal", "\uFEFF## Goal\nx", "Ziel\n----", "~~~", "# Goal\rx"])
      expect(parseBrief(`${brief}\n\n${amendmentsPrompt(amendments, "en")}`)).toEqual({
        sections: full(),
        missing: [],
      });
  });
});

describe("for any Markdown", () => {
  const scraps = fc.constantFrom(
    ...[
      "## ",
      "# ",
      "### ",
      "**",
      "__",
      "\n",
      "\n\n",
      "\r",
      "Goal",
      "目标",
      "边界",
      "Limites",
      "假设",
      ":",
      "：",
      " ",
    ],
    ...[
      "\t",
      "1. ",
      "二、",
      "- ",
      "```",
      "~~~",
      "````",
      "---",
      "===",
      "\\",
      "x",
      "word",
      "> ",
      "\uFEFF",
      "(",
      ")",
    ],
  );
  const texts = fc.array(scraps, { maxLength: 60 }).map((parts) => parts.join(""));

  it("a section is missing exactly when it has no text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { sections, missing } = parseBrief(text);
        expect(missing).toEqual(SECTIONS.filter((key) => sections[key] === ""));
      }),
    );
  });

  it("what was read is read again from the frozen file", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { sections, missing } = parseBrief(`${markdown(text)}`);
        expect(loadBrief(renderBrief(sections, "en"))).toEqual({ state: "loaded", sections, missing });
      }),
      { numRuns: 1000 },
    );
  });
});
