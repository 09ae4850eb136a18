/** Something that comes once, later: for those who wait for it, and for those who take it only if it is there. */
export class Late<T> {
  readonly promise: Promise<T>;
  #resolve: (value: T) => void = () => undefined;
  #value: T | null = null;

  constructor() {
    this.promise = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Null: it has not come. */
  get value(): T | null {
    return this.#value;
  }

  /** The first counts. */
  come(value: T): void {
    this.#value ??= value;
    this.#resolve(value);
  }
}
