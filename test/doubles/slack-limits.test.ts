import { expect, test } from "vitest";
import { checkBlocks, checkView } from "./slack/blocks.ts";
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
  times,
  view,
} from "./slack/test-blocks.ts";

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
  ["context text", 3000, (n) => ({ type: "context", elements: [mrkdwn(n)] }), "/blocks/0/elements/0/text"],
  ["actions elements", 25, (n) => actions(...times(n, () => button())), "/blocks/0/elements"],
  ["block_id", 255, (n) => ({ type: "divider", block_id: long(n) }), "/blocks/0/block_id"],
  ["action_id", 255, (n) => actions(button({ action_id: long(n) })), "/blocks/0/elements/0/action_id"],
  ["button text", 75, (n) => actions(button({ text: plain(n) })), "/blocks/0/elements/0/text/text"],
  ["button value", 2000, (n) => actions(button({ value: long(n) })), "/blocks/0/elements/0/value"],
  ["button url", 3000, (n) => actions(button({ url: long(n) })), "/blocks/0/elements/0/url"],
  [
    "accessibility label",
    75,
    (n) => actions(button({ accessibility_label: long(n) })),
    "/blocks/0/elements/0/accessibility_label",
  ],
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
