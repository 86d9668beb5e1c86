/** Port and key in the state directory, in a file that only the user can read. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KEPT, type Kept, parseJson } from "./wire.ts";

/** What was kept; port 0 (any) and a new key where there is nothing, or nothing that can be read. */
export function readKept(stateDir: string): Kept {
  const read = KEPT.safeParse(parseJson(readText(join(stateDir, "web.json"))));
  return read.success ? read.data : { port: 0, key: randomBytes(32).toString("base64url") };
}

export function keep(stateDir: string, kept: Kept): void {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const path = join(stateDir, "web.json");
  writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
