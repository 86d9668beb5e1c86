import { describe, expect, test } from "vitest";
import { checkBlocks, checkView, textLength } from "./slack/blocks.ts";

const long = (length: number) => "x".repeat(length);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const plain = (length = 1) => ({ type: "plain_text", text: long(length) });
const mrkdwn = (length = 1) => ({ type: "mrkdwn", text: long(length) });
const option = (value: string, text = "one") => ({ text: { type: "plain_text", text }, value });
const options = (count: number) => times(count, (index) => option(`v${index}`));
const button = (more = {}) => ({ type: "button", text: plain(), ...more });
const select = (more = {}) => ({ type: "static_select", options: options(2), ...more });
const multi = (more = {}) => ({ type: "multi_static_select", options: options(2), ...more });
const radio = (more = {}) => ({ type: "radio_buttons", options: options(2), ...more });
const boxes = (more = {}) => ({ type: "checkboxes", options: options(2), ...more });
const overflow = (more = {}) => ({ type: "overflow", options: options(2), ...more });
const actions = (...elements: unknown[]) => ({ type: "actions", elements });
const section = (more = {}) => ({ type: "section", text: mrkdwn(), ...more });
const input = (element: unknown, more = {}) => ({ type: "input", label: plain(), element, ...more });
const textInput = (more = {}) => ({ type: "plain_text_input", ...more });
const rich = (...elements: unknown[]) => ({ type: "rich_text", elements });
const richSection = (...elements: unknown[]) => ({ type: "rich_text_section", elements });
const dialog = (more = {}) => ({ text: plain(), title: plain(), confirm: plain(), deny: plain(), ...more });
const view = (more = {}) => ({ type: "modal", title: plain(), blocks: [{ type: "divider" }], ...more });
const table = (rows: number, columns: number, text = 1) => ({
  type: "table",
  rows: times(rows, () => times(columns, () => ({ type: "raw_text", text: long(text) }))),
});

/** Each limit as a block that grows: the exact limit passes, one more is refused at this place. */
const GROWING: [name: string, limit: number, grow: (size: number) => unknown, at: string][] = [
  ["header", 150, (n) => ({ type: "header", text: plain(n) }), "/blocks/0/text/text"],
  ["section text", 3000, (n) => section({ text: mrkdwn(n) }), "/blocks/0/text/text"],
  ["section fields", 10, (n) => ({ type: "section", fields: times(n, () => mrkdwn()) }), "/blocks/0/fields"],
  ["section field", 2000, (n) => ({ type: "section", fields: [mrkdwn(n)] }), "/blocks/0/fields/0/text"],
  [
    "context elements",
    10,
    (n) => ({ type: "context", elements: times(n, () => mrkdwn()) }),
    "/blocks/0/elements",
  ],
  ["actions elements", 25, (n) => actions(...times(n, () => button())), "/blocks/0/elements"],
  ["block_id", 255, (n) => ({ type: "divider", block_id: long(n) }), "/blocks/0/block_id"],
  ["action_id", 255, (n) => actions(button({ action_id: long(n) })), "/blocks/0/elements/0/action_id"],
  ["button text", 75, (n) => actions(button({ text: plain(n) })), "/blocks/0/elements/0/text/text"],
  ["button value", 2000, (n) => actions(button({ value: long(n) })), "/blocks/0/elements/0/value"],
  ["button url", 3000, (n) => actions(button({ url: long(n) })), "/blocks/0/elements/0/url"],
  [
    "option text",
    75,
    (n) => actions(select({ options: [option("v", long(n))] })),
    "/blocks/0/elements/0/options/0/text/text",
  ],
  [
    "option value",
    150,
    (n) => actions(select({ options: [option(long(n))] })),
    "/blocks/0/elements/0/options/0/value",
  ],
  [
    "option description",
    75,
    (n) => actions(select({ options: [{ ...option("v"), description: plain(n) }] })),
    "/blocks/0/elements/0/options/0/description/text",
  ],
  ["select options", 100, (n) => actions(select({ options: options(n) })), "/blocks/0/elements/0/options"],
  [
    "select groups",
    100,
    (n) =>
      actions({
        type: "static_select",
        option_groups: times(n, (i) => ({ label: plain(), options: [option(`v${i}`)] })),
      }),
    "/blocks/0/elements/0/option_groups",
  ],
  [
    "options of a group",
    100,
    (n) => actions({ type: "static_select", option_groups: [{ label: plain(), options: options(n) }] }),
    "/blocks/0/elements/0/option_groups/0/options",
  ],
  [
    "group label",
    75,
    (n) => actions({ type: "static_select", option_groups: [{ label: plain(n), options: options(1) }] }),
    "/blocks/0/elements/0/option_groups/0/label/text",
  ],
  [
    "placeholder",
    150,
    (n) => actions(select({ placeholder: plain(n) })),
    "/blocks/0/elements/0/placeholder/text",
  ],
  [
    "multi-select options",
    100,
    (n) => actions(multi({ options: options(n) })),
    "/blocks/0/elements/0/options",
  ],
  ["radio options", 10, (n) => actions(radio({ options: options(n) })), "/blocks/0/elements/0/options"],
  ["checkbox options", 10, (n) => actions(boxes({ options: options(n) })), "/blocks/0/elements/0/options"],
  ["overflow options", 5, (n) => actions(overflow({ options: options(n) })), "/blocks/0/elements/0/options"],
  [
    "confirm title",
    100,
    (n) => actions(button({ confirm: dialog({ title: plain(n) }) })),
    "/blocks/0/elements/0/confirm/title/text",
  ],
  [
    "confirm text",
    300,
    (n) => actions(button({ confirm: dialog({ text: plain(n) }) })),
    "/blocks/0/elements/0/confirm/text/text",
  ],
  [
    "confirm button",
    30,
    (n) => actions(button({ confirm: dialog({ confirm: plain(n) }) })),
    "/blocks/0/elements/0/confirm/confirm/text",
  ],
  [
    "deny button",
    30,
    (n) => actions(button({ confirm: dialog({ deny: plain(n) }) })),
    "/blocks/0/elements/0/confirm/deny/text",
  ],
  ["input label", 2000, (n) => input(textInput(), { label: plain(n) }), "/blocks/0/label/text"],
  ["input hint", 2000, (n) => input(textInput(), { hint: plain(n) }), "/blocks/0/hint/text"],
  [
    "initial value",
    3000,
    (n) => input(textInput({ initial_value: long(n) })),
    "/blocks/0/element/initial_value",
  ],
  ["max_length", 3000, (n) => input(textInput({ max_length: n })), "/blocks/0/element/max_length"],
  ["min_length", 3000, (n) => input(textInput({ min_length: n })), "/blocks/0/element/min_length"],
  [
    "input placeholder",
    150,
    (n) => input(textInput({ placeholder: plain(n) })),
    "/blocks/0/element/placeholder/text",
  ],
  ["markdown", 12_000, (n) => ({ type: "markdown", text: long(n) }), "/blocks/0/text"],
  ["table rows", 100, (n) => table(n, 1), "/blocks/0/rows"],
  ["table columns", 20, (n) => table(1, n), "/blocks/0/rows/0"],
  ["table text", 10_000, (n) => table(1, 1, n), "/blocks/0/rows"],
  [
    "alt text",
    2000,
    (n) => ({ type: "image", image_url: "https://a.test/b", alt_text: long(n) }),
    "/blocks/0/alt_text",
  ],
  [
    "image title",
    2000,
    (n) => ({ type: "image", image_url: "https://a.test/b", alt_text: "a", title: plain(n) }),
    "/blocks/0/title/text",
  ],
  [
    "list indent",
    8,
    (n) => rich({ type: "rich_text_list", style: "bullet", indent: n, elements: [richSection()] }),
    "/blocks/0/elements/0/indent",
  ],
];

test.each(GROWING)("%s: %i passes, one more is refused", (_name, limit, grow, at) => {
  expect(checkBlocks([grow(limit)], "message")).toEqual([]);
  expect(checkBlocks([grow(limit + 1)], "message").join("\n")).toContain(`[json-pointer:${at}]`);
});

const GROWING_VIEWS: [name: string, limit: number, grow: (size: number) => unknown, at: string][] = [
  ["title", 24, (n) => view({ title: plain(n) }), "/view/title/text"],
  ["submit", 24, (n) => view({ submit: plain(n) }), "/view/submit/text"],
  ["close", 24, (n) => view({ close: plain(n) }), "/view/close/text"],
  ["private_metadata", 3000, (n) => view({ private_metadata: long(n) }), "/view/private_metadata"],
  ["callback_id", 255, (n) => view({ callback_id: long(n) }), "/view/callback_id"],
  ["blocks", 100, (n) => view({ blocks: times(n, () => ({ type: "divider" })) }), "/view/blocks"],
];

test.each(GROWING_VIEWS)("a modal's %s: %i passes, one more is refused", (_name, limit, grow, at) => {
  expect(checkView(grow(limit))).toEqual([]);
  expect(checkView(grow(limit + 1)).join("\n")).toContain(`[json-pointer:${at}]`);
});

test("a message holds 50 blocks, and 12,000 characters of markdown over all of them", () => {
  const dividers = (count: number) => times(count, () => ({ type: "divider" }));
  expect(checkBlocks(dividers(50), "message")).toEqual([]);
  expect(checkBlocks(dividers(51), "message")).toEqual([
    "no more than 50 items allowed [json-pointer:/blocks]",
  ]);
  const markdown = (...lengths: number[]) =>
    lengths.map((length) => ({ type: "markdown", text: long(length) }));
  expect(checkBlocks(markdown(6000, 6000), "message")).toEqual([]);
  expect(checkBlocks(markdown(6000, 6001), "message")).toHaveLength(1);
});

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
