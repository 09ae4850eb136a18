import { describe, expect, it } from 'vitest';
import type { BoxMeter, Spent } from './box-meter.ts';
import { addSpent, NOTHING_SPENT, spentAt, sumBurn } from './live.ts';
import { burnText } from './money-words.ts';
import { NO_PRICES } from './price-book.ts';

const usd = (micros: number) => [{ micros, currency: 'USD' }];
const EVENING = new Date(2026, 2, 30, 23, 59, 50).getTime();
const spent: Spent = { ...NOTHING_SPENT, known: usd(1_000_000) };
// At 3.60 an hour a millisecond costs a millionth.
const rate = { micros: 3_600_000, currency: 'USD', per: 'hour' } as const;
const burn = { money: usd(3_600_000), isPartly: false };
const meter: BoxMeter = {
  asOfMs: EVENING,
  phase: 'running',
  phaseSinceMs: 0,
  source: 'observed',
  prices: NO_PRICES,
  pricedAtMs: null,
  egressRate: null,
  charges: [
    { kind: 'compute', what: 'GPU time', rate },
    { kind: 'storage', what: 'disk', rate: { ...rate, micros: 360_000 } },
  ],
  burnPerHour: burn,
  perDay: { running: burn, stopped: burn, destroyed: burn },
  today: spent,
  week: spent,
  month: spent,
  total: spent,
  unreadableLines: 0,
  runs: null,
  idle: null,
};

describe('spentAt', () => {
  it('goes on from the figures of a moment ago, and stops when they are old', () => {
    expect(spentAt(meter, 'total', EVENING).known).toEqual(usd(1_000_000));
    expect(spentAt(meter, 'total', EVENING + 5000).known).toEqual(usd(1_005_500));
    expect(spentAt(meter, 'total', EVENING + 999_000).known).toEqual(usd(1_066_000));
    expect(spentAt(meter, 'total', EVENING - 5000).known).toEqual(usd(1_000_000));
  });

  it('gives nothing of tomorrow to today', () => {
    expect(spentAt(meter, 'today', EVENING + 30_000).known).toEqual(usd(1_011_000));
    expect(spentAt(meter, 'week', EVENING + 30_000).known).toEqual(usd(1_011_000));
    expect(spentAt(meter, 'month', EVENING + 30_000).known).toEqual(usd(1_033_000));
  });

  it('keeps what nobody sees apart, and counts what has no price as such', () => {
    const unseen = spentAt({ ...meter, source: 'unresolved' }, 'total', EVENING + 1000);
    expect(unseen).toMatchObject({ known: usd(1_000_000), unresolved: usd(1100) });
    expect(unseen.unresolvedMs).toBe(1000);
    const charges = [{ kind: 'compute', what: 'GPU time', rate: null }] as const;
    const unpriced = spentAt({ ...meter, charges }, 'total', EVENING + 1000);
    expect(unpriced).toMatchObject({ known: usd(1_000_000), unpricedMs: 1000 });
  });

  it('wastes what computing costs while nothing computes, and no storage', () => {
    const idle = { sinceMs: 0, wasted: [] };
    const wasted = spentAt({ ...meter, idle }, 'total', EVENING + 1000);
    expect(wasted).toMatchObject({ wasted: usd(1000), wastedMs: 1000, known: usd(1_001_100) });
  });
});

describe('the tray', () => {
  it('says what burns, what is only a part of it, and that nothing is known', () => {
    expect(burnText([])).toBe('Nothing is billed');
    expect(burnText([burn, null])).toBe('Spend at least $3.60/h');
    expect(burnText([burn, { money: [], isPartly: false }])).toBe('Spend $3.60/h');
    expect(burnText([{ money: [], isPartly: false }])).toBe('No price set');
    expect(burnText([{ money: [], isPartly: true }])).toBe('No price set');
  });
});

describe('sums of several boxes', () => {
  it('stand by currency, and say of how many boxes nothing is known', () => {
    const chinese = { money: [{ micros: 5, currency: 'CNY' }], isPartly: false };
    const partly = { money: usd(1), isPartly: true };
    const meters = [
      meter,
      { ...meter, burnPerHour: chinese },
      { ...meter, burnPerHour: partly },
      { ...meter, burnPerHour: null },
      null,
    ];
    expect(sumBurn(meters)).toEqual({
      perHour: [{ micros: 5, currency: 'CNY' }, ...usd(3_600_001)],
      unknownBoxes: 3,
    });
    const other: Spent = {
      ...NOTHING_SPENT,
      known: [{ micros: 7, currency: 'CNY' }],
      unpricedMs: 4,
    };
    expect(addSpent([spent, other, spent])).toMatchObject({
      known: [{ micros: 7, currency: 'CNY' }, ...usd(2_000_000)],
      unpricedMs: 4,
    });
  });
});
