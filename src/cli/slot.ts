/**
 * Who is who among agents that give no id of their conversation: each connection of one client in a project takes the
 * lowest slot that nobody holds. So two at once do not get each other's answers, and one that comes back after it was
 * closed or killed finds the session that it had.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { prepareStateDirectory, stateDirectory } from "../adapters/link/paths.ts";
import { BOT_RUNNING } from "../adapters/link/protocol.ts";
import { AskgateError } from "../core/error.ts";
import { type Lock, takeLock } from "./lock.ts";

export interface Slot {
  /** The agent's id, as a session keeps it: `mcp/claude-code/1`. */
  id: string;
  /** Lets the next one have it. */
  leave(): void;
}

/** Throws `state_dir_unusable`. */
export async function takeSlot(project: string, client: string): Promise<Slot> {
  const folder = createHash("sha256")
    .update(JSON.stringify([project, client]))
    .digest("hex")
    .slice(0, 16);
  const slots = join(prepareStateDirectory(stateDirectory()), "mcp", folder);
  for (let number = 1; ; number += 1) {
    const lock = await held(prepareStateDirectory(join(slots, String(number))));
    if (lock !== null) return { id: `mcp/${client}/${number}`, leave: () => lock.release() };
  }
}

/** Null when somebody else holds it. */
async function held(folder: string): Promise<Lock | null> {
  try {
    return await takeLock(folder);
  } catch (error) {
    if (error instanceof AskgateError && error.code === BOT_RUNNING) return null;
    throw error;
  }
}
