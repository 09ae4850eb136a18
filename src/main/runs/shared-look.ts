/** A look that many ask for at once. Who asks while one is under way shares the next: that one may have asked before whatever this is about. */
export class SharedLook<T> {
  readonly #look: () => Promise<T>;
  #current: Promise<T> | null = null;

  constructor(look: () => Promise<T>) {
    this.#look = look;
  }

  async next(): Promise<T> {
    await this.#current;
    this.#current ??= this.#look().finally(() => {
      this.#current = null;
    });
    return this.#current;
  }

  /** Once nothing of it is under way. */
  async settled(): Promise<void> {
    await this.#current;
  }
}
