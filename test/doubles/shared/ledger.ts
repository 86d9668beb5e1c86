/** What happened and what should not have: calls, violations, expectations, and those who wait for a change. */

export interface Call {
  method: string;
  /** Null where a platform has no workspaces with tokens of their own. */
  team: string | null;
  channel: string | null;
  args: { [key: string]: unknown };
  /** The error that was answered, `http 500` and the like for faults, null where it went well. */
  error: string | null;
  at: number;
}

export class Ledger {
  readonly calls: Call[] = [];
  readonly violations: string[] = [];
  readonly #expectedErrors: { method: string; error: string; maybe: boolean; seen: number }[] = [];
  readonly #expected: { pattern: RegExp; maybe: boolean; seen: number }[] = [];
  readonly #waiting = new Set<() => void>();

  call(call: Call): void {
    this.calls.push(call);
    this.changed();
  }

  /** An answer with an error: wrong unless a test said it would come. */
  refused(method: string, error: string, details: string[]): void {
    const expected = this.#expectedErrors.find((one) => one.method === method && one.error === error);
    if (expected !== undefined) expected.seen += 1;
    else this.violation(`${method} was refused: ${[error, ...details].join("\n      ")}`);
  }

  violation(text: string): void {
    const expected = this.#expected.find((one) => one.pattern.test(text));
    if (expected !== undefined) expected.seen += 1;
    else this.violations.push(text);
    this.changed();
  }

  expectError(method: string, error: string, { maybe = false } = {}): void {
    this.#expectedErrors.push({ method, error, maybe, seen: 0 });
  }

  expectViolation(pattern: RegExp, { maybe = false } = {}): void {
    this.#expected.push({ pattern, maybe, seen: 0 });
  }

  /** What a clean run has none of: violations, and expectations that nothing met. */
  complaints(): string[] {
    return [
      ...this.violations,
      ...this.#expectedErrors
        .filter((one) => !one.maybe && one.seen === 0)
        .map((one) => `${one.method} was expected to be refused with ${one.error}, and never was`),
      ...this.#expected
        .filter((one) => !one.maybe && one.seen === 0)
        .map((one) => `a violation like ${one.pattern} was expected, and never came`),
    ];
  }

  changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves at the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Resolves once the condition holds, looking again at each change; rejects with the scene after `timeout` ms. */
  until(condition: () => boolean, scene: () => string, timeout: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        settle();
      };
      const timer = setTimeout(
        () => done(() => reject(new Error(`not met in ${timeout} ms: ${condition}\n${scene()}`))),
        timeout,
      );
      const look = () => {
        try {
          if (condition()) return done(resolve);
        } catch (error) {
          return done(() => reject(error));
        }
        this.#waiting.add(look);
      };
      look();
    });
  }
}
