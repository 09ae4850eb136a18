/** What was opened, to be closed the newest first: what stands on something else is gone before it. */
export class Closer {
  readonly #closings: (() => unknown)[] = [];

  /** To be called at once after something was opened. A promise that is returned is waited for. */
  add(close: () => unknown): void {
    this.#closings.push(close);
  }

  /** Resolves when nothing is left. What fails to close does not keep the rest open, and is thrown in the end. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let next = this.#closings.pop(); next !== undefined; next = this.#closings.pop()) {
      try {
        await next();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'several things failed to close');
  }
}
