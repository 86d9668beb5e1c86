/**
 * Block Kit as Slack checks it: what it would refuse, each with the place as a JSON pointer. Nothing is repaired.
 * Limits and containers from A1 of platforms.md; shapes from the types of the SDK.
 */
import {
  ACCESSORIES,
  ACTIONS_ELEMENTS,
  CONTEXT_ELEMENTS,
  INPUT_ELEMENTS,
  imageAlso,
  imageFields,
  sectionText,
} from "./elements.ts";
import { LIMITS } from "./limits.ts";
import { richTextParts } from "./rich-text.ts";
import { array, byType, type Check, flag, oneOf, type Rule, refuse, shape, text, uniqueId } from "./rules.ts";
import { anyText, plain } from "./text-objects.ts";
import { isJson, type Json, list, records, str } from "./wire.ts";

/** What Slack would say against the blocks of a message or a modal; nothing where it would take them. */
export function checkBlocks(blocks: unknown, where: "message" | "modal"): string[] {
  const check = fresh(where);
  checkAll(blocks, check);
  return check.errors;
}

/** What Slack would say against a view, its blocks included. */
export function checkView(view: unknown): string[] {
  const check = fresh("modal");
  byType({ modal })(view, "/view", check);
  return check.errors;
}

/** The characters that count against the limit of a whole message: every text, of options too. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + textLength(one), 0);
  if (!isJson(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, held]) => sum + (key === "text" && typeof held === "string" ? held.length : textLength(held)),
    0,
  );
}

const fresh = (where: Check["where"]): Check => ({
  errors: [],
  where,
  blockIds: new Set(),
  actionIds: new Set(),
});

const block_id = uniqueId(LIMITS.id, (check) => check.blockIds, "block_id");

function checkAll(blocks: unknown, check: Check, at = "/blocks"): void {
  const max = check.where === "message" ? LIMITS.messageBlocks : LIMITS.viewBlocks;
  array(check.where === "message" ? messageBlock : modalBlock, 0, max)(blocks, at, check);
  const markdown = records(blocks).filter((block) => block.type === "markdown");
  if (markdown.reduce((sum, block) => sum + str(block.text).length, 0) > LIMITS.markdown)
    refuse(check, at, `markdown blocks must be less than ${LIMITS.markdown + 1} characters together`);
  if (records(blocks).filter((block) => block.type === "table").length > LIMITS.tables)
    refuse(check, at, `no more than ${LIMITS.tables} table allowed`);
}

type Fields = Parameters<typeof shape>[0];

const block = (fields: Fields, also?: Parameters<typeof shape>[1]): Rule => {
  const rule = shape({ ...fields, optional: { block_id, ...fields.optional } }, also);
  return (value, at, check) => {
    check.actionIds = new Set();
    rule(value, at, check);
  };
};

const section = block(
  {
    optional: {
      text: sectionText,
      fields: array(anyText(LIMITS.sectionField), 1, LIMITS.sectionFields),
      accessory: byType(ACCESSORIES),
      expand: flag,
    },
  },
  (value, at, check) => {
    if (value.text === undefined && value.fields === undefined)
      refuse(check, at, "must define either `text` or `fields`");
  },
);

const input = block({
  required: { label: plain(LIMITS.inputLabel), element: byType(INPUT_ELEMENTS) },
  optional: { hint: plain(LIMITS.inputHint), optional: flag, dispatch_action: flag },
});

const richText = block({ required: { elements: richTextParts } });

const tableCell = byType({
  raw_number: shape({
    required: {
      value: (value, at, check) => {
        if (typeof value !== "number") refuse(check, at, "must be a number");
      },
      text: text(LIMITS.tableText),
    },
  }),
  raw_text: shape({ required: { text: text(LIMITS.tableText) } }),
  rich_text: shape({ required: { elements: richTextParts } }),
});

const table = block(
  {
    required: { rows: array(array(tableCell, 1, LIMITS.tableColumns), 1, LIMITS.tableRows) },
    optional: {
      column_settings: array(
        shape({ optional: { align: oneOf("left", "center", "right"), is_wrapped: flag } }),
        1,
        LIMITS.tableColumns,
      ),
    },
  },
  (value, at, check) => {
    if (textLength(value.rows) > LIMITS.tableText)
      refuse(check, `${at}/rows`, `must be less than ${LIMITS.tableText + 1} characters together`);
  },
);

const ANYWHERE = {
  header: block({ required: { text: plain(LIMITS.header) } }),
  section,
  context: block({ required: { elements: array(byType(CONTEXT_ELEMENTS), 1, LIMITS.contextElements) } }),
  actions: block({ required: { elements: array(byType(ACTIONS_ELEMENTS), 1, LIMITS.actionsElements) } }),
  divider: block({}),
  input,
  image: block(
    { ...imageFields, optional: { ...imageFields.optional, title: plain(LIMITS.imageTitle) } },
    imageAlso,
  ),
  rich_text: richText,
};

const messageBlock = byType({
  ...ANYWHERE,
  markdown: block({ required: { text: text(LIMITS.markdown) } }),
  table,
});

const modalBlock = byType(ANYWHERE);

const modal = shape(
  {
    required: {
      title: plain(LIMITS.viewTitle),
      blocks: (value, at, check) => checkAll(value, check, at),
    },
    optional: {
      submit: plain(LIMITS.viewButton),
      close: plain(LIMITS.viewButton),
      private_metadata: text(LIMITS.privateMetadata, 0),
      callback_id: text(LIMITS.callbackId),
      external_id: text(LIMITS.id),
      clear_on_close: flag,
      notify_on_close: flag,
    },
  },
  (view, at, check) => {
    if (list(view.blocks).length === 0) refuse(check, `${at}/blocks`, "no fewer than 1 items allowed");
    const asks = records(view.blocks).some((one: Json) => one.type === "input");
    if (asks && view.submit === undefined) refuse(check, at, "missing required field: submit");
  },
);
