import { quoted } from '../quoted.ts';

const MAX_NAMED = 8;

/** What a pickle asks for that is not known to be harmless. It is all looked at to the end, so that damage is found behind it as well. */
export class Refusals {
  readonly #names = new Set<string>();
  #hasMore = false;

  add(name: string): void {
    if (this.#names.has(name)) return;
    if (this.#names.size < MAX_NAMED) this.#names.add(name);
    else this.#hasMore = true;
  }

  /** Null: nothing of it. */
  get because(): string | null {
    if (this.#names.size === 0) return null;
    const names = [...this.#names].map((name) => quoted(name)).join(', ');
    return `loading it would run what it names: ${names}${this.#hasMore ? ' and more' : ''}`;
  }
}
