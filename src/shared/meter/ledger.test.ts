import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestStart, type GivenStart } from '../clocks/starts.ts';
import { BoxRecorder, type LedgerChange, type PriceBook } from './box-recorder.ts';
import { costOf, roundToMicros, toMoney, type Exacts } from './exact.ts';
import type { Charge, Correction, Interval } from './interval.ts';
import { effectiveIntervals, sumLedgers, type Ledger } from './ledger.ts';
import { LedgerModel, MODEL_PARTS } from './ledger-model.fixture.ts';
import { judgeRate, type Rate } from './rate.ts';
import { NO_TAIL, phaseSince, tailOf } from './tail.ts';

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
    return new BoxRecorder({ ...tailOf(this.ledger), nextNo: last + 1 }, LIMITS);
  }
}

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'jump'; readonly ms: number }
  | { readonly kind: 'answer'; readonly tellsLife: boolean }
  | { readonly kind: 'silent' | 'restart' | 'flush' | 'quit' | 'kill' | 'open' }
  | { readonly kind: 'enter'; readonly phase: 'running' | 'stopped' | 'destroyed' }
  | { readonly kind: 'price' | 'price-of-all'; readonly book: PriceBook }
  /** The person takes out all that nobody can tell. */
  | { readonly kind: 'settle' }
  /** The person says since when the box has been stopped. */
  | { readonly kind: 'tell'; readonly agoMs: number };

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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('price-of-all'), book }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('tell'), agoMs: fc.integer({ min: 0, max: 500 }) }),
  },
);

/** What was told last, and the how manyth event that was. It is kept at once, whatever happens to the process. */
interface Said extends GivenStart {
  readonly order: number;
}

/** The recorder with its file, and the model, through the same story. */
function play(
  first: PriceBook,
  steps: readonly Step[],
): { readonly store: Store; readonly model: LedgerModel; readonly said: Said | null } {
  const store = new Store();
  let model = new LedgerModel(first, LIMITS);
  let saved = model.clone();
  let current = first;
  let wallMs = NOON;
  let upMs = 1_000_000;
  let life = 1;
  let lifeMs = 50;
  let recorder: BoxRecorder | null = store.recorder();
  let said: Said | null = null;
  let order = 0;
  const now = () => ({ wallMs, upMs });
  const pass = (ms: number): void => {
    wallMs += ms;
    upMs += ms;
    lifeMs += ms;
    if (recorder === null) return;
    recorder.tick(now());
    model.pass(ms, wallMs);
  };
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
    order += 1;
    switch (each.kind) {
      case 'pass':
        pass(each.ms);
        break;
      case 'tell':
        if (recorder === null) break;
        // Nothing else happens in the very millisecond in which somebody speaks.
        pass(1);
        said = { atMs: wallMs - each.agoMs, saidAtMs: wallMs, order };
        pass(1);
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
        if (recorder !== null) model.enter(each.phase, order);
        break;
      case 'price':
        if (recorder === null) break;
        current = each.book;
        recorder.usePrices(now(), current);
        model.price(current);
        break;
      case 'price-of-all': {
        if (recorder === null) break;
        flush();
        current = each.book;
        const lines = [...effectiveIntervals(store.ledger)].sort((a, b) => a.no - b.no);
        recorder.usePricesSince(now(), current, { fromMs: 0, lines });
        model.priceOfAll(current);
        break;
      }
      case 'settle':
        if (recorder === null) break;
        flush();
        for (const { no, source } of effectiveIntervals(store.ledger)) {
          if (source === 'unresolved') recorder.takeOut(now(), no, 'settled');
        }
        model.settle();
        flush();
        break;
    }
  }
  flush();
  if (recorder === null) model = saved;
  return { store, model, said };
}

/** Since when the box is stopped, as its timers count it: by whatever came last, a word or an event. */
function expectStop(
  { ledger }: Store,
  { stop }: LedgerModel,
  said: Said | null,
  steps: readonly Step[],
): void {
  if (stop === null) return;
  const sinceMs = phaseSince(ledger, 'stopped');
  expect(sinceMs).toBe(stop.atMs);
  // Dates from before and after a clock was set cannot be compared.
  if (steps.some(({ kind }) => kind === 'jump')) return;
  const expected = said !== null && said.order > stop.order ? said.atMs : stop.atMs;
  expect(latestStart(said, sinceMs)).toBe(expected);
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
        const { store, model, said } = play(first, steps);
        const sums = sumLedgers([store.ledger]);
        const expected = model.sums();
        expect(withoutNothing(inModelParts(sums.known))).toEqual(withoutNothing(expected.known));
        expect(withoutNothing(inModelParts(sums.unresolved))).toEqual(
          withoutNothing(expected.unresolved),
        );
        expectStop(store, model, said, steps);
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

const usd = (micros: number, per: Rate['per'] = 'hour'): Rate => ({ micros, currency: 'USD', per });
const only = (rate: Rate | null): readonly Charge[] => [
  { kind: 'compute', what: 'GPU time', rate },
];
const at = (ms: number) => ({ wallMs: NOON + ms, upMs: ms });
const bookOf = (micros: number): PriceBook => ({
  running: only(usd(micros)),
  stopped: only(usd(micros / 10)),
  destroyed: [],
});
const fresh = (): BoxRecorder => new BoxRecorder({ ...NO_TAIL, nextNo: 1 });

describe('a year of seconds', () => {
  it('stays exact to the last millionth', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(1_999_999));
    recorder.answered(at(0), { id: 'a', upForMs: 0 });
    const now = { wallMs: NOON, upMs: 0 };
    const seconds = 365 * 86_400;
    for (let second = 1; second <= seconds; second += 1) {
      now.upMs += 1000;
      now.wallMs += 1000;
      recorder.tick(now);
      if (second % 60 === 0) store.write(recorder.takeChanges());
    }
    const { known } = sumLedgers([store.ledger]);
    expect(roundToMicros(known.get('USD') ?? 0n)).toBe(1_999_999 * 365 * 24);
    expect(store.ledger.intervals).toHaveLength(1);
  }, 60_000);
});

describe('since when a box is stopped', () => {
  it('is not moved by taking a line out of the sums, or by another price', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(1_000_000));
    recorder.answered(at(0), null);
    recorder.enter(at(60_000), 'stopped');
    recorder.tick(at(120_000));
    store.write(recorder.takeChanges());
    const [stopped] = store.ledger.intervals.filter(({ phase }) => phase === 'stopped');
    recorder.takeOut(at(120_000), stopped?.no ?? 0, 'it was free');
    recorder.tick(at(180_000));
    store.write(recorder.takeChanges());
    expect(phaseSince(store.ledger, 'stopped')).toBe(NOON + 60_000);
    const fromMs = NOON + 90_000;
    const lines = effectiveIntervals(store.ledger).filter((line) => line.fromMs + line.ms > fromMs);
    recorder.usePricesSince(at(180_000), bookOf(2_000_000), { fromMs, lines });
    store.write(recorder.takeChanges());
    expect(phaseSince(store.ledger, 'stopped')).toBe(NOON + 60_000);
  });
});

describe('BoxRecorder', () => {
  it('keeps what somebody said although no time had passed yet', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(1_000_000));
    recorder.answered(at(0), null);
    recorder.enter(at(0), 'stopped');
    store.write(recorder.takeChanges());
    expect(store.recorder().phase).toBe('stopped');
  });

  it('names a clock that is set, or that was wrong while Leasehold was closed', () => {
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(1));
    recorder.enter(at(0), 'running');
    recorder.tick({ wallMs: NOON + 1000 + 3_600_000, upMs: 1000 });
    expect(recorder.takeTroubles()).toEqual([{ kind: 'set', byMs: 3_600_000 }]);
    const store = new Store();
    store.write(recorder.takeChanges());
    const early = store.recorder();
    early.reopen({ wallMs: NOON - 5000, upMs: 0 }, bookOf(1));
    expect(early.takeTroubles()).toEqual([{ kind: 'behind', byMs: 6000 }]);
    const late = store.recorder();
    late.reopen({ wallMs: NOON + 3 * 365 * 86_400_000, upMs: 0 }, bookOf(1));
    expect(late.takeTroubles()).toMatchObject([{ kind: 'implausible' }]);
    store.write(late.takeChanges());
    expect(sumLedgers([store.ledger]).unresolvedMs).toBe(1000);
  });

  it('does not make news of what asking the box takes', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(1));
    recorder.answered(at(0), { id: 'a', upForMs: 500_000 });
    recorder.silent(at(60_000));
    recorder.answered(at(120_000), { id: 'a', upForMs: 500_000 + 120_000 - 4000 });
    recorder.tick(at(121_000));
    store.write(recorder.takeChanges());
    const lines = effectiveIntervals(store.ledger).filter(({ ms }) => ms > 0);
    expect(lines.map(({ ms, source }) => [ms, source])).toEqual([
      [60_000, 'observed'],
      [60_000, 'inferred'],
      [1000, 'observed'],
    ]);
  });

  it('believes the box’s own count of its life over this machine’s dates', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(3_600_000));
    recorder.answered(at(0), { id: 'a', upForMs: 0 });
    recorder.tick(at(60_000));
    store.write(recorder.takeChanges());
    // Closed for an hour by the box's count; this machine's clock says a day.
    const later = store.recorder();
    later.reopen({ wallMs: NOON + 86_400_000, upMs: 7 }, bookOf(3_600_000));
    later.answered(
      { wallMs: NOON + 86_400_000, upMs: 7 },
      { id: 'a', upForMs: 60_000 + 3_600_000 },
    );
    store.write(later.takeChanges());
    const sums = sumLedgers([store.ledger]);
    expect(roundToMicros(sums.known.get('USD') ?? 0n)).toBe(3_660_000);
    expect(sums.unresolvedMs).toBe(0);
  });

  it('takes a line out for the person, and goes on in a new one', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(3_600_000));
    recorder.answered(at(0), null);
    recorder.tick(at(10_000));
    const open = recorder.openInterval!.no;
    recorder.takeOut(at(10_000), open, 'it was free');
    recorder.tick(at(12_000));
    store.write(recorder.takeChanges());
    expect(roundToMicros(sumLedgers([store.ledger]).known.get('USD') ?? 0n)).toBe(2000);
    expect(store.ledger.intervals).toHaveLength(2);
    expect(store.ledger.corrections).toMatchObject([
      { voids: open, by: 'person', reason: 'it was free' },
    ]);
  });
});

describe('BoxRecorder, when the person knows better', () => {
  it('does not count time again that they have settled, when the box answers later', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(3_600_000));
    recorder.answered(at(0), { id: 'a', upForMs: 0 });
    recorder.silent(at(10_000));
    recorder.tick(at(40_000));
    store.write(recorder.takeChanges());
    const open = recorder.openInterval!.no;
    recorder.takeOut(at(40_000), open, 'it was free');
    store.write(recorder.takeChanges());
    const later = store.recorder();
    later.reopen(at(40_000), bookOf(3_600_000));
    later.answered(at(40_000), { id: 'a', upForMs: 40_000 });
    later.tick(at(40_050));
    store.write(later.takeChanges());
    const sums = sumLedgers([store.ledger]);
    expect(roundToMicros(sums.known.get('USD') ?? 0n)).toBe(10_050);
    expect(sums.unresolvedMs).toBe(0);
  });

  it('remembers what they settled over a restart, when the line before it was priced anew meanwhile', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(3_600_000));
    recorder.answered(at(0), { id: 'a', upForMs: 0 });
    recorder.silent(at(10_000));
    recorder.tick(at(40_000));
    recorder.takeOut(at(40_000), recorder.openInterval!.no, 'it was free');
    store.write(recorder.takeChanges());
    const lines = effectiveIntervals(store.ledger).filter(({ ms }) => ms > 0);
    recorder.usePricesSince(at(40_000), bookOf(7_200_000), { fromMs: NOON + 4000, lines });
    store.write(recorder.takeChanges());
    const later = store.recorder();
    later.reopen(at(40_000), bookOf(7_200_000));
    later.answered(at(40_000), { id: 'a', upForMs: 40_000 });
    store.write(later.takeChanges());
    const sums = sumLedgers([store.ledger]);
    expect(roundToMicros(sums.known.get('USD') ?? 0n)).toBe(4000 + 12_000);
    expect(sums.unresolvedMs).toBe(0);
  });

  it('prices a time anew from the moment they name, and keeps what stood there', () => {
    const store = new Store();
    const recorder = fresh();
    recorder.reopen(at(0), bookOf(3_600_000));
    recorder.answered(at(0), { id: 'a', upForMs: 0 });
    recorder.tick(at(10_000));
    store.write(recorder.takeChanges());
    const lines = effectiveIntervals(store.ledger);
    recorder.usePricesSince(at(10_000), bookOf(7_200_000), { fromMs: NOON + 4000, lines });
    recorder.silent(at(12_000));
    store.write(recorder.takeChanges());
    expect(roundToMicros(sumLedgers([store.ledger]).known.get('USD') ?? 0n)).toBe(4000 + 16_000);
    expect(store.ledger.corrections).toMatchObject([{ voids: lines[0]!.no, by: 'price' }]);
    // Its life goes on over the cut: the box's own count still tells the time since.
    const later = store.recorder();
    later.reopen({ wallMs: NOON + 99_000, upMs: 3 }, bookOf(7_200_000));
    later.answered({ wallMs: NOON + 99_000, upMs: 3 }, { id: 'a', upForMs: 20_000 });
    store.write(later.takeChanges());
    expect(roundToMicros(sumLedgers([store.ledger]).known.get('USD') ?? 0n)).toBe(4000 + 32_000);
  });
});

describe('sums', () => {
  it('round once, halves away from zero, and never piece by piece', () => {
    const third = costOf(usd(1), 1_200_000);
    expect(roundToMicros(third)).toBe(0);
    expect(roundToMicros(third + third + third)).toBe(1);
    expect(roundToMicros(costOf(usd(1), 1_800_000))).toBe(1);
    expect(roundToMicros(-costOf(usd(1), 1_800_000))).toBe(-1);
    expect(roundToMicros(costOf(usd(70_000, 'month'), 730 * 3_600_000))).toBe(70_000);
    expect(roundToMicros(costOf(usd(90_000, 'GB'), 1_500_000_000))).toBe(135_000);
  });

  it('cut at a window without losing a millisecond at its edges', () => {
    const line: Interval = {
      no: 1,
      fromMs: NOON,
      ms: 7_200_001,
      phase: 'running',
      source: 'observed',
      charges: only(usd(3_600_000)),
      life: null,
    };
    const ledger: Ledger = { intervals: [line], transfers: [], corrections: [] };
    const part = (fromMs: number, toMs: number): bigint =>
      sumLedgers([ledger], { fromMs, toMs }).known.get('USD') ?? 0n;
    const whole = sumLedgers([ledger]).known.get('USD');
    expect(part(0, NOON + 1234) + part(NOON + 1234, NOON * 2)).toBe(whole);
  });

  it('keep currencies, egress and what has no price apart', () => {
    const line = (no: number, rate: Rate | null): Interval => ({
      no,
      fromMs: NOON,
      ms: 3_600_000,
      phase: 'running',
      source: 'observed',
      charges: only(rate),
      life: null,
    });
    const sums = sumLedgers([
      {
        intervals: [
          line(1, usd(2)),
          line(2, { micros: 5, currency: 'CNY', per: 'hour' }),
          line(3, null),
        ],
        transfers: [
          {
            no: 4,
            atMs: NOON,
            what: 'pull',
            bytes: 2_000_000_000,
            rate: usd(10, 'GB'),
            source: 'manual',
          },
          { no: 5, atMs: NOON, what: 'pull', bytes: 7, rate: null, source: 'manual' },
          { no: 6, atMs: NOON, what: 'received', bytes: 9, rate: null, source: 'measured' },
        ],
        corrections: [],
      },
    ]);
    expect(toMoney(sums.known)).toEqual([
      { micros: 5, currency: 'CNY' },
      { micros: 22, currency: 'USD' },
    ]);
    expect(toMoney(sums.byKind.get('egress') ?? new Map())).toEqual([
      { micros: 20, currency: 'USD' },
    ]);
    expect(sums).toMatchObject({ unpricedMs: 3_600_000, unpricedBytes: 7, unresolvedMs: 0 });
    // Counted where nobody says that it costs anything, and no doubt about the sum.
    expect(sums.receivedBytes).toBe(9);
  });
});

describe('judgeRate', () => {
  it.each([
    [usd(-1), 'cannot be negative'],
    [usd(0.5), 'six digits'],
    [usd(Number.NaN), 'six digits'],
    [usd(100_001_000_000), 'cannot be right'],
    [{ ...usd(1), currency: 'RMB' }, 'not a currency code'],
  ])('does not compute with %o', (nonsense, reason) => {
    const judged = judgeRate(nonsense);
    expect(judged.ok ? '' : judged.error).toContain(reason);
  });

  it('takes free for a price', () => {
    expect(judgeRate(usd(0)).ok).toBe(true);
  });
});
