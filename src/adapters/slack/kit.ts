/** Block Kit, as far as it is drawn here: a part of what `@slack/types` describes, without what must never be drawn. */

/** How a text looks. Absent: not so. */
export interface Style {
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
}

export interface Words {
  type: "text";
  text: string;
  style?: Style;
}
/** Without `text` it shows its address. */
export interface Link {
  type: "link";
  url: string;
  text?: string;
  style?: Style;
}
/** A time by the reader's own clock; `timestamp` in seconds. */
export interface Time {
  type: "date";
  timestamp: number;
  format: string;
  fallback: string;
  style?: Style;
}
export type Inline = Words | Link | Time;

export interface Section {
  type: "rich_text_section";
  elements: Inline[];
}
export interface Items {
  type: "rich_text_list";
  style: "bullet" | "ordered";
  elements: Section[];
  indent: number;
  /** Added to the first number, which is 1. */
  offset?: number;
  border?: 0 | 1;
}
export interface Quote {
  type: "rich_text_quote";
  elements: Inline[];
}
export interface Code {
  type: "rich_text_preformatted";
  elements: Words[];
  border?: 0 | 1;
}
export type RichPart = Section | Items | Quote | Code;

export interface RichText {
  type: "rich_text";
  elements: RichPart[];
}

export interface PlainText {
  type: "plain_text";
  text: string;
  emoji: false;
}
export interface Option {
  text: PlainText;
  value: string;
}
export interface Confirm {
  title: PlainText;
  text: PlainText;
  confirm: PlainText;
  deny: PlainText;
  style?: "danger";
}
export interface Button {
  type: "button";
  action_id: string;
  text: PlainText;
  value?: string;
  style?: "primary" | "danger";
  confirm?: Confirm;
}
export interface Select {
  type: "static_select";
  action_id: string;
  options: Option[];
  initial_option?: Option;
  placeholder?: PlainText;
}
export interface MultiSelect {
  type: "multi_static_select";
  action_id: string;
  options: Option[];
  initial_options?: Option[];
  placeholder?: PlainText;
}
export type Pressable = Button | Select | MultiSelect;

export interface Actions {
  type: "actions";
  block_id?: string;
  elements: Pressable[];
}
export interface Context {
  type: "context";
  elements: PlainText[];
}
/** Only for mentions: the one text that Slack parses. */
export interface Mentions {
  type: "section";
  text: { type: "mrkdwn"; text: string };
}
export type Block = RichText | Actions | Context | Mentions;

export interface TextInput {
  type: "plain_text_input";
  action_id: string;
  multiline: true;
  max_length: number;
  initial_value?: string;
}
export interface Input {
  type: "input";
  block_id: string;
  label: PlainText;
  element: TextInput | Select;
  optional: boolean;
}
/** A form. */
export interface View {
  type: "modal";
  callback_id: string;
  private_metadata: string;
  title: PlainText;
  submit: PlainText;
  blocks: Input[];
}

/** A message: its blocks, and the text of its notification. */
export interface Message {
  text: string;
  blocks: Block[];
}
