/** `plan up`. */
import { askAndWait, type RoundFlags } from "../round.ts";

export const planUp = (flags: RoundFlags): Promise<number> =>
  askAndWait({ kind: "plan", again: false, flags });
