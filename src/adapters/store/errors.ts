/** What can go wrong with the store, and what to do about it. */
import { getSystemErrorName } from "node:util";
import { AskgateError } from "../../core/error.ts";

/**
 * `conflict`: somebody else saved first. `damaged`: bytes that cannot be read. `store_newer`: written by a newer askgate.
 * `store_full`, `store_readonly`, `store_failed`: the disk; nothing was changed.
 */
export type StoreErrorCode =
  | "conflict"
  | "damaged"
  | "store_full"
  | "store_readonly"
  | "store_failed"
  | "store_newer";

const HELP: Record<StoreErrorCode, string> = {
  conflict: "Load the record again and repeat the change.",
  damaged: "The other records are not touched. If a whole file is damaged, move it away or restore a backup.",
  store_full: "Free some disk space (or raise the quota) and try again; what was saved before is safe.",
  store_readonly: "Make the state directory writable for this user, or set ASKGATE_STATE_DIR to one that is.",
  store_failed: "Check the disk under the state directory, then restart the bot.",
  store_newer: "Install a newer askgate (npm install askgate@latest); this one cannot read the store.",
};

export class StoreError extends AskgateError {
  constructor(
    code: StoreErrorCode,
    message: string,
    more: { fields?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(code, message, { help: HELP[code], ...more });
    this.name = "StoreError";
  }
}

/** Says in the store's words what the disk or LMDB failed with. `doing` completes "Could not …". */
export function asStoreError(cause: unknown, doing: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const name = failureName(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(CODES[name] ?? "store_failed", `Could not ${doing}: ${reason}`, {
    fields: { failure: name },
    cause,
  });
}

/** The system's or LMDB's name of a failure: `ENOSPC`, `MDB_CORRUPTED`; `unknown` when it has none. */
export function failureName(cause: unknown): string {
  if (!(cause instanceof Error) || !("code" in cause)) return "unknown";
  if (typeof cause.code === "string") return cause.code;
  if (typeof cause.code !== "number") return "unknown";
  return LMDB_NAMES[cause.code] ?? systemName(cause.code);
}

const CODES: Record<string, StoreErrorCode> = {
  ENOSPC: "store_full",
  EDQUOT: "store_full",
  EFBIG: "store_full",
  MDB_MAP_FULL: "store_full",
  EACCES: "store_readonly",
  EPERM: "store_readonly",
  EROFS: "store_readonly",
  MDB_CORRUPTED: "damaged",
  MDB_PAGE_NOTFOUND: "damaged",
  MDB_INVALID: "damaged",
};

/** From lmdb.h. */
const LMDB_NAMES: Record<number, string> = {
  [-30797]: "MDB_PAGE_NOTFOUND",
  [-30796]: "MDB_CORRUPTED",
  [-30795]: "MDB_PANIC",
  [-30793]: "MDB_INVALID",
  [-30792]: "MDB_MAP_FULL",
};

/** LMDB passes the system's own numbers on, positive. */
function systemName(code: number): string {
  return code > 0 ? getSystemErrorName(-code) : `MDB_${code}`;
}
