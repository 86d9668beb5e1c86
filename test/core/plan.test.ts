import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parsePlan } from "../../src/core/payload.ts";
import { planBlocks } from "../../src/core/plan.ts";
import { cases } from "./conformance.ts";

const plans = cases(
  "plan-blocks",
  z.object({
    name: z.string(),
    plan: z.string(),
    valid_plan: z.boolean(),
    count: z.number(),
    blocks: z.array(z.object({ index: z.number(), quote: z.string() })),
  }),
);

const quotes = (markdown: string): string[] => planBlocks(markdown).map(({ quote }) => quote);
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");

describe("conformance: plan blocks", () => {
  it.each(plans)("$name", ({ plan, valid_plan, count, blocks }) => {
    const found = planBlocks(plan).map(({ index, quote }) => ({ index, quote }));
    expect(found).toEqual(blocks.map(({ index, quote }) => ({ index, quote })));
    expect(found).toHaveLength(count);
    const parse = () => parsePlan({ title: "T", plan });
    if (valid_plan) expect(parse).not.toThrow();
    else expect(parse).toThrow();
  });

  it("has all cases", () => expect(plans).toHaveLength(96));
});

describe("planBlocks", () => {
  it("gives each block its own Markdown", () => {
    expect(planBlocks("# A\ntext\r\n\r\n- a\r\n- b\n")).toEqual([
      { index: 0, quote: "# A", raw: "# A\n" },
      { index: 1, quote: "text", raw: "text" },
      { index: 2, quote: "- a - b", raw: "- a\n- b\n" },
    ]);
  });

  it.each([
    ["20,000 quote marks", ">".repeat(20_000)],
    ["1,100 bullets on a line", "- ".repeat(1100)],
    ["1,100 bullets and a word", `${"- ".repeat(1100)}x`],
    ["33,000 numbers on a line", "1. ".repeat(33_000)],
    ["300 alternating marks after good text", `# Fine\n\n${"> - ".repeat(150)}x`],
    ["401 columns of indent", `- a\n${" ".repeat(401)}- b`],
    ["101 tabs", `- a\n${"\t".repeat(101)}- b`],
    ["8,000 lazy lines", lines(8000, () => ">~~~\n|-|")],
    ["14,000 lazy lines in one item", `* |x\n${lines(14_000, () => "|x|")}`],
  ])("takes a plan with %s as one block", (_, markdown) => {
    expect(planBlocks(markdown)).toHaveLength(1);
    expect(planBlocks(markdown)[0]?.raw).toBe(markdown);
  });

  it.each([
    ["20,000 × _a__", "_a__".repeat(20_000)],
    ["33,000 × *a", "*a ".repeat(33_000)],
    ["100,000 brackets", "[".repeat(100_000)],
    ["100,000 backslashes", "\\".repeat(100_000)],
    ["25,000 comments that do not end", "<!--".repeat(25_000)],
    ["16,000 open tags", "<a b='".repeat(16_000)],
    ["200 levels of list", lines(200, (n) => `${"  ".repeat(n)}- a`)],
    ["400 lines of 199 marks", lines(400, () => `${">".repeat(199)}a`)],
    ["100,000 blanks", " ".repeat(100_000)],
    ["50,000 lines", "a\n".repeat(50_000)],
  ])("does not hang on %s", (_, markdown) => {
    expect(planBlocks(markdown).length).toBeLessThanOrEqual(1);
  });

  it("still cuts a plan at the limits", () => {
    expect(quotes(`${">".repeat(200)}a\n\nb`)).toHaveLength(2);
    expect(quotes(`- a\n\n${" ".repeat(400)}- b\n\nc`)).toHaveLength(2);
    expect(quotes(`a\n${" ".repeat(500)}\n\nb`)).toEqual(["a", "b"]);
  });

  it("never throws and numbers its blocks, whatever the text", () => {
    const scraps = fc.constantFrom(
      ...["> ", ">", "- ", "1. ", "    ", "\t", "\n", "\n\n", "```", "~~~\n", "# ", "|", "|-|\n", "---\n"],
      ...["===\n", "<div>", "<!--", "-->", "[a]: ", "x", "\r\n", "\r", "\u00a0", "\u{1f600}", "_", "*", "\\"],
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(scraps, { maxLength: 80 }).map((parts) => parts.join("")),
      fc.tuple(fc.array(scraps, { maxLength: 5 }), fc.nat(300)).map(([parts, n]) => parts.join("").repeat(n)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const blocks = planBlocks(text);
        expect(blocks.map(({ index }) => index)).toEqual(blocks.map((_, index) => index));
        for (const { quote, raw } of blocks) {
          expect(quote).not.toBe("");
          expect(quote.length).toBeLessThanOrEqual(100);
          expect(raw.replace(/\s+/g, " ").trim().startsWith(quote)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
