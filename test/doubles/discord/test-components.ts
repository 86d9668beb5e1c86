/** Components for the double's own tests, each as small as it may be. */
import type { Json } from "./wire.ts";

export const long = (length: number): string => "x".repeat(length);

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

let ids = 0;
const fresh = (): string => {
  ids += 1;
  return `id${ids}`;
};

export const row = (...components: Json[]): Json => ({ type: 1, components });

export const button = (more: Json = {}): Json => ({
  type: 2,
  style: 1,
  label: "Go",
  custom_id: fresh(),
  ...more,
});

export const option = (value: string, more: Json = {}): Json => ({
  label: `Option ${value}`,
  value,
  ...more,
});

export const options = (count: number): Json[] => times(count, (index) => option(`v${index}`));

export const select = (more: Json = {}): Json => ({
  type: 3,
  custom_id: fresh(),
  options: options(2),
  ...more,
});

export const text = (content: string): Json => ({ type: 10, content });

export const section = (...texts: Json[]): Json => ({ type: 9, components: texts, accessory: button() });

export const container = (...components: Json[]): Json => ({ type: 17, components });

export const input = (more: Json = {}): Json => ({ type: 4, style: 1, custom_id: fresh(), ...more });

export const label = (component: Json, more: Json = {}): Json => ({
  type: 18,
  label: "Why",
  component,
  ...more,
});

export const modal = (...components: Json[]): Json => ({ custom_id: "m", title: "Other", components });
