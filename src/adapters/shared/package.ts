import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

declare const __VERSION__: string | undefined;

/** The package's version, put in by the bundler; run from source it is older than every release. */
export const VERSION = typeof __VERSION__ === "string" ? __VERSION__ : "0.0.0";

/** The folder of the installed package: where `dist` and `package.json` are, whichever file this runs from. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
