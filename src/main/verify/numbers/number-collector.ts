import type { ListedNumber, NumberKey } from '../../../shared/verify/numbers/number-key.ts';

/** More nobody looks through; what is asked for by its key is found all the same. */
const MAX_LISTED = 2000;

type Parts = NumberKey['parts'];

/** One number of a file, with the values that stand one below the other. */
export class NumberSeries {
  readonly #steps: ReadonlySet<number>;
  readonly #atStep = new Map<number, string>();
  #hasSteps = false;
  #count = 0;
  #last = '';
  #lowest: string | null = null;
  #highest: string | null = null;

  constructor(steps: ReadonlySet<number>) {
    this.#steps = steps;
  }

  add(literal: string, step: number | null): void {
    this.#count += 1;
    this.#last = literal;
    if (step !== null) {
      this.#hasSteps = true;
      if (this.#steps.has(step)) this.#atStep.set(step, literal);
    }
    const value = Number(literal);
    if (!Number.isFinite(value)) return;
    if (this.#lowest === null || value < Number(this.#lowest)) this.#lowest = literal;
    if (this.#highest === null || value > Number(this.#highest)) this.#highest = literal;
  }

  find({ row }: NumberKey): FoundNumber {
    if (this.#count === 0) return NOT_THERE;
    if (row === null) return this.#count === 1 ? found(this.#last) : MORE_THAN_ONCE;
    switch (row.kind) {
      case 'last':
        return found(this.#last);
      case 'lowest':
      case 'highest': {
        const literal = row.kind === 'lowest' ? this.#lowest : this.#highest;
        return literal === null ? NONE_FINITE : found(literal);
      }
      case 'step': {
        const literal = this.#atStep.get(row.step);
        return literal === undefined ? notAt(row.step) : found(literal);
      }
    }
  }

  listed(parts: Parts, isOnce: boolean): ListedNumber | null {
    if (isOnce) {
      if (this.#count !== 1) return null;
      return { parts, values: [{ row: null, literal: this.#last }], hasSteps: false };
    }
    const values = (['last', 'lowest', 'highest'] as const).flatMap((kind) => {
      const value = this.find({ parts, row: { kind } });
      return value.kind === 'found' ? [{ row: { kind }, literal: value.literal }] : [];
    });
    return values.length === 0 ? null : { parts, values, hasSteps: this.#hasSteps };
  }
}

export type FoundNumber =
  | { readonly kind: 'found'; readonly literal: string }
  /** `because`: a clause about the file. */
  | { readonly kind: 'not-found'; readonly because: string };

const found = (literal: string): FoundNumber => ({ kind: 'found', literal });
const notFound = (because: string): FoundNumber => ({ kind: 'not-found', because });
const NOT_THERE = notFound('it has no number under this key');
const MORE_THAN_ONCE = notFound('this key stands in it more than once');
const NONE_FINITE = notFound('it has no finite number under this key');
const notAt = (step: number): FoundNumber =>
  notFound(`it has no number under this key at step ${String(step)}`);

/** The numbers of one file while it passes by: those that are asked for, or the first of all. */
export class NumberCollector {
  readonly #isOnce: boolean;
  readonly #wanted: ReadonlySet<string> | null;
  readonly #steps: ReadonlySet<number>;
  readonly #series = new Map<string, { readonly parts: Parts; readonly series: NumberSeries }>();
  #isCut = false;

  /**
   * @param isOnce Whether a key stands in such a file for one number.
   * @param wanted Null: what there is.
   */
  constructor(isOnce: boolean, wanted: readonly NumberKey[] | null) {
    this.#isOnce = isOnce;
    this.#wanted = wanted === null ? null : new Set(wanted.map(({ parts }) => idOf(parts)));
    this.#steps = new Set(
      (wanted ?? []).flatMap(({ row }) => (row?.kind === 'step' ? row.step : [])),
    );
  }

  /** Null: nobody asks for it. */
  seriesOf(parts: Parts): NumberSeries | null {
    const id = idOf(parts);
    const known = this.#series.get(id);
    if (known !== undefined) return known.series;
    if (this.#wanted === null ? this.#series.size >= MAX_LISTED : !this.#wanted.has(id)) {
      this.#isCut = true;
      return null;
    }
    const series = new NumberSeries(this.#steps);
    this.#series.set(id, { parts, series });
    return series;
  }

  /** There are numbers that are not kept. */
  cut(): void {
    this.#isCut = true;
  }

  find(key: NumberKey): FoundNumber {
    if ((key.row === null) !== this.#isOnce) return NOT_THERE;
    return this.#series.get(idOf(key.parts))?.series.find(key) ?? NOT_THERE;
  }

  listed(): { readonly numbers: readonly ListedNumber[]; readonly isCut: boolean } {
    const numbers = [...this.#series.values()].flatMap(
      ({ parts, series }) => series.listed(parts, this.#isOnce) ?? [],
    );
    return { numbers, isCut: this.#isCut };
  }
}

const idOf = (parts: Parts): string => JSON.stringify(parts);
