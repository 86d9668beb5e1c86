import { describe, expect, it } from "vitest";
import { z } from "zod";
import { renderBrief } from "../../src/core/brief-file.ts";
import { cases } from "../core/conformance.ts";
import { at, brief, inItsOwnProject, put, read, reply } from "./brief-project.ts";

inItsOwnProject();

const bodyOf = (file: string): string => file.slice(file.indexOf("\n## ") + 1);

const Entry = z.looseObject({
  id: z.string(),
  op: z.enum(["parse", "load", "render", "roundtrip", "gate", "when"]),
  input: z.unknown().optional(),
  file_before: z.string().nullish(),
  always_ask: z.boolean().optional(),
  expect: z.looseObject({}),
});
type Entry = z.infer<typeof Entry>;

/** Chinese, as the data's own cases are. */
const ZH = ["--locale", "zh"];

async function missingOf(...args: string[]): Promise<unknown> {
  const { code, stdout } = await brief("check", ...args, ...ZH);
  const { missingKeys = [] } = JSON.parse(stdout);
  expect(code).toBe(missingKeys.length === 0 ? 0 : 2);
  return missingKeys;
}

async function conforms({ op, input, expect: wanted, ...entry }: Entry): Promise<void> {
  switch (op) {
    case "parse":
      expect(await missingOf(reply(String(input)))).toEqual(wanted.missing_keys);
      return;
    case "load":
      if (typeof input === "string") put(at("brief.md"), input);
      if (typeof input !== "string")
        expect(JSON.parse((await brief("check")).stdout).reason).toContain("no brief yet");
      else await loads(wanted);
      return;
    case "render":
      put(
        at("brief.md"),
        renderBrief(
          z
            .object({ goal: z.string(), accept: z.string(), bounds: z.string(), unknowns: z.string() })
            .parse(input),
          "zh",
        ),
      );
      expect(bodyOf(read("brief.md"))).toBe(wanted.markdown_body);
      await loads({ ...wanted, sections: input });
      return;
    case "roundtrip":
      await brief("freeze", reply(String(input)), ...ZH);
      expect(bodyOf(read("brief.md"))).toBe(wanted.file_body);
      await loads({ sections: wanted.second, missing_keys: wanted.missing_after });
      return;
    case "gate":
      return gates(String(input), entry.file_before ?? null, wanted);
    case "when":
      if (typeof entry.file_before === "string") put(at("brief.md"), entry.file_before);
      expect((await brief("check", ...(entry.always_ask ? ["--always-ask"] : []))).code).toBe(
        wanted.run_step ? 2 : 0,
      );
      if (!wanted.run_step) expect((await brief("prompt")).stdout).toBe(`${String(wanted.hydrated)}\n`);
      return;
  }
}

/** The project's brief as `show`, `check` and `prompt` see it. */
async function loads(wanted: Record<string, unknown>): Promise<void> {
  expect(JSON.parse((await brief("show")).stdout).sections).toEqual(wanted.sections);
  expect(await missingOf()).toEqual(wanted.missing_keys);
  const { stdout } = await brief("prompt", ...ZH);
  if (typeof wanted.prompt_block === "string") expect(stdout.trimEnd()).toBe(wanted.prompt_block);
}

async function gates(input: string, before: string | null, wanted: Record<string, unknown>): Promise<void> {
  if (before !== null) put(at("brief.md"), before);
  const { code, stdout } = await brief("freeze", reply(input), ...ZH);
  expect(code).toBe(wanted.pass ? 0 : 2);
  if (!wanted.pass) {
    expect(JSON.parse(stdout).missing).toEqual(wanted.missing);
    expect(JSON.parse((await brief("check")).stdout).reason).toContain("no brief yet");
    return;
  }
  expect(bodyOf(read("brief.md"))).toBe(wanted.file_after_body);
  expect((await brief("prompt", ...ZH)).stdout).toBe(`${String(wanted.passed_down)}\n`);
}

describe("conformance: briefs, through the command line", () => {
  const all = cases("briefs", Entry);
  it.each(all.map((entry) => ({ name: `${entry.id} (${entry.op})`, entry })))("$name", ({ entry }) =>
    conforms(entry),
  );
  it("has all cases", () => expect(all).toHaveLength(112));
});
