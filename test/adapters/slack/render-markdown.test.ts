import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawMarkdown } from "../../../src/adapters/slack/markdown.ts";
import { richText, shownIn } from "../../../src/adapters/slack/rich-text.ts";
import { checkBlocks } from "../../doubles/slack/blocks.ts";
import { picture } from "./picture.ts";

const drawn = (raw: string): string => picture({ blocks: richText(drawMarkdown(raw)) });
const wordsIn = (raw: string): string => drawMarkdown(raw).map(shownIn).join("\n");

describe("Markdown on Slack", () => {
  it("styles words", () => {
    expect(drawn("a **b** *c* ~~d~~ `e` ***f***")).toBe("a *b* _c_ ~d~ `e` *_f_*");
    expect(drawn("## Risks of `x`")).toBe("*Risks of **`x`*");
  });

  it("joins a paragraph's lines, without blanks in Chinese", () => {
    expect(drawn("one\ntwo  \nthree")).toBe("one two\nthree");
    expect(drawn("第一行，\n第二行 and\n英文")).toBe("第一行，第二行 and 英文");
  });

  it("shows where links and images lead", () => {
    expect(drawn("[spec](https://a.b/c) https://x.y ![arch](https://x.y/a.png)")).toBe(
      "spec (<https://a.b/c>) <https://x.y> arch (<https://x.y/a.png>)",
    );
    expect(drawn("[run](javascript:alert(1)) <me@a.b>")).toBe("run (javascript:alert(1)) me@a.b");
    expect(drawn("[https://good.example](https://evil.example)")).toBe(
      "https://good.example (<https://evil.example>)",
    );
  });

  it("nests lists and goes on counting", () => {
    expect(drawn("3. three\n   - a\n     - b\n4. four\n\n   ```\n   x\n   ```\n5. five")).toBe(
      "3. three\n   • a\n      • b\n4. four\n# x\n5. five",
    );
  });

  it("ticks tasks", () => {
    expect(drawn("- [x] **done**\n- [ ] open")).toBe("• ☑ *done*\n• ☐ open");
    expect(drawn("- [x] loose\n\n- [ ] items")).toBe("• ☑ loose\n• ☐ items");
  });

  it("quotes, with what is in the quote", () => {
    expect(drawn("> one\n>\n> two\n> - item\n>\n> ```\n> code\n> ```")).toBe(
      "| one\n| two\n| • item\n| # code",
    );
  });

  it("keeps code as it is", () => {
    expect(drawn("```ts\n  if (a < b) **c**\n```")).toBe("#   if (a < b) **c**");
    expect(drawn("```ts title=x.ts\na\n```")).toBe("# ts title=x.ts\n# a");
    expect(drawn("```\n```")).toBe("(…)");
  });

  it("shows HTML and what is no Markdown as text", () => {
    expect(drawn("<b>x</b> <!-- y --> &amp; &lt;")).toBe("<b>x</b> <!-- y --> & <");
    expect(drawn("<div>\nx\n</div>")).toBe("<div>\nx\n</div>");
    expect(drawn("---")).toBe("──────────");
  });

  it("sets narrow tables in columns", () => {
    expect(drawn("| a | n |\n|---|--:|\n| **x** | 12 |\n| 日本 | 3 |")).toBe(
      ["# a      n", "# ────  ──", "# x     12", "# 日本   3"].join("\n"),
    );
  });

  it("gives wide tables row by row", () => {
    const raw =
      "| Path | Notes |\n|---|---|\n| /auth | sends the link to the address that was given |\n| /out | |";
    expect(drawn(raw)).toBe(
      [
        "• *Path: */auth",
        "  *Notes: *sends the link to the address that was given",
        "• *Path: */out",
        "  *Notes: *–",
      ].join("\n"),
    );
  });

  it("gives a table as it was written before it loses a cell", () => {
    expect(drawn("| a |\n|---|\n| x | lost |")).toBe("# | a |\n# |---|\n# | x | lost |");
  });

  it("drops no word", () => {
    const word = fc.stringMatching(/^[a-z]{1,6}[0-9]{0,2}$/).map((one) => `w${one}`);
    const mark = fc.constantFrom(
      ..."* _ ** ~~ ` [ ] ( ) < > ! # - + | \\ & ; : / \n".split(" "),
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
      "$",
      "“",
      "中文",
    );
    const soup = fc.array(fc.oneof({ arbitrary: word, weight: 2 }, mark, fc.constant(" ")), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(soup, (pieces) => {
        const raw = pieces.join("");
        const shown = wordsIn(raw);
        for (const one of raw.match(/w[a-z]+[0-9]*/g) ?? []) expect(shown).toContain(one);
        expect(checkBlocks(richText(drawMarkdown(raw)), "message")).toEqual([]);
      }),
      { numRuns: 2000 },
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
  ])("is quick about %j over and over", (piece) => {
    const raw = piece.repeat(Math.ceil(3000 / piece.length)).slice(0, 3000);
    const times = [0, 1, 2].map(() => {
      const begin = performance.now();
      drawMarkdown(raw);
      return performance.now() - begin;
    });
    expect(Math.min(...times)).toBeLessThan(50);
    const parts = drawMarkdown(raw);
    expect(parts.some(({ elements }) => elements.length > 0)).toBe(true);
    expect(checkBlocks(richText(parts), "message")).toEqual([]);
  });
});
