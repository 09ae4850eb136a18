import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoxRecorder, tailOf, type LedgerChange, type PriceBook } from './box-recorder.ts';
import { costOf, roundToMicros, type Exacts } from './exact.ts';
import type { Charge, Correction, Interval } from './interval.ts';
import { effectiveIntervals, sumLedgers, type Ledger } from './ledger.ts';
import { LedgerModel, MODEL_PARTS } from './ledger-model.fixture.ts';
import type { Rate } from './rate.ts';

const LIMITS = { watchedMs: 100, sameMs: 5 };
const NOON = Date.parse('2026-03-28T12:00:00Z');

/** The file: what is lost when the process is killed is what was not taken. */
class Store {
  readonly #intervals = new Map<number, Interval>();
  readonly #corrections: Correction[] = [];

  write(changes: readonly LedgerChange[]): void {
    for (const change of changes) {
      if (change.kind === 'correct') this.#corrections.push(change.correction);
      else this.#intervals.set(change.interval.no, change.interval);
    }
  }

  get ledger(): Ledger {
    return {
      intervals: [...this.#intervals.values()],
      transfers: [],
      corrections: this.#corrections,
    };
  }

  recorder(): BoxRecorder {
    const { intervals, corrections } = this.ledger;
    const last = Math.max(0, ...intervals.map(({ no }) => no), ...corrections.map(({ no }) => no));
    const tail = tailOf(effectiveIntervals(this.ledger));
    return new BoxRecorder({ tail: tail.map((line) => ({ ...line })), nextNo: last + 1 }, LIMITS);
  }
}

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'jump'; readonly ms: number }
  | { readonly kind: 'answer'; readonly tellsLife: boolean }
  | { readonly kind: 'silent' | 'restart' | 'flush' | 'quit' | 'kill' | 'open' }
  | { readonly kind: 'enter'; readonly phase: 'running' | 'stopped' | 'destroyed' }
  | { readonly kind: 'price'; readonly book: PriceBook };

const rate: fc.Arbitrary<Rate> = fc.record({
  micros: fc.integer({ min: 0, max: 90_000_000 }),
  currency: fc.constantFrom('USD', 'CNY', 'EUR'),
  per: fc.constantFrom('hour', 'month'),
});
const charges: fc.Arbitrary<readonly Charge[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('compute', 'storage', 'other'),
    what: fc.constantFrom('GPU time', 'volume disk'),
    rate: fc.option(rate, { nil: null, freq: 8 }),
  }),
  { maxLength: 3 },
);
const book: fc.Arbitrary<PriceBook> = fc.record({
  running: charges,
  stopped: charges,
  destroyed: charges,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 0, max: 99 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 100, max: 400 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('jump'), // Smaller steps are not told from drift: they move dates by up to two seconds, and no duration.
      ms: fc.oneof(fc.integer({ min: -6000, max: -2001 }), fc.integer({ min: 2001, max: 6000 })),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('answer'), tellsLife: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('silent', 'restart', 'flush') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('quit', 'kill') }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('open') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('enter'),
      phase: fc.constantFrom('running', 'stopped', 'destroyed'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('price'), book }) },
) as fc.Arbitrary<Step>;

/** The recorder with its file, and the model, through the same story. */
function play(
  first: PriceBook,
  steps: readonly Step[],
): { readonly store: Store; readonly model: LedgerModel } {
  const store = new Store();
  let model = new LedgerModel(first, LIMITS);
  let saved = model.clone();
  let current = first;
  let wallMs = NOON;
  let upMs = 1_000_000;
  let life = 1;
  let lifeMs = 50;
  let recorder: BoxRecorder | null = store.recorder();
  const now = () => ({ wallMs, upMs });
  const flush = (): void => {
    if (recorder === null) return;
    recorder.tick(now());
    store.write(recorder.takeChanges());
    saved = model.clone();
  };
  recorder.reopen(now(), current);
  model.reopen(wallMs, current);
  saved = model.clone();
  for (const each of steps) {
    switch (each.kind) {
      case 'pass':
        wallMs += each.ms;
        upMs += each.ms;
        lifeMs += each.ms;
        if (recorder === null) break;
        recorder.tick(now());
        model.pass(each.ms, wallMs);
        break;
      case 'jump':
        wallMs += each.ms;
        if (recorder === null) break;
        recorder.tick(now());
        model.jump(wallMs);
        break;
      case 'answer': {
        const told = each.tellsLife ? { id: String(life), upForMs: lifeMs } : null;
        recorder?.answered(now(), told);
        if (recorder !== null)
          model.answer(told === null ? null : { id: told.id, upMs: told.upForMs });
        break;
      }
      case 'silent':
        recorder?.silent(now());
        if (recorder !== null) model.silent();
        break;
      case 'restart':
        life += 1;
        lifeMs = 0;
        break;
      case 'flush':
        flush();
        break;
      case 'quit':
        flush();
        recorder = null;
        break;
      case 'kill':
        if (recorder === null) break;
        recorder = null;
        model = saved.clone();
        break;
      case 'open':
        if (recorder !== null) break;
        recorder = store.recorder();
        recorder.reopen(now(), current);
        model.reopen(wallMs, current);
        break;
      case 'enter':
        recorder?.enter(now(), each.phase);
        if (recorder !== null) model.enter(each.phase);
        break;
      case 'price':
        if (recorder === null) break;
        current = each.book;
        recorder.usePrices(now(), current);
        model.price(current);
        break;
    }
  }
  flush();
  if (recorder === null) model = saved;
  return { store, model };
}

/** In parts of a millionth as the model counts them. */
function inModelParts(sums: Exacts): Readonly<Record<string, bigint>> {
  const one = costOf({ micros: 1, currency: 'USD', per: 'month' }, 1);
  return Object.fromEntries([...sums].map(([currency, exact]) => [currency, exact / one]));
}

const withoutNothing = (sums: Readonly<Record<string, bigint>>) =>
  Object.fromEntries(Object.entries(sums).filter(([, exact]) => exact !== 0n));

describe('the ledger', () => {
  it('equals a count of every millisecond, whatever happens', () => {
    fc.assert(
      fc.property(book, fc.array(step, { maxLength: 80, size: 'max' }), (first, steps) => {
        const { store, model } = play(first, steps);
        const sums = sumLedgers([store.ledger]);
        const expected = model.sums();
        expect(withoutNothing(inModelParts(sums.known))).toEqual(withoutNothing(expected.known));
        expect(withoutNothing(inModelParts(sums.unresolved))).toEqual(
          withoutNothing(expected.unresolved),
        );
        expect(sums.unresolvedMs).toBe(expected.unresolvedMs);
        expect(sums.unpricedMs).toBe(expected.unpricedMs);
        for (const [currency, parts] of Object.entries(expected.known)) {
          const micros = roundToMicros(sums.known.get(currency) ?? 0n);
          expect(BigInt(micros)).toBe((parts * 2n + MODEL_PARTS) / (MODEL_PARTS * 2n));
        }
      }),
      { numRuns: 3000 },
    );
  });
});
