import { afterAll, beforeAll, expect, test } from "vitest";
import { button, input, option, options, row, select, text } from "./discord/test-components.ts";
import { complaints, posts, refusal, type Scene, scene } from "./discord/testing.ts";
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

/** What is wrong of itself, and what is said about it. */
const WRONG: [name: string, body: Json, complaint: string][] = [
  [
    "no options",
    legacy(row(select({ options: [] }))),
    "components.0.components.0.options BASE_TYPE_BAD_LENGTH",
  ],
  ["an empty row", legacy(row()), "components.0.components BASE_TYPE_BAD_LENGTH"],
  ["a button outside a row", legacy(button()), "components.0.type UNION_TYPE_CHOICES"],
  ["a text input in a message", legacy(row(input())), "components.0.components.0.type UNION_TYPE_CHOICES"],
  [
    "a radio group in a message",
    legacy(row({ type: 21, custom_id: "r", options: options(2) })),
    "components.0.components.0.type UNION_TYPE_CHOICES",
  ],
  ["an unknown type", legacy({ type: 99 }), "components.0.type UNION_TYPE_CHOICES"],
  ["a text without the flag", legacy(text("a")), "components.0.type UNION_TYPE_CHOICES"],
  [
    "content with the flag",
    { ...v2(text("a")), content: "b" },
    "content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
  ],
  [
    "embeds with the flag",
    { ...v2(text("a")), embeds: [{ title: "b" }] },
    "embeds MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
  ],
  [
    "the same custom_id twice",
    legacy(row(button({ custom_id: "a" })), row(select({ custom_id: "a" }))),
    "components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED",
  ],
  [
    "the same value twice",
    legacy(row(select({ options: [option("a"), option("a")] }))),
    "components.0.components.0.options.1.value SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
  ],
  [
    "a select beside a button",
    legacy(row(select(), button())),
    "components.0.components COMPONENT_LAYOUT_WIDTH_EXCEEDED",
  ],
  [
    "a button without custom_id",
    legacy(row({ type: 2, style: 1, label: "a" })),
    "components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED",
  ],
  [
    "a button with a url",
    legacy(row(button({ url: "https://a.test" }))),
    "components.0.components.0.url BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
  ],
  [
    "a link with custom_id",
    legacy(row(button({ style: 5, url: "https://a.test" }))),
    "components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
  ],
  [
    "a button without words",
    legacy(row({ type: 2, style: 1, custom_id: "a" })),
    "components.0.components.0.label BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
  ],
  [
    "an unknown property",
    legacy(row(button({ colour: "red" }))),
    "components.0.components.0.colour UNKNOWN_PROPERTY",
  ],
  ["an unknown property of a message", { content: "a", contents: "b" }, "contents UNKNOWN_PROPERTY"],
  ["a number as content", { content: 1 }, "content STRING_TYPE_CONVERT"],
  ["a flag nobody may set", { content: "a", flags: 64 }, "flags MESSAGE_FLAGS_INVALID"],
  [
    "mentions that exclude each other",
    { content: "a", allowed_mentions: { parse: ["users"], users: ["501"] } },
    "allowed_mentions MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
  ],
];

test.each(WRONG)("%s is refused", async (_name, body, complaint) => {
  expect(await complaints(post(body))).toEqual([complaint]);
});

test("more than 10,170 bytes of text are answered with a 500", async () => {
  const wide = (count: number) => v2(text("ä".repeat(2000)), text("☃".repeat(count)));
  expect(await refusal(post(wide(2000)))).toBe(null);
  const wider = (count: number) => v2(text("☃".repeat(3000)), text("☃".repeat(count)));
  expect(await refusal(post(wider(390)))).toBe(null);
  await expect(post(wider(391))).rejects.toMatchObject({ status: 500 });
});

test("a message with the flag for Components V2 keeps it, and takes no content later", async () => {
  const { id } = await post(v2(text("a")));
  const edit = (body: Json) => it.rest.patch(`/channels/201/messages/${String(id)}`, { body });
  expect(await complaints(edit({ flags: 0, content: "b" }))).toEqual([
    "content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
  ]);
  expect(await edit({ components: [text("b")] })).toMatchObject({ flags: V2, content: "" });
});

test("a message is converted to Components V2 once its content is taken away", async () => {
  const { id } = await post({ content: "a" });
  const edit = (body: Json) => it.rest.patch(`/channels/201/messages/${String(id)}`, { body });
  expect(await complaints(edit(v2(text("b"))))).toHaveLength(1);
  expect(await edit({ ...v2(text("b")), content: null })).toMatchObject({ flags: V2 });
});
