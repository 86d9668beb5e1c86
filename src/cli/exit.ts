/** How a command ends: the exit code of a status, of an error and of a signal. Codes are clarinator's, where it has them. */

/** Exit codes by `status`; a status that is not listed is an internal error. */
const BY_STATUS: Readonly<Record<string, number>> = {
  submitted: 0,
  valid: 0,
  cancelled: 3,
  declined: 3,
  timeout: 4,
  pending: 4,
  over_quota: 6,
  unreachable: 5,
  invalid: 2,
};

export const INTERNAL = 1;
export const USAGE = 2;
export const UNREACHABLE = 5;

export const exitOfStatus = (status: string): number =>
  Object.hasOwn(BY_STATUS, status) ? (BY_STATUS[status] ?? INTERNAL) : INTERNAL;

/** Signals that end the command and leave the round open. */
export const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The caller asked for something that cannot be: a flag, a file, a setting. `advice` says what to do next. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
  readonly advice: string;

  constructor(message: string, advice = "") {
    super(message);
    this.advice = advice;
  }
}
