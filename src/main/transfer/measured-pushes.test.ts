import { expect, it } from 'vitest';
import type { PushProgress } from '../../shared/transfer/push-progress.ts';
import type { MeasuredPush } from '../../shared/transfer/push-rate.ts';
import { measureSending } from './measured-pushes.ts';

const MB = 1_000_000;

/** What was measured of stages at these seconds, with so many bytes done. */
function measured(
  stages: readonly (readonly [PushProgress['stage'], seconds: number, bytes: number])[],
): readonly MeasuredPush[] {
  const told: MeasuredPush[] = [];
  let nowMs = 0;
  const measure = measureSending((push) => told.push(push), { now: () => nowMs, wall: () => 7 });
  for (const [stage, seconds, doneBytes] of stages) {
    nowMs = seconds * 1000;
    measure({ stage, doneBytes, doneFiles: 0, files: 1, bytes: 9 * MB, isResumed: false });
  }
  return told;
}

it('measures from the first byte until the box has the last, and neither looking nor checking', () => {
  const told = measured([
    ['looking', 0, 0],
    ['sending', 10, 0],
    ['sending', 11, 6 * MB],
    ['placing', 14, 9 * MB],
    ['checking', 90, 9 * MB],
  ]);
  expect(told).toEqual([{ bytes: 9 * MB, ms: 4000, atMs: 7 }]);
});

it('measures what goes on after a cut, without the wait and what had arrived before', () => {
  const told = measured([
    ['sending', 1, 0],
    ['waiting', 3, 4 * MB],
    ['looking', 60, 0],
    ['sending', 61, 4 * MB],
    ['placing', 66, 9 * MB],
  ]);
  expect(told).toEqual([{ bytes: 5 * MB, ms: 5000, atMs: 7 }]);
});

it('tells nothing of what is too little, or did not arrive', () => {
  const few = MB - 1;
  expect(
    measured([
      ['sending', 1, 0],
      ['placing', 2, few],
    ]),
  ).toEqual([]);
  expect(
    measured([
      ['sending', 1, 0],
      ['sending', 5, 9 * MB],
    ]),
  ).toEqual([]);
  expect(measured([['checking', 1, 0]])).toEqual([]);
});
