/** How long a hook may take: its answer is always out before the agent stops listening and goes on without one. */

export interface Time {
  /** Until the answer must be out, in milliseconds. */
  left(): number;
  /** Until people's time is over, in milliseconds: some time is left to fetch how it ended. */
  asking(): number;
}

/** `seconds`: when the agent stops listening; counted from the start of this process. */
export function timeOf(seconds: number): Time {
  const out = seconds * 1000 - Math.min(5_000, seconds * 100);
  const over = out - Math.min(10_000, seconds * 150);
  return {
    left: () => Math.max(0, out - performance.now()),
    asking: () => Math.max(0, over - performance.now()),
  };
}
