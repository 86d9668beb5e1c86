/** The file of connections, as far as a command may know it: which platforms it has any of. Light: commands start with it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatName } from "../../core/surface.ts";

/** In the state directory, for the user alone. */
export const VAULT_FILE = "connections.json";

/** The chats that a bot of this state directory keeps a connection to. */
export function keptChats(stateDir: string): ChatName[] {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(stateDir, VAULT_FILE), "utf8"));
    return (["slack", "discord"] as const).filter((name) => hasAny(kept, name));
  } catch {
    return []; // None yet, or not readable: the bot says so.
  }
}

function hasAny(kept: unknown, name: ChatName): boolean {
  if (typeof kept !== "object" || kept === null) return false;
  const found = Object.entries(kept).find(([key]) => key === name)?.[1];
  return typeof found === "object" && found !== null && Object.keys(found).length > 0;
}
