import { expect, it } from 'vitest';
import { formatStep, parseStep, writeTrainingScript } from './training-script.ts';

it('learns: one line per step, losses that fall, a rate that decays', () => {
  const steps = writeTrainingScript(1, 4, 5);
  expect(steps.map(({ step }) => step)).toEqual(
    Array.from({ length: 20 }, (_, place) => place + 1),
  );
  expect(steps.map(({ epoch }) => epoch)).toEqual(
    [1, 2, 3, 4].flatMap((epoch) => Array<number>(5).fill(epoch)),
  );
  expect(steps.at(-1)?.loss).toBeLessThan(0.3 * (steps[0]?.loss ?? 0));
  expect(steps.at(-1)?.learningRate).toBe(0);
  expect(writeTrainingScript(1, 4, 5)).toEqual(steps);
});

it('is read back as it was written, and nothing else is', () => {
  for (const step of writeTrainingScript(2, 2, 3))
    expect(parseStep(formatStep(step))).toEqual(step);
  for (const line of ['', 'epoch 1', '1 2 3', '1 2 3 4 5 6', '1 2 nan 4 x'])
    expect(parseStep(line)).toBeNull();
});
