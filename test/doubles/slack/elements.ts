/** What may stand in a block and be pressed, chosen or filled in. */
import { LIMITS } from "./limits.ts";
import {
  array,
  type Check,
  flag,
  integer,
  oneOf,
  type Rule,
  refuse,
  shape,
  text,
  uniqueId,
} from "./rules.ts";
import {
  anyText,
  choiceOption,
  choosable,
  confirm,
  menuOption,
  optionGroup,
  overflowOption,
  plain,
} from "./text-objects.ts";
import { type Json, list, str } from "./wire.ts";

const action_id = uniqueId(LIMITS.id, (check) => check.actionIds, "action_id");
const placeholder = plain(LIMITS.placeholder);

export const button: Rule = shape({
  required: { text: plain(LIMITS.buttonText) },
  optional: {
    action_id,
    value: text(LIMITS.buttonValue),
    url: text(LIMITS.url),
    style: oneOf("primary", "danger"),
    accessibility_label: text(LIMITS.accessibilityLabel),
    confirm,
  },
});

const menu = {
  action_id,
  confirm,
  placeholder,
  focus_on_load: flag,
  options: array(menuOption, 1, LIMITS.selectOptions),
  option_groups: array(optionGroup, 1, LIMITS.selectGroups),
};

function menuAlso(element: Json, at: string, check: Check): void {
  if ((element.options === undefined) === (element.option_groups === undefined))
    refuse(check, at, "must define either `options` or `option_groups`");
  choosable(element, at, check);
}

export const staticSelect: Rule = shape({ optional: { ...menu, initial_option: menuOption } }, menuAlso);

export const multiStaticSelect: Rule = shape(
  {
    optional: {
      ...menu,
      initial_options: array(menuOption, 1, LIMITS.selectOptions),
      max_selected_items: integer(1, LIMITS.selectOptions),
    },
  },
  (element, at, check) => {
    menuAlso(element, at, check);
    if (
      typeof element.max_selected_items === "number" &&
      list(element.initial_options).length > element.max_selected_items
    )
      refuse(check, `${at}/initial_options`, "must not be more than max_selected_items");
  },
);

export const overflow: Rule = shape(
  {
    required: { options: array(overflowOption, 1, LIMITS.overflowOptions) },
    optional: { action_id, confirm },
  },
  choosable,
);

const choices = {
  required: { options: array(choiceOption, 1, LIMITS.choices) },
  optional: { action_id, confirm, focus_on_load: flag },
};

export const radioButtons: Rule = shape(
  { ...choices, optional: { ...choices.optional, initial_option: choiceOption } },
  choosable,
);

export const checkboxes: Rule = shape(
  { ...choices, optional: { ...choices.optional, initial_options: array(choiceOption, 1, LIMITS.choices) } },
  choosable,
);

export const plainTextInput: Rule = shape(
  {
    optional: {
      action_id,
      placeholder,
      initial_value: text(LIMITS.plainTextInput, 0),
      multiline: flag,
      min_length: integer(0, LIMITS.plainTextInput),
      max_length: integer(1, LIMITS.plainTextInput),
      focus_on_load: flag,
      dispatch_action_config: shape({
        optional: {
          trigger_actions_on: array(oneOf("on_enter_pressed", "on_character_entered"), 1, 2),
        },
      }),
    },
  },
  (element, at, check) => {
    const { min_length: min, max_length: max } = element;
    if (typeof min === "number" && typeof max === "number" && min > max)
      refuse(check, `${at}/min_length`, "must not be more than max_length");
    if (typeof max === "number" && str(element.initial_value).length > max)
      refuse(check, `${at}/initial_value`, "must not be longer than max_length");
  },
);

const image_url = text(LIMITS.url);

export const imageFields = {
  required: { alt_text: text(LIMITS.altText) },
  optional: { image_url, slack_file: shape({ optional: { id: text(LIMITS.id), url: text(LIMITS.url) } }) },
};

export function imageAlso(element: Json, at: string, check: Check): void {
  if ((element.image_url === undefined) === (element.slack_file === undefined))
    refuse(check, at, "must define either `image_url` or `slack_file`");
}

export const imageElement: Rule = shape(imageFields, imageAlso);

export const CONTEXT_ELEMENTS = {
  image: imageElement,
  plain_text: shape({ required: { text: text(LIMITS.contextText) }, optional: { emoji: flag } }),
  mrkdwn: shape({ required: { text: text(LIMITS.contextText) }, optional: { verbatim: flag } }),
};

const PICKERS = {
  static_select: staticSelect,
  multi_static_select: multiStaticSelect,
  radio_buttons: radioButtons,
  checkboxes,
};

export const ACTIONS_ELEMENTS = { ...PICKERS, button, overflow };
export const ACCESSORIES = { ...ACTIONS_ELEMENTS, image: imageElement };
export const INPUT_ELEMENTS = { ...PICKERS, plain_text_input: plainTextInput };
export const sectionText = anyText(LIMITS.sectionText);
