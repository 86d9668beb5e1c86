/** The rules for components that the official specification does not know: the last rows of doubles.md. */
import { KINDS } from "./limits.ts";
import { type Complaint, wrong } from "./refusal.ts";
import { isJson, type Json, list, num, records, str } from "./wire.ts";

type Path = (string | number)[];
interface Placed {
  one: Json;
  at: Path;
}

const LINK = 5;
const PREMIUM = 6;

export function ownRules(components: unknown): Complaint[] {
  const all = placed(components, ["components"]);
  return [
    ...all.flatMap(ruleOf),
    ...duplicates(all, "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"),
    ...duplicates(all, "id", "COMPONENT_ID_DUPLICATED"),
  ];
}

function placed(components: unknown, at: Path): Placed[] {
  return list(components).flatMap((one, index) => (isJson(one) ? withInner(one, [...at, index]) : []));
}

const withInner = (one: Json, at: Path): Placed[] => [
  { one, at },
  ...placed(one.components, [...at, "components"]),
  ...(isJson(one.accessory) ? withInner(one.accessory, [...at, "accessory"]) : []),
  ...(isJson(one.component) ? withInner(one.component, [...at, "component"]) : []),
];

/** A zero `id` asks for a generated one. */
function duplicates(all: readonly Placed[], key: "custom_id" | "id", code: string): Complaint[] {
  const seen = new Set<unknown>();
  return all.flatMap(({ one, at }) => {
    const id = one[key];
    if (id === undefined || id === null || id === 0) return [];
    if (seen.has(id)) return [wrong([...at, key], code, "Component ids cannot be duplicated")];
    seen.add(id);
    return [];
  });
}

function ruleOf({ one, at }: Placed): Complaint[] {
  switch (one.type) {
    case KINDS.row:
      return rowRules(one, at);
    case KINDS.button:
      return buttonRules(one, at);
    case KINDS.textInput:
      return textInputRules(one, at);
    case KINDS.label:
      return labelRules(one, at);
    case KINDS.select:
    case KINDS.radio:
    case KINDS.boxes:
      return choiceRules(one, at);
    default:
      return num(one.type) >= KINDS.userSelect && num(one.type) <= KINDS.channelSelect
        ? rangeRules(one, at)
        : [];
  }
}

function rowRules(one: Json, at: Path): Complaint[] {
  const inner = records(one.components);
  const wide = inner.some(({ type }) => type !== KINDS.button);
  return wide && inner.length > 1
    ? [wrong([...at, "components"], "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified layout is too wide")]
    : [];
}

function buttonRules({ style, custom_id, url, label, emoji, sku_id }: Json, at: Path): Complaint[] {
  const given = (value: unknown) => value !== undefined && value !== null && value !== "";
  const complaints: Complaint[] = [];
  const say = (key: string, code: string, message: string) =>
    complaints.push(wrong([...at, key], code, message));
  const pressed = style !== LINK && style !== PREMIUM;
  if (pressed && !given(custom_id))
    say("custom_id", "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required");
  if (!pressed && given(custom_id))
    say("custom_id", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A link has no custom id");
  if (style !== LINK && given(url))
    say("url", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "Only a link has a url");
  if (style === LINK && !given(url)) say("url", "BUTTON_COMPONENT_URL_REQUIRED", "A url is required");
  if (style === PREMIUM && !given(sku_id)) say("sku_id", "BASE_TYPE_REQUIRED", "This field is required");
  if (style !== PREMIUM && !given(label) && !given(emoji))
    say("label", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A label or an emoji is required");
  return complaints;
}

function choiceRules(one: Json, at: Path): Complaint[] {
  const options = records(one.options);
  const seen = new Set<string>();
  const twice = options.flatMap(({ value }, index) => {
    const known = seen.has(str(value));
    seen.add(str(value));
    return known
      ? [
          wrong(
            [...at, "options", index, "value"],
            "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
            "The specified option value is already used",
          ),
        ]
      : [];
  });
  const most = one.type === KINDS.radio ? 1 : mostOf(one, options.length);
  const defaults = options.filter((option) => option.default === true).length;
  const tooManyDefaults =
    defaults > most
      ? [wrong([...at, "options"], "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", `At most ${most} may be.`)]
      : [];
  const beyond =
    options.length > 0 && num(one.max_values) > options.length
      ? [wrong([...at, "max_values"], "SELECT_COMPONENT_MAX_VALUES_EXCEEDED", "More than there are options")]
      : [];
  const least =
    options.length > 0 && num(one.min_values) > options.length
      ? [wrong([...at, "min_values"], "SELECT_COMPONENT_MIN_VALUES_EXCEEDED", "More than there are options")]
      : [];
  return [...twice, ...tooManyDefaults, ...beyond, ...least, ...rangeRules(one, at)];
}

/** How many may be picked: one of a select, all of checkboxes, unless it says. */
export const mostOf = (one: Json, options: number): number =>
  typeof one.max_values === "number" ? one.max_values : one.type === KINDS.boxes ? options : 1;

export const leastOf = (one: Json): number => (typeof one.min_values === "number" ? one.min_values : 1);

function rangeRules(one: Json, at: Path): Complaint[] {
  const most = mostOf(one, records(one.options).length);
  if (one.type === KINDS.radio || num(one.min_values) <= most) return [];
  return [wrong([...at, "min_values"], "SELECT_COMPONENT_MIN_VALUES_EXCEEDED", "More than max_values")];
}

function textInputRules({ min_length, max_length, value }: Json, at: Path): Complaint[] {
  const complaints: Complaint[] = [];
  if (typeof max_length === "number" && num(min_length) > max_length)
    complaints.push(wrong([...at, "min_length"], "NUMBER_TYPE_MAX", "More than max_length"));
  if (typeof max_length === "number" && str(value).length > max_length)
    complaints.push(
      wrong([...at, "value"], "BASE_TYPE_MAX_LENGTH", `Must be ${max_length} or fewer in length.`),
    );
  return complaints;
}

const labelRules = ({ component }: Json, at: Path): Complaint[] =>
  isJson(component) && component.type === KINDS.textInput && typeof component.label === "string"
    ? [wrong([...at, "component", "label"], "BASE_TYPE_INVALID", "The label stands around it already")]
    : [];
