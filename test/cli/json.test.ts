import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMistake, parseJson } from "../../src/cli/json.ts";

const mistake = (source: string): string => {
  const { line, column, wanted, found } = findMistake(source);
  return `${line}:${column} ${wanted}, found ${found}`;
};

describe("malformed JSON", () => {
  it.each([
    ['{"a": 1,}', '1:9 a key in "quotes", found "}"'],
    ['{\n  "a": nope\n}', '2:8 a value, found "n"'],
    ["[1, 2", "1:6 a comma or the end of the list or object, found the end of the text"],
    ['{"a" 1}', '1:6 :, found "1"'],
    ["{a: 1}", '1:2 a key in "quotes" or }, found "a"'],
    ['["x\ny"]', "1:2 a value or ], found a string that is unfinished or malformed"],
    ["[1] 2", '1:5 nothing more, found "2"'],
    ["[01]", '1:3 a comma or the end of the list or object, found "1"'],
    ['{"a": [1, {"b": 2}, }]', '1:21 a value, found "}"'],
  ])("%j breaks at %s", (source, said) => {
    expect(mistake(source)).toBe(said);
  });

  it("is named with the file it stands in", () => {
    expect(() => parseJson("[1 2]", "login.json")).toThrow("login.json:1:4: malformed JSON");
  });

  it("is empty input, too", () => {
    expect(() => parseJson(" \n", "login.json")).toThrow("login.json is empty");
  });

  it("may begin with a byte order mark, which is no mistake", () => {
    expect(parseJson('\uFEFF{"a": 1}', "f")).toEqual({ a: 1 });
  });

  it("breaks where cutting, or putting in a character, broke it, and never later", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom("", "}", "]", ",", ":", "x", '"', "\\", "-"),
        (json, at, put) => {
          const cut = at % (json.length + 1);
          const broken = json.slice(0, cut) + put + (put === "" ? "" : json.slice(cut));
          try {
            JSON.parse(broken);
          } catch {
            const { line, column } = findMistake(broken);
            expect(line).toBe(1);
            expect(column).toBeLessThanOrEqual(broken.length + 1);
          }
        },
      ),
    );
  });
});
