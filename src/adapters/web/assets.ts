/** The bundled page, read once: a bot that runs while it is upgraded goes on serving what fits it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Asset {
  type: string;
  bytes: Buffer;
}

export interface Assets {
  files: Map<string, Asset>;
  /** Changes with the files; a page that is older loads itself anew. */
  version: string;
}

const TYPES = { "page.js": "text/javascript", "page.css": "text/css", "markdown.js": "text/javascript" };

export function readAssets(folder: string): Assets {
  const hash = createHash("sha256");
  const files = new Map<string, Asset>();
  for (const [name, type] of Object.entries(TYPES)) {
    const bytes = readFileSync(join(folder, name));
    hash.update(bytes);
    files.set(name, { type: `${type}; charset=utf-8`, bytes });
  }
  return { files, version: hash.digest("hex").slice(0, 12) };
}
