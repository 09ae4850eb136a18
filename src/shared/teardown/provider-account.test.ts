import { expect, it } from 'vitest';
import { NO_PRICES } from '../meter/price-book.ts';
import type { Money } from '../money.ts';
import { judgePrice } from './provider-account.ts';

const usd = (micros: number): Money => ({ micros, currency: 'USD' });
const nothing = { money: [], isPartly: false };

/** A machine at 2.40 an hour, with disks for another 0.10. */
const metered = {
  prices: { ...NO_PRICES, compute: { ...usd(2_400_000), per: 'hour' as const } },
  perDay: {
    ...{ stopped: nothing, destroyed: nothing },
    running: { money: [usd(60_000_000)], isPartly: false },
  },
};
const says = (running: Money | null, isWithStorage = false) =>
  judgePrice({ running, stopped: null, isWithStorage }, metered).kind;

it('holds a price against the same things that are counted, to what an hour is rounded to', () => {
  expect([says(usd(2_400_000)), says(usd(2_500_000), true)]).toEqual(['same', 'same']);
  expect([says(usd(2_500_000)), says(usd(2_400_000), true)]).toEqual(['differs', 'differs']);
  expect([says(usd(2_404_000)), says(usd(2_410_000))]).toEqual(['same', 'differs']);
});

it('takes another currency for another price, and nothing for none', () => {
  expect(says({ micros: 2_400_000, currency: 'EUR' })).toBe('differs');
  expect(says(usd(0))).toBe('differs');
});

it('compares nothing with what is not known, or not whole', () => {
  expect(says(null)).toBe('unknown');
  const running = { money: [usd(57_600_000)], isPartly: true };
  const price = { running: usd(2_400_000), stopped: null };
  const unpriced = { prices: NO_PRICES, perDay: { ...metered.perDay, running } };
  for (const isWithStorage of [true, false]) {
    expect(judgePrice({ ...price, isWithStorage }, unpriced).kind).toBe('unknown');
  }
});
