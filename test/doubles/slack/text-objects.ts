/** Text objects, options and confirm dialogs: the parts that blocks and elements are made of. */
import { isDeepStrictEqual } from "node:util";
import { LIMITS } from "./limits.ts";
import { array, byType, type Check, flag, oneOf, type Rule, refuse, shape, text } from "./rules.ts";
import { type Json, list, records, str } from "./wire.ts";

const plainText = (max: number): Rule => shape({ required: { text: text(max) }, optional: { emoji: flag } });
const mrkdwnText = (max: number): Rule =>
  shape({ required: { text: text(max) }, optional: { verbatim: flag } });

export const plain = (max: number): Rule => byType({ plain_text: plainText(max) });
export const anyText = (max: number): Rule => byType({ plain_text: plainText(max), mrkdwn: mrkdwnText(max) });

export const confirm: Rule = shape({
  required: { text: anyText(LIMITS.confirmText) },
  optional: {
    title: plain(LIMITS.confirmTitle),
    confirm: plain(LIMITS.confirmButton),
    deny: plain(LIMITS.confirmButton),
    style: oneOf("primary", "danger"),
  },
});

const option = (label: Rule, description: Rule, optional: { [key: string]: Rule } = {}): Rule =>
  shape({
    required: { text: label, value: text(LIMITS.optionValue) },
    optional: { description, ...optional },
  });

export const menuOption = option(plain(LIMITS.optionText), plain(LIMITS.optionDescription));
export const choiceOption = option(anyText(LIMITS.optionText), anyText(LIMITS.optionDescription));
export const overflowOption = option(plain(LIMITS.optionText), plain(LIMITS.optionDescription), {
  url: text(LIMITS.url),
});

export const optionGroup: Rule = shape({
  required: { label: plain(LIMITS.groupLabel), options: array(menuOption, 1, LIMITS.selectOptions) },
});

/** Every option of an element, in groups or not. */
export const optionsOf = (element: Json): Json[] => [
  ...records(element.options),
  ...records(element.option_groups).flatMap((group) => records(group.options)),
];

/** Values are told apart, and what is chosen at first is among the options, word for word. */
export function choosable(element: Json, at: string, check: Check): void {
  const options = optionsOf(element);
  const values = options.map((one) => str(one.value));
  for (const [index, value] of values.entries())
    if (values.indexOf(value) < index)
      refuse(check, `${at}/options`, `option values must be unique: \`${value}\``);
  const there = (chosen: unknown) => options.some((one) => isDeepStrictEqual(one, chosen));
  if (element.initial_option !== undefined && !there(element.initial_option))
    refuse(check, `${at}/initial_option`, "initial_option must be one of the options");
  for (const [index, chosen] of list(element.initial_options).entries())
    if (!there(chosen))
      refuse(check, `${at}/initial_options/${index}`, "initial_options must be among the options");
}
