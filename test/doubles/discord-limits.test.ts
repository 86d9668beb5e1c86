import { afterAll, beforeAll, expect, test } from "vitest";
import { checkModal } from "./discord/components.ts";
import {
  button,
  container,
  input,
  label,
  long,
  modal,
  option,
  options,
  row,
  section,
  select,
  text,
  times,
} from "./discord/test-components.ts";
import { complaints, posts, type Scene, scene } from "./discord/testing.ts";
import type { Json } from "./discord/wire.ts";

let it: Scene;
beforeAll(async () => {
  it = await scene({ factor: Number.POSITIVE_INFINITY });
  it.acme.channel({ id: "201", name: "plans" });
});
afterAll(() => it.discord.stop());

const post = (body: Json) => posts(it.rest, "201", body);
const V2 = 1 << 15;
const v2 = (...components: Json[]): Json => ({ flags: V2, components });
const legacy = (...components: Json[]): Json => ({ components });

/** Each limit as a body that grows: the exact limit passes, one more is refused at this place with this code. */
const GROWING: [name: string, limit: number, grow: (size: number) => Json, complaint: string][] = [
  ["content", 2000, (n) => ({ content: long(n) }), "content BASE_TYPE_MAX_LENGTH"],
  ["nonce", 25, (n) => ({ content: "a", nonce: long(n) }), "nonce BASE_TYPE_MAX_LENGTH"],
  ["embeds", 10, (n) => ({ embeds: times(n, () => ({ title: "a" })) }), "embeds BASE_TYPE_BAD_LENGTH"],
  [
    "embed description",
    4096,
    (n) => ({ embeds: [{ description: long(n) }] }),
    "embeds.0.description BASE_TYPE_MAX_LENGTH",
  ],
  [
    "embed fields",
    25,
    (n) => ({ embeds: [{ fields: times(n, () => ({ name: "a", value: "b" })) }] }),
    "embeds.0.fields BASE_TYPE_BAD_LENGTH",
  ],
  [
    "embeds in all",
    6000,
    (n) => ({ embeds: [{ description: long(4000) }, { description: long(n - 4000) }] }),
    "embeds MAX_EMBED_SIZE_EXCEEDED",
  ],
  ["rows", 5, (n) => legacy(...times(n, () => row(button()))), "components BASE_TYPE_BAD_LENGTH"],
  [
    "buttons in a row",
    5,
    (n) => legacy(row(...times(n, () => button()))),
    "components.0.components BASE_TYPE_BAD_LENGTH",
  ],
  [
    "button label",
    80,
    (n) => legacy(row(button({ label: long(n) }))),
    "components.0.components.0.label BASE_TYPE_MAX_LENGTH",
  ],
  [
    "custom_id",
    100,
    (n) => legacy(row(button({ custom_id: long(n) }))),
    "components.0.components.0.custom_id BASE_TYPE_MAX_LENGTH",
  ],
  [
    "select options",
    25,
    (n) => legacy(row(select({ options: options(n) }))),
    "components.0.components.0.options BASE_TYPE_BAD_LENGTH",
  ],
  [
    "option label",
    100,
    (n) => legacy(row(select({ options: [option("v", { label: long(n) })] }))),
    "components.0.components.0.options.0.label BASE_TYPE_MAX_LENGTH",
  ],
  [
    "option value",
    100,
    (n) => legacy(row(select({ options: [option(long(n), { label: "a" })] }))),
    "components.0.components.0.options.0.value BASE_TYPE_MAX_LENGTH",
  ],
  [
    "option description",
    100,
    (n) => legacy(row(select({ options: [option("v", { description: long(n) })] }))),
    "components.0.components.0.options.0.description BASE_TYPE_MAX_LENGTH",
  ],
  [
    "placeholder",
    150,
    (n) => legacy(row(select({ placeholder: long(n) }))),
    "components.0.components.0.placeholder BASE_TYPE_MAX_LENGTH",
  ],
  [
    "components, those inside others too",
    40,
    (n) => v2(container(...times(n - 1, () => text("a")))),
    "components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
  ],
  [
    "text of all components",
    4000,
    (n) => v2(text(long(2000)), container(text(long(n - 2000)))),
    "components COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
  ],
  [
    "texts in a section",
    3,
    (n) => v2(section(...times(n, () => text("a")))),
    "components.0.components BASE_TYPE_BAD_LENGTH",
  ],
  [
    "max_values",
    2,
    (n) => legacy(row(select({ max_values: n }))),
    "components.0.components.0.max_values SELECT_COMPONENT_MAX_VALUES_EXCEEDED",
  ],
  [
    "min_values",
    1,
    (n) => legacy(row(select({ min_values: n, max_values: 1 }))),
    "components.0.components.0.min_values SELECT_COMPONENT_MIN_VALUES_EXCEEDED",
  ],
  [
    "defaults of a select",
    1,
    (n) => legacy(row(select({ options: times(n, (i) => option(`${i}`, { default: true })) }))),
    "components.0.components.0.options SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
  ],
  [
    "selects in a row",
    1,
    (n) => legacy(row(...times(n, () => select()))),
    "components.0.components COMPONENT_LAYOUT_WIDTH_EXCEEDED",
  ],
];

test.each(GROWING)("%s: %i passes, one more is refused", async (_name, limit, grow, complaint) => {
  expect(await complaints(post(grow(limit)))).toEqual([]);
  expect(await complaints(post(grow(limit + 1)))).toEqual([complaint]);
});

/** A thread name, a modal and commands grow too. */
const GROWING_MODALS: [name: string, limit: number, grow: (size: number) => Json, at: string][] = [
  ["title", 45, (n) => ({ ...modal(label(input())), title: long(n) }), "title"],
  ["custom_id", 100, (n) => ({ ...modal(label(input())), custom_id: long(n) }), "custom_id"],
  ["components", 5, (n) => modal(...times(n, () => label(input()))), "components"],
  ["label", 45, (n) => modal(label(input(), { label: long(n) })), "components.0.label"],
  ["description", 100, (n) => modal(label(input(), { description: long(n) })), "components.0.description"],
  [
    "placeholder",
    100,
    (n) => modal(label(input({ placeholder: long(n) }))),
    "components.0.component.placeholder",
  ],
  ["value", 4000, (n) => modal(label(input({ value: long(n) }))), "components.0.component.value"],
  ["max_length", 4000, (n) => modal(label(input({ max_length: n }))), "components.0.component.max_length"],
  [
    "min_length",
    10,
    (n) => modal(label(input({ min_length: n, max_length: 10 }))),
    "components.0.component.min_length",
  ],
  [
    "radio options",
    10,
    (n) => modal(label({ type: 21, custom_id: "r", options: options(n) })),
    "components.0.component.options",
  ],
  [
    "checkboxes",
    10,
    (n) => modal(label({ type: 22, custom_id: "r", options: options(n) })),
    "components.0.component.options",
  ],
];

test.each(GROWING_MODALS)("a modal's %s: %i passes, one more is refused", (_name, limit, grow, at) => {
  expect(checkModal(grow(limit))).toEqual([]);
  expect(checkModal(grow(limit + 1)).map(({ path }) => path.join("."))).toEqual([at]);
});

test("a modal holds labels, texts and rows, not buttons and not nothing", () => {
  expect(checkModal(modal(text("read"), row(input({ label: "a" }))))).toEqual([]);
  expect(checkModal(modal(row(button())))).toHaveLength(1);
  expect(checkModal(modal(select()))).toHaveLength(1);
  expect(checkModal(modal())).toHaveLength(1);
  expect(checkModal(modal(label({ type: 21, custom_id: "r", options: options(1) })))).toHaveLength(1);
});

const PUT = "/applications/900000000000000001/commands" as const;
const command = (more: Json = {}): Json => ({ name: "askgate", description: "What waits", ...more });
const GROWING_COMMANDS: [name: string, limit: number, grow: (size: number) => Json, complaint: string][] = [
  ["name", 32, (n) => command({ name: long(n) }), "0.name BASE_TYPE_MAX_LENGTH"],
  ["description", 100, (n) => command({ description: long(n) }), "0.description BASE_TYPE_MAX_LENGTH"],
];

test.each(GROWING_COMMANDS)(
  "a command's %s: %i passes, one more is refused",
  async (_name, limit, grow, complaint) => {
    expect(await complaints(it.rest.put(PUT, { body: [grow(limit)] }))).toEqual([]);
    expect(await complaints(it.rest.put(PUT, { body: [grow(limit + 1)] }))).toEqual([complaint]);
  },
);

test("a command has a lower-case name without spaces, and a description", async () => {
  const put = (...body: Json[]) => complaints(it.rest.put(PUT, { body }));
  expect(await put(command({ name: "Ask" }))).toEqual(["0.name APPLICATION_COMMAND_INVALID_NAME"]);
  expect(await put(command({ name: "a b" }))).toEqual(["0.name APPLICATION_COMMAND_INVALID_NAME"]);
  expect(await put(command({ description: "" }))).toEqual(["0.description BASE_TYPE_REQUIRED"]);
  expect(await put(command(), command())).toEqual(["1 APPLICATION_COMMANDS_DUPLICATE_NAME"]);
});

test("a thread's name holds 100 characters, and it archives itself after a time that there is", async () => {
  const thread = async (body: Json) => {
    const { id } = await post({ content: "root" });
    return complaints(it.rest.post(`/channels/201/messages/${String(id)}/threads`, { body }));
  };
  expect(await thread({ name: long(100), auto_archive_duration: 10080 })).toEqual([]);
  expect(await thread({ name: long(101) })).toEqual(["name BASE_TYPE_MAX_LENGTH"]);
  expect(await thread({ name: "" })).toEqual(["name BASE_TYPE_BAD_LENGTH"]);
  expect(await thread({ name: "a", auto_archive_duration: 61 })).toEqual([
    "auto_archive_duration BASE_TYPE_CHOICES",
  ]);
});
