import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./folder.ts";

/** The built package as if it were another release, installed elsewhere; gives its `main.js`. */
export function installAs(version: string): string {
  const root = temporaryFolder();
  const dist = join(root, "dist");
  mkdirSync(dist);
  cpSync(resolve("dist"), dist, { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "askgate", version, type: "module" }));
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  const built: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(join(dist, name), "utf8");
    writeFileSync(join(dist, name), text.replaceAll(`"${built.version}"`, `"${version}"`));
  }
  return join(dist, "main.js");
}
