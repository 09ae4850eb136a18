import { SeriesKeeper, type SeriesChange } from './metric-series.ts';

/** More figures than a person compares; what makes up names does not fill the memory. */
export const MAX_SERIES = 32;
const MAX_NAMES_LEFT_OUT = 200;

/** The figures of one source by their names: a bounded number of them, the first that came. */
export class SeriesSet {
  readonly #redact: (text: string) => string;
  readonly #series = new Map<string, SeriesKeeper>();
  readonly #leftOut = new Set<string>();

  /** SECURITY: a name in which it finds a secret is no name of a figure. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  get size(): number {
    return this.#series.size;
  }

  /** Further figures that are not kept. */
  get leftOut(): number {
    return this.#leftOut.size;
  }

  add(name: string, step: number | null, atMs: number | null, value: number): void {
    this.#keeperOf(name)?.add(step, atMs, value);
  }

  /** What is new since the last time. */
  takeChanges(): readonly SeriesChange[] {
    return [...this.#series.values()].flatMap((keeper) => keeper.takeChange() ?? []);
  }

  /** All of it is told again. */
  retell(): void {
    for (const keeper of this.#series.values()) keeper.retell();
  }

  #keeperOf(said: string): SeriesKeeper | null {
    const known = this.#series.get(said);
    if (known !== undefined) return known;
    if (this.#series.size >= MAX_SERIES || this.#redact(said) !== said) {
      if (this.#leftOut.size < MAX_NAMES_LEFT_OUT) this.#leftOut.add(said);
      return null;
    }
    const made = new SeriesKeeper(said);
    this.#series.set(said, made);
    return made;
  }
}
