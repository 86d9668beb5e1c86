/** What goes wrong on the next calls of Discord, by a test's will. */
import type { LineFault } from "../shared/faults.ts";

export type Fault =
  | LineFault
  | { status: number; code: number }
  /** A 429 that lasts seconds, for the route, for all calls of the bot, or for all who use the resource. */
  | { retryAfter: number; scope?: "user" | "global" | "shared" };
