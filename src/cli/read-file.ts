/** Reads a file that may not be there. */
import { readFileSync } from "node:fs";
import { UsageError } from "./exit.ts";

/** Its text; null where there is none. Throws `UsageError` for one that cannot be read. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
