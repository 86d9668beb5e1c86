/** How much of what Discord counts a message takes. Pure. */
import type { Component, Pressable } from "./kit.ts";
import { MOST } from "./limits.ts";

export interface Measure {
  /** Those inside others too. */
  components: number;
  /** UTF-16 units of its texts. */
  characters: number;
  /** UTF-8 of its texts, and of the words on menus and buttons. */
  bytes: number;
}

export const measure = (all: Component[]): Measure =>
  all.map(measureOne).reduce(
    (sum, one) => ({
      components: sum.components + one.components,
      characters: sum.characters + one.characters,
      bytes: sum.bytes + one.bytes,
    }),
    { components: 0, characters: 0, bytes: 0 },
  );

export function fits(all: Component[]): boolean {
  const { components, characters, bytes } = measure(all);
  return components <= MOST.components && characters <= MOST.characters && bytes <= MOST.bytes;
}

function measureOne(component: Component): Measure {
  switch (component.type) {
    case 10: {
      const { content } = component;
      return { components: 1, characters: content.length, bytes: Buffer.byteLength(content) };
    }
    case 1: {
      const bytes = Buffer.byteLength(component.components.flatMap(wordsOn).join(""));
      return { components: 1 + component.components.length, characters: 0, bytes };
    }
    case 13:
      return { components: 1, characters: 0, bytes: Buffer.byteLength(component.file.url) };
  }
}

const wordsOn = (one: Pressable): string[] =>
  one.type === 2 ? [one.label] : [one.placeholder ?? "", ...one.options.map(({ label }) => label)];
