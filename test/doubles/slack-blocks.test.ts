import { describe, expect, test } from "vitest";
import { checkBlocks, checkView, textLength } from "./slack/blocks.ts";
import {
  actions,
  boxes,
  button,
  dialog,
  input,
  long,
  mrkdwn,
  multi,
  option,
  options,
  overflow,
  plain,
  radio,
  rich,
  richSection,
  section,
  select,
  table,
  textInput,
  view,
} from "./slack/test-blocks.ts";

const REFUSED: [name: string, block: unknown, at: string][] = [
  ["an unknown block", { type: "carousel" }, "/blocks/0/type"],
  ["a block without a type", {}, "/blocks/0/type"],
  ["no object", "section", "/blocks/0"],
  ["an unknown property", section({ color: "red" }), "/blocks/0/color"],
  ["an unknown property of a text", section({ text: { ...plain(), bold: true } }), "/blocks/0/text/bold"],
  ["verbatim on plain text", section({ text: { ...plain(), verbatim: true } }), "/blocks/0/text/verbatim"],
  ["emoji on mrkdwn", section({ text: { ...mrkdwn(), emoji: true } }), "/blocks/0/text/emoji"],
  ["a section without text and fields", { type: "section" }, "/blocks/0"],
  ["an empty text", section({ text: mrkdwn(0) }), "/blocks/0/text/text"],
  ["a text that is a number", section({ text: { type: "mrkdwn", text: 3 } }), "/blocks/0/text/text"],
  ["mrkdwn in a header", { type: "header", text: mrkdwn() }, "/blocks/0/text/type"],
  ["mrkdwn on a button", actions(button({ text: mrkdwn() })), "/blocks/0/elements/0/text/type"],
  [
    "mrkdwn in a menu",
    actions(select({ options: [{ text: mrkdwn(), value: "v" }] })),
    "/blocks/0/elements/0/options/0/text/type",
  ],
  ["mrkdwn as a label", input(textInput(), { label: mrkdwn() }), "/blocks/0/label/type"],
  ["an input field outside an input block", actions(textInput()), "/blocks/0/elements/0/type"],
  ["an input field as an accessory", section({ accessory: textInput() }), "/blocks/0/accessory/type"],
  ["a button in an input block", input(button()), "/blocks/0/element/type"],
  ["an overflow in an input block", input(overflow()), "/blocks/0/element/type"],
  ["a button in a context", { type: "context", elements: [button()] }, "/blocks/0/elements/0/type"],
  [
    "an image among actions",
    actions({ type: "image", image_url: "https://a.test", alt_text: "a" }),
    "/blocks/0/elements/0/type",
  ],
  ["no elements", actions(), "/blocks/0/elements"],
  ["an empty context", { type: "context", elements: [] }, "/blocks/0/elements"],
  [
    "two of one action_id",
    actions(button({ action_id: "a" }), button({ action_id: "a" })),
    "/blocks/0/elements/1/action_id",
  ],
  ["an empty action_id", actions(button({ action_id: "" })), "/blocks/0/elements/0/action_id"],
  ["an unknown style", actions(button({ style: "default" })), "/blocks/0/elements/0/style"],
  ["no options", actions(select({ options: [] })), "/blocks/0/elements/0/options"],
  ["neither options nor groups", actions({ type: "static_select" }), "/blocks/0/elements/0"],
  [
    "both options and groups",
    actions(select({ option_groups: [{ label: plain(), options: options(1) }] })),
    "/blocks/0/elements/0",
  ],
  [
    "an option without a value",
    actions(radio({ options: [{ text: plain() }] })),
    "/blocks/0/elements/0/options/0",
  ],
  [
    "two of one option value",
    actions(select({ options: [option("v"), option("v")] })),
    "/blocks/0/elements/0/options",
  ],
  [
    "an initial option that is none",
    actions(select({ initial_option: option("x") })),
    "/blocks/0/elements/0/initial_option",
  ],
  [
    "an initial option with another text",
    actions(select({ initial_option: option("v0", "uno") })),
    "/blocks/0/elements/0/initial_option",
  ],
  [
    "initial options that are none",
    actions(boxes({ initial_options: [option("x")] })),
    "/blocks/0/elements/0/initial_options/0",
  ],
  ["no initial options", actions(multi({ initial_options: [] })), "/blocks/0/elements/0/initial_options"],
  [
    "more initial options than may be chosen",
    actions(multi({ initial_options: options(2), max_selected_items: 1 })),
    "/blocks/0/elements/0/initial_options",
  ],
  [
    "a url in a menu",
    actions(select({ options: [{ ...option("v"), url: "https://a.test" }] })),
    "/blocks/0/elements/0/options/0/url",
  ],
  [
    "a placeholder on radio buttons",
    actions(radio({ placeholder: plain() })),
    "/blocks/0/elements/0/placeholder",
  ],
  ["min above max", input(textInput({ min_length: 3, max_length: 2 })), "/blocks/0/element/min_length"],
  [
    "an initial value above max",
    input(textInput({ initial_value: "abc", max_length: 2 })),
    "/blocks/0/element/initial_value",
  ],
  ["an image without an address", { type: "image", alt_text: "a" }, "/blocks/0"],
  ["an image without alt text", { type: "image", image_url: "https://a.test" }, "/blocks/0"],
  ["rich text of nothing", rich(), "/blocks/0/elements"],
  [
    "an unknown part of rich text",
    rich({ type: "rich_text_heading", elements: [] }),
    "/blocks/0/elements/0/type",
  ],
  [
    "an unknown element of rich text",
    rich(richSection({ type: "mrkdwn", text: "a" })),
    "/blocks/0/elements/0/elements/0/type",
  ],
  [
    "an empty text in rich text",
    rich(richSection({ type: "text", text: "" })),
    "/blocks/0/elements/0/elements/0/text",
  ],
  [
    "an unknown style in rich text",
    rich(richSection({ type: "text", text: "a", style: { big: true } })),
    "/blocks/0/elements/0/elements/0/style/big",
  ],
  [
    "a list without a style",
    rich({ type: "rich_text_list", elements: [richSection()] }),
    "/blocks/0/elements/0",
  ],
  [
    "a list in a list",
    rich({ type: "rich_text_list", style: "bullet", elements: [rich()] }),
    "/blocks/0/elements/0/elements/0/type",
  ],
  [
    "a mention in code",
    rich({ type: "rich_text_preformatted", elements: [{ type: "user", user_id: "U1" }] }),
    "/blocks/0/elements/0/elements/0/type",
  ],
  ["a table of nothing", table(0, 0), "/blocks/0/rows"],
  ["mrkdwn in a table", { type: "table", rows: [[mrkdwn()]] }, "/blocks/0/rows/0/0/type"],
];

test.each(REFUSED)("refuses %s", (_name, block, at) => {
  expect(checkBlocks([block], "message").join("\n")).toContain(`[json-pointer:${at}]`);
});

test("refuses a second block with the same id, and a second table", () => {
  const twice = [section({ block_id: "b" }), { type: "divider", block_id: "b" }];
  expect(checkBlocks(twice, "message")).toEqual([
    "`block_id` `b` already exists [json-pointer:/blocks/1/block_id]",
  ]);
  expect(checkBlocks([table(1, 1), table(1, 1)], "message")).toHaveLength(1);
  expect(checkBlocks({ type: "section" }, "message")).toEqual(["must be an array [json-pointer:/blocks]"]);
});

const everything = [
  { type: "header", text: { ...plain(), emoji: true } },
  section({
    accessory: select({ initial_option: option("v1"), action_id: "a" }),
    expand: true,
    block_id: "one",
  }),
  section({ accessory: overflow({ confirm: dialog() }) }),
  {
    type: "context",
    elements: [mrkdwn(), plain(), { type: "image", image_url: "https://a.test", alt_text: "a" }],
  },
  actions(
    button({ style: "primary", confirm: dialog({ style: "danger" }) }),
    select(),
    multi(),
    overflow(),
    radio(),
    boxes(),
  ),
  actions(radio({ options: [{ text: mrkdwn(), value: "v", description: mrkdwn() }] })),
  { type: "divider" },
  input(
    textInput({ multiline: true, dispatch_action_config: { trigger_actions_on: ["on_enter_pressed"] } }),
    {
      optional: true,
      dispatch_action: true,
    },
  ),
  { type: "image", slack_file: { id: "F1" }, alt_text: "a", title: plain() },
  rich(
    richSection(
      { type: "text", text: "a", style: { bold: true, code: true } },
      { type: "link", url: "https://a.test", text: "a" },
      { type: "user", user_id: "U1" },
      { type: "emoji", name: "wave" },
      { type: "date", timestamp: 1, format: "{date}", fallback: "then" },
      { type: "channel", channel_id: "C1" },
      { type: "broadcast", range: "here" },
    ),
    { type: "rich_text_list", style: "ordered", indent: 1, offset: 2, border: 0, elements: [richSection()] },
    { type: "rich_text_quote", elements: [{ type: "text", text: "a" }] },
    { type: "rich_text_preformatted", elements: [{ type: "text", text: "a" }] },
  ),
];

describe("what is right passes", () => {
  test("in messages", () => {
    const only = [{ type: "markdown", text: "# a" }, table(2, 2)];
    expect(checkBlocks([...everything, ...only], "message")).toEqual([]);
  });

  test("in modals, where markdown and tables have no place and an input wants a submit", () => {
    expect(checkView(view({ blocks: everything, submit: plain() }))).toEqual([]);
    expect(checkView(view({ blocks: everything }))).toEqual([
      "missing required field: submit [json-pointer:/view]",
    ]);
    const only = [{ type: "markdown", text: "# a" }, table(2, 2)];
    expect(checkBlocks(only, "modal")).toHaveLength(2);
    expect(checkView({ ...view(), type: "page" })).toEqual([
      "unsupported type: page [json-pointer:/view/type]",
    ]);
    expect(checkView(view({ blocks: [] }))).toHaveLength(1);
    expect(checkView(view({ color: "red" }))).toHaveLength(1);
  });

  test("an action_id may come again in another block", () => {
    const one = (block_id: string) => ({ ...actions(button({ action_id: "a" })), block_id });
    expect(checkBlocks([one("b1"), one("b2")], "message")).toEqual([]);
  });
});

test("every text counts towards the length of a message", () => {
  expect(
    textLength([section({ text: mrkdwn(10), accessory: select() }), { type: "markdown", text: long(5) }]),
  ).toBe(21);
});
