import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** The import rules, derived again from the source itself, so that a tool that reads nothing cannot pass them. */
const root = resolve(import.meta.dirname, "..");
const files = sourceFiles("src");

function sourceFiles(folder: string): string[] {
  return readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}

interface Import {
  from: string;
  to: string;
}

const imports: Import[] = files.flatMap((from) => {
  const source = readFileSync(resolve(root, from), "utf8");
  const specifiers = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;"']*?from\s*"([^"]+)"|import\("([^"]+)"\)/g,
  );
  return [...specifiers].map(([, fixed, dynamic]) => ({ from, to: target(from, fixed ?? dynamic ?? "") }));
});

function target(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return relative(root, resolve(root, dirname(from), specifier)).replaceAll("\\", "/");
}

const adapterOf = (path: string): string | undefined => /^src\/adapters\/([^/]+)\//.exec(path)?.[1];

const broken = (rule: (edge: Import) => boolean): string[] =>
  imports.filter(rule).map(({ from, to }) => `${from} → ${to}`);

describe("the source", () => {
  it("was read", () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(150);
  });

  it("has a core that imports core, zod and marked", () => {
    expect(
      broken(({ from, to }) => from.startsWith("src/core/") && !/^(src\/core\/|zod$|marked$)/.test(to)),
    ).toEqual([]);
  });

  it("has adapters that import core, shared and themselves", () => {
    expect(
      broken(({ from, to }) => {
        const adapter = adapterOf(from);
        const other = adapterOf(to);
        if (adapter === undefined) return false;
        return to.startsWith("src/cli/") || (other !== undefined && other !== adapter && other !== "shared");
      }),
    ).toEqual([]);
  });

  it("puts adapters together in the command line only", () => {
    const allowed = /^src\/(cli\/|index\.ts)/;
    expect(
      broken(
        ({ from, to }) => !allowed.test(from) && adapterOf(from) === undefined && adapterOf(to) !== undefined,
      ),
    ).toEqual([]);
  });

  it("is at most three folders deep", () => {
    expect(files.filter((file) => file.split("/").length > 5)).toEqual([]);
  });
});
