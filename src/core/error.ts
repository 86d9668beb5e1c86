/**
 * The errors that askgate throws: a promise that was broken. What is merely refused (a stale press, a stranger) is a
 * value, never one of these. Nothing here may hold a secret: messages and fields reach logs and terminals.
 */

export interface ErrorDetails {
  /** What the reader can do about it. */
  help?: string | undefined;
  /** What a program may want to know, as JSON. */
  fields?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/** The one error base. Tell errors apart by `code`, which stays the same between versions, never by `message`. */
export class AskgateError extends Error {
  readonly code: string;
  /** What to do about it; "" where nothing can be said. */
  readonly help: string;
  readonly fields: Record<string, unknown>;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AskgateError";
    this.code = code;
    this.help = details.help ?? "";
    this.fields = details.fields ?? {};
  }
}

/** One mistake in a payload: where (`decisions[2].options[0].id`, the root is `<root>`), what was expected, what was found. */
export interface Issue {
  path: string;
  message: string;
}

/**
 * An agent's payload is not what it has to be. `issues` names every mistake, in the order of the payload; correct them
 * all and submit again.
 */
export class PayloadError extends AskgateError {
  readonly issues: Issue[];

  constructor(kind: string, issues: Issue[]) {
    super("invalid_payload", [`not a valid ${kind} payload`, ...issues.map(line)].join("\n  "), {
      help: `Correct the payload and submit it again; \`askgate schema ${kind}\` prints what is accepted.`,
      fields: { kind, issues },
    });
    this.name = "PayloadError";
    this.issues = issues;
  }
}

const line = ({ path, message }: Issue): string => `${path}: ${message}`;
