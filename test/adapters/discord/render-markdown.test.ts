import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawMarkdown } from "../../../src/adapters/discord/markdown.ts";
import { escaped } from "../../../src/adapters/discord/text.ts";
import { safe } from "../../../src/adapters/shared/text.ts";
import { nasty } from "../../support/hostile.ts";
import { seenIn } from "./reading.ts";

const drawn = (raw: string): string => drawMarkdown(raw);

describe("Markdown on Discord", () => {
  it("styles words", () => {
    expect(drawn("a **b** *c* ~~d~~ `e` ***f***")).toBe("a **b** *c* ~~d~~ `e` ***f***");
    expect(drawn("# Risks of `x`")).toBe("# Risks of `x`");
    expect(drawn("#### deep *down*")).toBe("**deep** ***down***");
  });

  it("keeps marks apart that touch", () => {
    expect(seenIn(drawn("**a***b*")).marks).toEqual(["bold", "italic"]);
    expect(seenIn(drawn("**bo\\*ld** \\*x\\*"))).toEqual({ words: "bo*ld *x*", marks: ["bold"] });
    expect(seenIn(drawn("``a`b`` ``` `` ```"))).toEqual({ words: "a`b ``", marks: ["code", "code"] });
  });

  it("joins a paragraph's lines, without blanks in Chinese", () => {
    expect(drawn("one\ntwo  \nthree")).toBe("one two\nthree");
    expect(drawn("第一行，\n第二行 and\n英文")).toBe("第一行，第二行 and 英文");
  });

  it("shows where links and images lead", () => {
    expect(drawn("[spec](https://a.b/c_d_e) https://x.y ![arch](https://x.y/a.png)")).toBe(
      "spec (<https://a.b/c_d_e>) <https://x.y> arch (<https://x.y/a.png>)",
    );
    expect(drawn("[run](javascript:alert(1)) <me@a.b>")).toBe("run (javascript:alert(1)) me@a.b");
    expect(drawn("[https://good.example](https://evil.example)")).toBe(
      "<https://good.example> (<https://evil.example>)",
    );
  });

  it("puts the block's number before its words, or above them", () => {
    expect(drawMarkdown("## Login", "¶1")).toBe("## ¶1  Login");
    expect(drawMarkdown("We send a link.", "¶2")).toBe("**¶2**  We send a link.");
    expect(drawMarkdown("- spam\n- replay", "¶4")).toBe("**¶4**\n- spam\n- replay");
  });

  it("nests lists and goes on counting", () => {
    expect(drawn("3. three\n   - a\n     - b\n4. four\n\n   ```\n   x\n   ```\n5. five")).toBe(
      "3. three\n  - a\n    - b\n4. four\n```\nx\n```\n5. five",
    );
    expect(drawn("1. one  \n   more\n2. two")).toBe("1. one\n   more\n2. two");
  });

  it("ticks tasks", () => {
    expect(drawn("- [x] **done**\n- [ ] open")).toBe("- ☑ **done**\n- ☐ open");
    expect(drawn("- [x] loose\n\n- [ ] items")).toBe("- ☑ loose\n- ☐ items");
  });

  it("quotes, with what is in the quote", () => {
    expect(drawn("> one\n>\n> two\n> > three\n>\n> - item\n>\n> ```\n> code\n> ```")).toBe(
      "> one\n> two\n> › three\n> - item\n> ```\n> code\n> ```",
    );
  });

  it("keeps code as it is", () => {
    expect(drawn("```ts\n  if (a < b) **c**\n```")).toBe("```ts\n  if (a < b) **c**\n```");
    expect(drawn("```ts title=x.ts\na\n```")).toBe("```\nts title=x.ts\na\n```");
    expect(drawn("```\n```")).toBe("(…)");
    expect(seenIn(drawn("````\n```\n@everyone\n```\n````"))).toEqual({
      words: "```\n@everyone\n```",
      marks: ["code"],
    });
  });

  it("shows HTML and what is no Markdown as text", () => {
    expect(seenIn(drawn("<b>x</b> <!-- y --> &amp; &lt;"))).toEqual({
      words: "<b>x</b> <!-- y --> & <",
      marks: [],
    });
    expect(drawn("---")).toBe("──────────");
  });

  it("sets narrow tables in columns", () => {
    expect(drawn("| a | n |\n|---|--:|\n| **x** | 12 |\n| 日本 | 3 |")).toBe(
      ["```", "a      n", "────  ──", "x     12", "日本   3", "```"].join("\n"),
    );
  });

  it("gives wide tables row by row", () => {
    const raw =
      "| Path | Notes |\n|---|---|\n| /auth | sends the link to the address that was given |\n| /out | |";
    expect(drawn(raw)).toBe(
      [
        "- **Path:** /auth",
        "  **Notes:** sends the link to the address that was given",
        "- **Path:** /out",
        "  **Notes:** –",
      ].join("\n"),
    );
  });

  it("gives a table as it was written before it loses a cell", () => {
    expect(drawn("| a |\n|---|\n| x | lost |")).toBe("```\n| a |\n|---|\n| x | lost |\n```");
  });

  it("drops no word", () => {
    const word = fc.stringMatching(/^[a-z]{1,6}[0-9]{0,2}$/).map((one) => `w${one}`);
    const mark = fc.constantFrom(
      ..."* _ ** ~~ ` [ ] ( ) < > ! # - + | \\ & ; : / \n @everyone <@1> ||".split(" "),
      "\n\n",
      "\n- ",
      "\n> ",
      "\n  1. ",
      "\n| ",
      "|\n|--|--|\n",
      "\n---\n",
      "- [x] ",
      "    ",
      "\t",
      "https://",
      "“",
      "中文",
    );
    const soup = fc.array(fc.oneof({ arbitrary: word, weight: 2 }, mark, fc.constant(" ")), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(soup, (pieces) => {
        const raw = pieces.join("");
        const { words, marks } = seenIn(drawMarkdown(raw));
        for (const one of raw.match(/w[a-z]+[0-9]*/g) ?? []) expect(words).toContain(one);
        for (const one of marks) expect(one).not.toMatch(/^(?:mention|masked|spoiler|underline|small|time)/);
      }),
      { numRuns: 2000, endOnFailure: true },
    );
  });

  it.each([
    "_a__",
    "*a_",
    "_*a",
    "**a*_",
    "~a*",
    "[",
    "![[](",
    "> ",
    ">",
    "- ",
    "1. ",
    "<a ",
    "`",
    "`a``",
    "|a",
    "| a |\n|--|\n",
    "&#x0;",
    "\\",
    "[a]: b\n",
    "[a](",
    "<!--",
    "- \n",
    "👩‍👩‍👧‍👦",
    "\ud800",
    "- a\n  - b\n    - c\n",
    "a\n> b\n- c\n",
    "\t- ",
    "https://(",
  ])("is quick about %j over and over", (piece) => {
    const raw = piece.repeat(Math.ceil(3000 / piece.length)).slice(0, 3000);
    const times = [0, 1, 2, 3].map(() => {
      const begin = performance.now();
      drawMarkdown(raw);
      return performance.now() - begin;
    });
    expect(Math.min(...times)).toBeLessThan(100);
    expect(drawMarkdown(raw)).not.toBe("");
  });
});

describe("text that is not Markdown", () => {
  const links = (text: string): string[] => seenIn(escaped(text)).marks;

  it.each([
    "@everyone @here <@1> <@!1> <@&1> <#1> </cmd:1> <t:1:R> <:emoji:1> <a:emoji:1> <id:home>",
    "**b** *i* _i_ __u__ ~~s~~ ||hidden|| `c` ```js\nc\n``` \\*",
    "# h\n## h\n### h\n-# small\n- x\n* x\n+ x\n1. y\n12. y\n> q\n>>> q\n  - x",
    "[good](javascript:x) [x] (y) a_b_c 2*3*4 a|b ~ ¯\\_(ツ)_/¯",
  ])("is seen as it is written: %j", (text) => {
    expect(seenIn(escaped(text))).toEqual({ words: text, marks: [] });
  });

  it("links only where it says that it leads", () => {
    expect(links("[good](https://evil.example/a_b_c)")).toEqual(["link https://evil.example/a_b_c"]);
    expect(links("see https://x.y/a_(b), or https://x.y/c.")).toEqual([
      "link https://x.y/a_(b)",
      "link https://x.y/c",
    ]);
    expect(links("**https://x.y** <https://x.y/z|good>")).toEqual([
      "link https://x.y",
      "link https://x.y/z%7Cgood",
    ]);
    expect(links("https://x.y/@everyone")).toEqual(["link https://x.y/%40everyone"]);
  });

  it("does nothing, whatever it is", () => {
    const soup = fc
      .array(
        fc.constantFrom(
          ..."* _ ~ | ` \\ < > # - + 1. [ ] ( ) @ : / ! & a b \n everyone https:// t: 1".split(" "),
          " ",
        ),
        {
          maxLength: 40,
        },
      )
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.oneof(soup, nasty(200)), (text) => {
        const { words, marks } = seenIn(escaped(text));
        expect(marks.filter((mark) => !mark.startsWith("link "))).toEqual([]);
        if (marks.length === 0) expect(words).toBe(safe(text).replaceAll("\u200b", ""));
      }),
      { numRuns: 3000, endOnFailure: true },
    );
  });
});
