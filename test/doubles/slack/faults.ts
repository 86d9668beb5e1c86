/** What goes wrong on the next calls of Slack, by a test's will. */
import type { LineFault } from "../shared/faults.ts";

export type Fault =
  | LineFault
  | { error: string }
  /** A 429; with `wholeMethod` for all channels, else for the channel of the call. */
  | { retryAfter: number; wholeMethod?: boolean };
