import { expect, it } from 'vitest';
import { sweepCostWords } from './sweep-outlook.ts';

const usd = (dollars: number, isPartly = false) => ({
  money: [{ micros: dollars * 1_000_000, currency: 'USD' }],
  isPartly,
});
const share = (hours: number | null, perHour: number) => ({
  hours,
  perHour: usd(perHour),
  whole: hours === null ? null : usd(hours * perHour),
});

it('adds the money of boxes that work beside each other, and takes the time of the slowest', () => {
  expect(sweepCostWords([share(2, 3), share(4, 1)])).toBe(
    'about $10.00 in the 4 h that you expect; each extra hour costs $4.00',
  );
});

it('says that it is at least so much where a box has no price or could not be asked', () => {
  const unpriced = { hours: 2, perHour: null, whole: null };
  expect(sweepCostWords([share(2, 3), unpriced])).toBe(
    'at least $6.00 in the 2 h that you expect; each extra hour costs at least $3.00',
  );
  expect(sweepCostWords([unpriced])).toBe('no price set; you expect it to take 2 h');
  expect(sweepCostWords([share(2, 3), null])).toBe(
    'at least $3.00/h; how long it will take is not known',
  );
});
