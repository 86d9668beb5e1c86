import { expect, it } from "vitest";
import { texts, withTexts } from "../../src/core/texts.ts";
import { everyPart } from "../support/every-part.ts";

const parts = () => everyPart((name) => `<${name}>`);

it("gives every text that a part shows, and no file's", () => {
  const shown = parts().flatMap(texts).join("\n");
  const names: string[] = [];
  everyPart((name) => {
    names.push(name);
    return name;
  });
  for (const name of names.filter((name) => name !== "file")) expect(shown).toContain(`<${name}>`);
  expect(shown).not.toContain("<file>");
});

it("puts every text through the change, a file's too", () => {
  const changed = parts().map((part) => withTexts(part, (text) => text.toUpperCase()));
  expect(changed).toEqual(everyPart((name) => `<${name.toUpperCase()}>`));
});

it("changes nothing else", () => {
  expect(parts().map((part) => withTexts(part, (text) => text))).toEqual(parts());
});
