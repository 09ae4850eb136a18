import { describe, expect, it } from 'vitest';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { judgeBudget } from '../../shared/meter/budget.ts';
import { monthOf, todayOf } from '../../shared/meter/calendar.ts';
import { costPerDay, estimateFor, estimateRun, sumInOne } from '../../shared/meter/estimate.ts';
import { idleWaste, mergeSpans } from '../../shared/meter/idle.ts';
import { roundToMicros } from '../../shared/meter/exact.ts';
import type { Interval } from '../../shared/meter/interval.ts';
import { sumLedgers } from '../../shared/meter/ledger.ts';
import { NO_PRICES, priceBook } from '../../shared/meter/price-book.ts';
import { priceEntries } from '../../shared/meter/price-entries.ts';
import type { Rate } from '../../shared/meter/rate.ts';

const H = 3_600_000;
const NOON = Date.parse('2026-03-28T12:00:00Z');
const usd = (micros: number) => ({ micros, currency: 'USD', per: 'hour' }) as const;
const money = (micros: number, currency = 'USD') => ({ micros, currency });
const disk = (tier: string, sizeGB: number) => ({ tier, sizeGB, perGB: null });

function line(part: Partial<Interval> & { readonly rate?: Rate | null } = {}): Interval {
  const { rate = usd(1_000_000), ...rest } = part;
  return {
    no: 1,
    fromMs: NOON,
    ms: H,
    phase: 'running',
    source: 'observed',
    charges: [
      { kind: 'compute', what: 'GPU time', rate },
      { kind: 'storage', what: 'disk', rate: usd(1000) },
    ],
    life: null,
    ...rest,
  };
}

const sumsOf = (...lines: readonly Interval[]) =>
  sumLedgers([
    { intervals: lines.map((each, no) => ({ ...each, no })), transfers: [], corrections: [] },
  ]);

describe('priceBook', () => {
  const entries = {
    compute: usd(2_000_000),
    disks: [disk('volume disk', 100), disk('Network Volume', 200)],
    others: [{ what: 'static address', rate: usd(4500), isBilledWhileStopped: true }],
    egress: null,
  };

  it('doubles a stopped volume where the platform does (RP4), and keeps what outlives the box', () => {
    const book = priceBook(entries, shippedProfile('runpod'));
    const day = costPerDay(book);
    // A month is 730 hours: 100 GB at 0.10 and 200 GB at 0.07, 24 hours of them.
    const disks = (doubled: number) => Math.round(((10_000_000 * doubled + 14_000_000) * 24) / 730);
    expect(day.running).toEqual({
      money: [money(48_000_000 + disks(1) + 24 * 4500)],
      isPartly: false,
    });
    expect(day.stopped).toEqual({ money: [money(disks(2) + 24 * 4500)], isPartly: false });
    expect(day.destroyed).toEqual({
      money: [money(Math.round((14_000_000 * 24) / 730))],
      isPartly: false,
    });
  });

  it('never takes "nobody says" for free', () => {
    const autodl = priceBook(
      { ...entries, disks: [disk('data disk', 50)], others: [] },
      shippedProfile('autodl'),
    );
    expect(costPerDay(autodl).stopped).toEqual({ money: [], isPartly: true });
    expect(costPerDay(autodl).destroyed).toEqual({ money: [], isPartly: false });
    const nowhere = priceBook({ ...entries, disks: [disk('my disk', 5)] }, null);
    expect(costPerDay(nowhere).running.isPartly).toBe(true);
    expect(costPerDay(priceBook(NO_PRICES, null)).running).toEqual({ money: [], isPartly: true });
  });

  it('takes the part that is free off, and a price of the person’s own over the platform’s', () => {
    const lanrui = priceBook(
      { ...NO_PRICES, disks: [disk('netdisk 网盘', 30)] },
      shippedProfile('lanrui'),
    );
    expect(lanrui.stopped).toEqual([
      {
        kind: 'storage',
        what: 'netdisk 网盘',
        rate: { micros: 3_000_000, currency: 'CNY', per: 'month' },
      },
    ]);
    const month = (micros: number) => ({ ...usd(micros), per: 'month' }) as const;
    const perGB = { running: month(7), stopped: month(9) };
    const own = { tier: 'data disk 数据盘', sizeGB: 200, perGB };
    const book = priceBook({ ...NO_PRICES, disks: [own] }, shippedProfile('lanrui'));
    const charge = { kind: 'storage', what: own.tier };
    expect(book.running.slice(1)).toEqual([{ ...charge, rate: month(1400) }]);
    expect(book.stopped).toEqual([{ ...charge, rate: month(1800) }]);
    expect(book.destroyed).toEqual([]);
  });

  it('is built from nothing that a person could have mistyped', () => {
    for (const micros of [-1, 0.5, 1e12]) {
      expect(priceEntries.safeParse({ ...NO_PRICES, compute: usd(micros) }).success).toBe(false);
    }
    const rmb = { ...usd(1), currency: 'RMB' };
    expect(priceEntries.safeParse({ ...NO_PRICES, compute: rmb }).success).toBe(false);
    expect(priceEntries.safeParse(entries).success).toBe(true);
  });
});

describe('estimateFor', () => {
  it('is the burn of an hour, the way to a clock, and nothing for a time that is over', () => {
    const { charges } = line();
    expect(estimateFor(charges, H).money).toEqual([money(1_001_000)]);
    expect(estimateFor(charges, 2.5 * H).money).toEqual([money(2_502_500)]);
    expect(estimateFor(charges, -H).money).toEqual([money(0)]);
  });
});

describe('estimateRun', () => {
  const { charges } = line();
  const perGB = { micros: 90_000, currency: 'CNY', per: 'GB' } as const;

  it('is the time at what is billed, and the bytes home at their price, currency by currency', () => {
    expect(estimateRun(charges, 2.5, { bytes: 0, rate: null })).toEqual({
      money: [money(2_502_500)],
      isPartly: false,
    });
    expect(estimateRun(charges, 1, { bytes: 2_000_000_000, rate: perGB }).money).toEqual([
      money(180_000, 'CNY'),
      money(1_001_000),
    ]);
    expect(estimateRun(charges, 1, { bytes: 1, rate: null }).isPartly).toBe(true);
  });
});

describe('idleWaste', () => {
  it('is what computing cost while nothing computed, where somebody saw it', () => {
    const { sums, ms } = idleWaste(
      [
        line(),
        line({ fromMs: NOON + H, source: 'unresolved' }),
        line({ fromMs: NOON + 2 * H, phase: 'stopped' }),
      ],
      [{ fromMs: NOON + H / 2, toMs: NOON + 10 * H }],
    );
    expect(ms).toBe(H / 2);
    expect(roundToMicros(sums.get('USD') ?? 0n)).toBe(500_000);
  });

  it('counts a time that was told twice once, and only what lies in the window', () => {
    const span = (fromH: number, toH: number) => ({
      fromMs: NOON + fromH * H,
      toMs: NOON + toH * H,
    });
    const idle = mergeSpans([span(0.5, 0.75), span(0.25, 0.6), span(3, 4)]);
    expect(idle).toEqual([span(0.25, 0.75), span(3, 4)]);
    expect(idleWaste([line()], idle).ms).toBe(H / 2);
    const window = { fromMs: NOON + H / 2, toMs: NOON + 9 * H };
    expect(idleWaste([line()], idle, window).ms).toBe(H / 4);
  });
});

describe('judgeBudget', () => {
  const limit = money(10_000_000);
  it.each([
    ['within', [line({ ms: 7 * H })]],
    ['near', [line({ ms: 8 * H })]],
    ['over', [line({ ms: 10 * H })]],
    ['unsure', [line({ ms: 7 * H }), line({ ms: 2 * H, source: 'unresolved' as const })]],
    ['unsure', [line({ ms: 7 * H }), line({ ms: H, rate: null })]],
    ['unsure', [line({ ms: 7 * H }), line({ ms: H, rate: { ...usd(1), currency: 'CNY' } })]],
  ])('says %s', (kind, lines) => {
    expect(judgeBudget(limit, sumsOf(...lines)).kind).toBe(kind);
  });
});

describe('sumInOne', () => {
  const three = [money(1_000_000), money(7_000_000, 'CNY'), money(2_000_000, 'EUR')];

  it('adds currencies only with rates that were typed, and says that it did', () => {
    expect(sumInOne(three, 'USD', { CNY: 140_000 })).toEqual({ missing: ['EUR'] });
    expect(sumInOne(three, 'USD', { CNY: 140_000, EUR: 1_100_000 })).toEqual({
      sum: money(1_000_000 + 980_000 + 2_200_000),
      isConverted: true,
    });
    expect(sumInOne([money(5)], 'USD', {})).toEqual({ sum: money(5), isConverted: false });
  });
});

describe('the calendar', () => {
  it('has days of 23 and 25 hours, and months of their own length', () => {
    for (const day of ['2026-03-29T10:00:00', '2026-10-25T10:00:00', '2026-02-28T23:59:59']) {
      const now = new Date(day).getTime();
      const { fromMs, toMs } = todayOf(now);
      expect(fromMs <= now && now < toMs).toBe(true);
      expect(new Date(fromMs).getHours() + new Date(toMs).getHours()).toBe(0);
      expect(todayOf(toMs).fromMs).toBe(toMs);
      expect(monthOf(now).fromMs <= fromMs && toMs <= monthOf(now).toMs).toBe(true);
    }
  });
});
