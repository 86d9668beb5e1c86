/** Small blocks for the double's own tests, to be made wrong in one place each. */

export const long = (length: number) => "x".repeat(length);
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
export const plain = (length = 1) => ({ type: "plain_text", text: long(length) });
export const mrkdwn = (length = 1) => ({ type: "mrkdwn", text: long(length) });
export const option = (value: string, text = "one") => ({ text: { type: "plain_text", text }, value });
export const options = (count: number) => times(count, (index) => option(`v${index}`));
export const button = (more = {}) => ({ type: "button", text: plain(), ...more });
export const select = (more = {}) => ({ type: "static_select", options: options(2), ...more });
export const multi = (more = {}) => ({ type: "multi_static_select", options: options(2), ...more });
export const radio = (more = {}) => ({ type: "radio_buttons", options: options(2), ...more });
export const boxes = (more = {}) => ({ type: "checkboxes", options: options(2), ...more });
export const overflow = (more = {}) => ({ type: "overflow", options: options(2), ...more });
export const actions = (...elements: unknown[]) => ({ type: "actions", elements });
export const section = (more = {}) => ({ type: "section", text: mrkdwn(), ...more });
export const input = (element: unknown, more = {}) => ({ type: "input", label: plain(), element, ...more });
export const textInput = (more = {}) => ({ type: "plain_text_input", ...more });
export const rich = (...elements: unknown[]) => ({ type: "rich_text", elements });
export const richSection = (...elements: unknown[]) => ({ type: "rich_text_section", elements });
export const dialog = (more = {}) => ({
  text: plain(),
  title: plain(),
  confirm: plain(),
  deny: plain(),
  ...more,
});
export const view = (more = {}) => ({
  type: "modal",
  title: plain(),
  blocks: [{ type: "divider" }],
  ...more,
});
export const table = (rows: number, columns: number, text = 1) => ({
  type: "table",
  rows: times(rows, () => times(columns, () => ({ type: "raw_text", text: long(text) }))),
});
