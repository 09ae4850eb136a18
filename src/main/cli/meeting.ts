/** Where each of several brings something, and all wait until everybody came or is known not to come. */
export class Meeting<T> {
  /** In the order of the places; null: nobody came. */
  readonly all: Promise<readonly (T | null)[]>;
  readonly #brought: (T | null)[];
  readonly #awaited: Set<number>;
  #settle: (brought: readonly (T | null)[]) => void = () => undefined;

  constructor(count: number) {
    this.#brought = Array.from({ length: count }, () => null);
    this.#awaited = new Set(this.#brought.keys());
    this.all = new Promise((resolve) => (this.#settle = resolve));
  }

  /** The first word about a place counts. */
  arrive(at: number, what: T | null): void {
    if (!this.#awaited.delete(at)) return;
    this.#brought[at] = what;
    if (this.#awaited.size === 0) this.#settle(this.#brought);
  }
}
