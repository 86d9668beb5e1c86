/** Components: each against its own schema, by its place, then the rules that the specification does not know. */
import * as spec from "discord-api-spec/zod";
import type { $ZodType } from "zod/v4/core";
import { ownRules } from "./component-rules.ts";
import { KINDS, LIMITS } from "./limits.ts";
import { type Complaint, Refusal, wrong } from "./refusal.ts";
import { check } from "./schema.ts";
import { isJson, type Json, list, num, records, str } from "./wire.ts";

type Path = (string | number)[];
type Place =
  | "legacy"
  | "v2"
  | "row"
  | "section"
  | "accessory"
  | "container"
  | "modal"
  | "modal row"
  | "label";

const SELECTS: { [type: number]: $ZodType } = {
  5: spec.UserSelectComponentForMessageRequestSchema,
  6: spec.RoleSelectComponentForMessageRequestSchema,
  7: spec.MentionableSelectComponentForMessageRequestSchema,
  8: spec.ChannelSelectComponentForMessageRequestSchema,
};

const SCHEMAS: { [type: number]: $ZodType } = {
  ...SELECTS,
  1: spec.ActionRowComponentForMessageRequestSchema,
  2: spec.ButtonComponentForMessageRequestSchema,
  3: spec.StringSelectComponentForMessageRequestSchema,
  4: spec.TextInputComponentForModalRequestSchema,
  9: spec.SectionComponentForMessageRequestSchema,
  10: spec.TextDisplayComponentForMessageRequestSchema,
  11: spec.ThumbnailComponentForMessageRequestSchema,
  12: spec.MediaGalleryComponentForMessageRequestSchema,
  13: spec.FileComponentForMessageRequestSchema,
  14: spec.SeparatorComponentForMessageRequestSchema,
  17: spec.ContainerComponentForMessageRequestSchema,
  18: spec.LabelComponentForModalRequestSchema,
  19: spec.FileUploadComponentForModalRequestSchema,
  21: spec.RadioGroupComponentForModalRequestSchema,
  22: spec.CheckboxGroupComponentForModalRequestSchema,
  23: spec.CheckboxComponentForModalRequestSchema,
};

const MAY_HOLD: { [place in Place]: number[] } = {
  legacy: [1],
  v2: [1, 9, 10, 12, 13, 14, 17],
  row: [2, 3, 5, 6, 7, 8],
  section: [10],
  accessory: [2, 11],
  container: [1, 9, 10, 12, 13, 14],
  modal: [1, 10, 18],
  "modal row": [4],
  label: [3, 4, 5, 6, 7, 8, 19, 21, 22, 23],
};

/** Of a message, which is with the flag for Components V2 or without. */
export function checkMessageComponents(components: unknown, v2: boolean): Complaint[] {
  const all = flat(components);
  const complaints = walk(components, v2 ? "v2" : "legacy", ["components"]);
  complaints.push(...ownRules(components));
  if (!v2 && list(components).length > LIMITS.rows) complaints.push(tooMany(LIMITS.rows));
  if (v2 && all.length > LIMITS.components)
    complaints.push(
      wrong(["components"], "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", `At most ${LIMITS.components}.`),
    );
  const text = displayed(components);
  if (text.length > LIMITS.displayedText)
    complaints.push(
      wrong(
        ["components"],
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
        `The total displayable text size of the components exceeds ${LIMITS.displayedText}.`,
      ),
    );
  if (complaints.length === 0 && Buffer.byteLength(text) > LIMITS.componentBytes) throw new Refusal(500);
  return complaints;
}

export function checkModal(data: Json): Complaint[] {
  const { components, ...rest } = data;
  const ofRest = check(spec.ModalInteractionCallbackRequestDataSchema, { ...rest, components: [] }).filter(
    ({ path }) => path[0] !== "components",
  );
  const count = list(components).length;
  const bad = count < 1 || count > LIMITS.modalComponents;
  return [
    ...ofRest,
    ...(bad ? [tooMany(LIMITS.modalComponents)] : []),
    ...walk(components, "modal", ["components"]),
    ...ownRules(components),
  ];
}

const tooMany = (most: number): Complaint =>
  wrong(["components"], "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${most} in length.`);

function walk(components: unknown, place: Place, at: Path): Complaint[] {
  if (components === undefined || components === null) return [];
  if (!Array.isArray(components)) return [wrong(at, "LIST_TYPE_CONVERT", "Only iterables may be used.")];
  return components.flatMap((one, index) => checkOne(one, place, [...at, index]));
}

function checkOne(one: unknown, place: Place, at: Path): Complaint[] {
  if (!isJson(one)) return [wrong(at, "MODEL_TYPE_CONVERT", "Only dictionaries may be used.")];
  const type = num(one.type);
  const schema = schemaOf(type, place);
  if (!MAY_HOLD[place].includes(type) || schema === undefined)
    return [
      wrong(
        [...at, "type"],
        "UNION_TYPE_CHOICES",
        `Value of field "type" must be one of (${MAY_HOLD[place].join(", ")}).`,
      ),
    ];
  const own = check(schema, one, at).filter(({ path }) => !isInner(path.slice(at.length)));
  const inside = innerPlace(type, place);
  return [
    ...own,
    ...(inside === null ? [] : walk(one.components, inside, [...at, "components"])),
    ...(isJson(one.accessory) ? checkOne(one.accessory, "accessory", [...at, "accessory"]) : []),
    ...(isJson(one.component) ? checkOne(one.component, "label", [...at, "component"]) : []),
  ];
}

/** What is inside is looked at by its own schema. */
const isInner = ([first, second]: Path): boolean =>
  (first === "components" && second !== undefined) ||
  (first === "component" && second !== undefined) ||
  (first === "accessory" && second !== undefined);

function schemaOf(type: number, place: Place): $ZodType | undefined {
  if (type === KINDS.row && place === "modal") return spec.ActionRowComponentForModalRequestSchema;
  if (type === KINDS.select && place === "label") return spec.StringSelectComponentForModalRequestSchema;
  return SCHEMAS[type];
}

function innerPlace(type: number, place: Place): Place | null {
  if (type === KINDS.row) return place === "modal" ? "modal row" : "row";
  if (type === KINDS.section) return "section";
  return type === KINDS.container ? "container" : null;
}

/** All components, those inside others too, in the order of a reader. */
export const flat = (components: unknown): Json[] =>
  records(components).flatMap((one) => [
    one,
    ...flat(one.components),
    ...flat([one.accessory, one.component].filter(isJson)),
  ]);

/** The text that is shown. */
export const displayed = (components: unknown): string =>
  flat(components)
    .filter(({ type }) => type === KINDS.text)
    .map(({ content }) => str(content))
    .join("");
