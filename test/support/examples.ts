/** The payloads that come with askgate. */
import { readFileSync } from "node:fs";

export const example = (name: "login" | "flow-1" | "flow-2" | "plan"): Record<string, unknown> =>
  JSON.parse(readFileSync(`examples/${name}.json`, "utf8"));
