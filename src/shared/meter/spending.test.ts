import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundToMicros } from './exact.ts';
import type { Interval } from './interval.ts';
import { csvRows, CSV_HEADER, isoTime, type LedgerOwner } from './ledger-csv.ts';
import { sumLedgers, type Ledger } from './ledger.ts';
import { boundsOf, spendByDay } from './spend-days.ts';

const H = 3_600_000;
const NOON = new Date(2026, 2, 30, 12).getTime();
const usd = (micros: number) => ({ micros, currency: 'USD', per: 'hour' }) as const;

function line(part: Partial<Interval> = {}): Interval {
  return {
    no: 1,
    fromMs: NOON,
    ms: H,
    phase: 'running',
    source: 'observed',
    charges: [{ kind: 'compute', what: 'GPU time', rate: usd(3_600_000) }],
    life: null,
    ...part,
  };
}

const ledgerOf = (...intervals: readonly Interval[]): Ledger => ({
  intervals,
  transfers: [],
  corrections: [],
});

describe('spendByDay', () => {
  it('has a day for each day of the calendar, also of 23 and of 25 hours', () => {
    const bounds = boundsOf(new Date(2026, 10, 20, 3).getTime(), 300);
    expect(bounds).toHaveLength(301);
    expect(bounds.every((at) => new Date(at).getHours() === 0)).toBe(true);
    expect(new Date(bounds.at(-1) ?? 0).getDate()).toBe(21);
  });

  it('cuts time at midnight and loses nothing', () => {
    const bounds = boundsOf(NOON, 20);
    const [first = 0, end = 0] = [bounds[0], bounds.at(-1)];
    const any = fc.record({
      fromMs: fc.integer({ min: first - 3 * 24 * H, max: end }),
      ms: fc.integer({ min: 0, max: 90 * H }),
      source: fc.constantFrom('observed' as const, 'unresolved' as const),
      // A whole millionth each millisecond: no day is rounded.
      charges: fc
        .constantFrom(usd(3_600_000), usd(7_200_000))
        .map((rate) => [{ kind: 'compute' as const, what: 'GPU time', rate }]),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (parts) => {
        const ledger = ledgerOf(...parts.map((part, no) => line({ ...part, no })));
        const { byKind, unresolved } = spendByDay(ledger, bounds);
        for (let day = 0; day < 20; day += 1) {
          const window = { fromMs: bounds[day] ?? 0, toMs: bounds[day + 1] ?? 0 };
          const sums = sumLedgers([ledger], window);
          const known = roundToMicros(sums.known.get('USD') ?? 0n);
          expect(byKind.compute?.['USD']?.[day] ?? 0).toBe(known);
          const atMost = roundToMicros(sums.unresolved.get('USD') ?? 0n);
          expect(unresolved['USD']?.[day] ?? 0).toBe(atMost);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps kinds and currencies apart, counts bytes on their day, and leaves out what was taken out', () => {
    const perGB = { micros: 90_000, currency: 'CNY', per: 'GB' } as const;
    const ledger: Ledger = {
      intervals: [line(), line({ no: 2 })],
      transfers: [
        { no: 3, atMs: NOON, what: 'pull', bytes: 2_000_000_000, rate: perGB, source: 'manual' },
        {
          no: 4,
          atMs: NOON - 99 * 24 * H,
          what: 'pull',
          bytes: 1_000_000_000,
          rate: perGB,
          source: 'measured',
        },
        { no: 6, atMs: NOON, what: 'pull', bytes: 5, rate: null, source: 'manual' },
      ],
      corrections: [{ no: 5, voids: 2, atMs: NOON, by: 'person', reason: 'free' }],
    };
    expect(spendByDay(ledger, boundsOf(NOON, 2))).toEqual({
      byKind: { compute: { USD: [0, 3_600_000] }, egress: { CNY: [0, 180_000] } },
      unresolved: {},
    });
  });
});

describe('the ledger as CSV', () => {
  const owner = (ledger: Ledger, name = 'train-a'): LedgerOwner => ({
    boxId: 'id',
    name,
    platform: 'runpod',
    tags: ['a', 'b'],
    ledger,
  });
  const rowsOf = (ledger: Ledger, name?: string): readonly Readonly<Record<string, string>>[] => {
    const columns = CSV_HEADER.trim().split(',');
    return [...csvRows([owner(ledger, name)])].map((row) => {
      const cells = row.trim().match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
      return Object.fromEntries(
        columns.map((column, i) => [
          column,
          (cells[i] ?? '').replace(/,$/, '').replace(/^"|"$/g, ''),
        ]),
      );
    });
  };

  it('has a row for each charge, with exact seconds and rates, and says what counts', () => {
    const charges = [
      { kind: 'compute', what: 'GPU time', rate: usd(1_000_000) },
      { kind: 'storage', what: 'disk', rate: null },
    ] as const;
    const ledger: Ledger = {
      intervals: [
        line({ charges, ms: 1_200_001 }),
        line({ no: 2, source: 'unresolved' }),
        line({ no: 3, charges: [] }),
      ],
      transfers: [
        { no: 4, atMs: NOON, what: 'pull', bytes: 1_500_000_001, rate: null, source: 'manual' },
      ],
      corrections: [{ no: 5, voids: 3, atMs: NOON, by: 'person', reason: 'it was free' }],
    };
    expect(rowsOf(ledger)).toMatchObject([
      { seconds: '1200.001', rate: '1.00', rate_per: 'hour', amount: '0.333334', counts: 'yes' },
      { kind: 'storage', rate: '', amount: '', counts: 'yes' },
      { amount: '3.60', counts: 'at most', known_how: 'unresolved' },
      { amount: '0', counts: 'no', taken_out_by: 'person', reason: 'it was free' },
      { kind: 'egress', gigabytes: '1.500000001', amount: '' },
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '=HYPERLINK("http://evil.example","a")'])(
    'is no formula for a spreadsheet: %s',
    (name) => {
      const [row] = rowsOf(ledgerOf(line()), name);
      expect(row?.['box']?.replace(/^"/, '').startsWith("'")).toBe(true);
    },
  );

  it('keeps commas, quotes and line ends inside their cell', () => {
    const [row] = csvRows([owner(ledgerOf(line()), 'a,"b"\nc')]);
    expect(row?.startsWith('"a,""b""\nc",id,')).toBe(true);
  });

  it('writes times that say where in the world they are', () => {
    expect(isoTime(NOON)).toMatch(/^2026-03-30T12:00:00\.000[+-]\d\d:\d\d$/);
    expect(new Date(isoTime(NOON)).getTime()).toBe(NOON);
  });
});
