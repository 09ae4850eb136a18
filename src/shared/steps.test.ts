import fc from 'fast-check';
import { expect, it } from 'vitest';
import { doAtOnce, sortInSteps } from './steps.ts';

const byFirst = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0];

it('sorts as sort does, in steps of a few thousand comparisons', () => {
  const items = fc.array(fc.tuple(fc.nat(50), fc.nat()), { maxLength: 3500, size: 'max' });
  fc.assert(
    fc.property(items, (all) => {
      expect(doAtOnce(sortInSteps(all, byFirst))).toEqual([...all].sort(byFirst));
    }),
    { numRuns: 30 },
  );
  let [compared, most] = [0, 0];
  const counting = sortInSteps(
    Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 100_003),
    (a, b) => {
      compared += 1;
      return a - b;
    },
  );
  for (let done = false; !done; compared = 0) {
    done = counting.next().done === true;
    most = Math.max(most, compared);
  }
  expect(most).toBeLessThan(12_000);
});
