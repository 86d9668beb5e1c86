/** An agent's plan as a review. */
import { shorten } from "./hook.ts";

const TITLE = 120;
const PLAN = 100_000;

/** Null where it is too long to be shown. */
export function planPayload(plan: string, agent: string): unknown {
  if (plan.length > PLAN) return null;
  const heading = /^#{1,6}[ \t]+(\S.*?)[ \t#]*$/m.exec(plan)?.[1] ?? "";
  return { title: shorten(heading || `Plan by ${agent}`, TITLE), plan };
}

export const tooLong = ({ length }: { length: number }): string =>
  `The plan has ${length} characters, and at most ${PLAN} can be shown for review. Present a shorter one.`;
