import { expect, it } from 'vitest';
import { cutsOf, passedOf, specimen } from './load.fixture.ts';

it('an array is found out wherever it is cut off', async () => {
  const whole = specimen('arrays/numpy-2.4.6--matrix.npy');
  expect(await passedOf('x.npy', cutsOf(whole))).toEqual([]);
});
