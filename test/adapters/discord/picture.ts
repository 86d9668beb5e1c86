/** A message as text: its Markdown as it is sent, and what can be pressed. */
import type { Component, Message, Pressable } from "../../../src/adapters/discord/kit.ts";

export const picture = ({ components }: Pick<Message, "components">): string =>
  components.map(componentPicture).join("\n");

function componentPicture(component: Component): string {
  switch (component.type) {
    case 10:
      return component.content;
    case 1:
      return component.components.map(pressable).join(" ");
    case 13:
      return `(${component.file.url})`;
  }
}

const STYLES = { 1: "!", 2: "", 4: "x" };

function pressable(one: Pressable): string {
  if (one.type === 2) return `[${STYLES[one.style]}${one.label}]`;
  const chosen = one.options.filter((option) => option.default).map(({ label }) => label);
  return `[${chosen.join(", ") || one.placeholder || "…"} ▾ ${one.options.map(({ label }) => label).join(" / ")}]`;
}
