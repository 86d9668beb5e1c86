import { expect, test } from "vitest";
import { readMarkdown } from "./discord/markdown.ts";

const read = (text: string) =>
  readMarkdown(text, (id) => ({ "501": "Ana", "201": "plans" })[id] ?? "unknown");

test.each([
  ["bold", "a **b** c", "a b c"],
  ["bold in italics, struck out, underlined", "*a **b*** ~~c~~ __d__ _e_", "a b c d e"],
  ["a name with underscores", "snake_case_name", "snake_case_name"],
  ["signs that stand alone", "2 * 3 * 4, a_ b, |, ~", "2 * 3 * 4, a_ b, |, ~"],
  ["what is escaped", String.raw`\*\*a\*\* \# \<@501\> \`b\` \\`, "**a** # <@501> `b` \\"],
  ["headings and subtext", "# One\n## Two\n-# small\n#none", "One\nTwo\nsmall\n#none"],
  ["lists", "- a\n  * b\n1. c\n2. d", "• a\n  • b\n1. c\n2. d"],
  ["quotes", "> a\n> # b\n>c", "a\nb\n>c"],
  ["code in a line", "run `rm *.ts` and ``a ` b``", "run rm *.ts and a ` b"],
  ["code in a fence", "```ts\nconst a = **b**;\n```\nthen", "const a = **b**;\nthen"],
  ["people, channels, times", "<@501> in <#201> at <t:36000:t>", "@Ana in #plans at 10:00 UTC"],
  ["an emoji of the server", "<:ok:77>", ":ok:"],
  ["what has no width", "@\u200beveryone\n```\n``\u200b`\n```", "@everyone\n```"],
  ["marks behind blanks", "  # a\n  > b", "a\nb"],
  ["a spoiler", "a ||b|| c", "a ▮▮ c"],
])("reads %s", (_name, text, shown) => {
  expect(read(text)).toEqual({
    text: shown,
    links: [],
    mentions: text.startsWith("<@") ? ["501"] : [],
    everyone: false,
  });
});

test.each([
  ["[site](https://a.example/x_y)", "site", "https://a.example/x_y"],
  ["[a \\[b\\]](<https://a.example>)", "a [b]", "https://a.example"],
  ["[**bold**](https://a.example/(b))", "bold", "https://a.example/(b)"],
  ["https://a.example/b.", "https://a.example/b", "https://a.example/b"],
  ["<https://a.example/b>", "https://a.example/b", "https://a.example/b"],
  ["(https://a.example/b)", "https://a.example/b", "https://a.example/b"],
])("%s is a link", (text, label, url) => {
  expect(read(text).links).toEqual([{ label, url }]);
});

test("what is escaped or code is no link and calls nobody", () => {
  for (const text of [
    String.raw`\<@501>`,
    "`<@501> https://a.example`",
    "```\n@everyone <@501>\n```",
    String.raw`\[a\]\(b\) https\://a.example \@everyone`,
  ])
    expect(read(text)).toMatchObject({ links: [], mentions: [], everyone: false });
  expect(read("**<@!501>** @here")).toMatchObject({ mentions: ["501"], everyone: true });
});

test("a label that is an address is shown with where it leads", () => {
  const { text, links } = read("[https://good.example](https://evil.example)");
  expect(text).toContain("evil.example");
  for (const { label, url } of links) expect(label).toBe(url);
});
