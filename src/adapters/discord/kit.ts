/** Components V2, as far as they are drawn here: a part of what Discord's reference describes. */

/** Text in Discord's Markdown. */
export interface TextDisplay {
  type: 10;
  content: string;
}
export interface Button {
  type: 2;
  /** 1: primary, 2: plain, 4: danger. */
  style: 1 | 2 | 4;
  label: string;
  custom_id: string;
}
export interface Option {
  label: string;
  value: string;
  /** Picked. */
  default?: true;
}
export interface Select {
  type: 3;
  custom_id: string;
  options: Option[];
  placeholder?: string;
  min_values?: number;
  max_values?: number;
  /** In forms. */
  required?: boolean;
}
export type Pressable = Button | Select;

/** Up to five buttons, or one select. */
export interface Row {
  type: 1;
  components: Pressable[];
}
export interface File {
  type: 13;
  file: { url: string };
}
export type Component = TextDisplay | Row | File;

export interface TextInput {
  type: 4;
  custom_id: string;
  /** Of several lines. */
  style: 2;
  max_length: number;
  required: boolean;
  value?: string;
}
export interface Label {
  type: 18;
  label: string;
  description?: string;
  component: TextInput | Select;
}
/** A form. */
export interface Modal {
  custom_id: string;
  title: string;
  components: (TextDisplay | Label)[];
}

/** A message: everything that it shows are components. */
export interface Message {
  flags: number;
  components: Component[];
}

/** Marks a message whose components are all that it has. */
export const COMPONENTS_V2 = 1 << 15;
