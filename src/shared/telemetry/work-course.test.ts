import { expect, it } from 'vitest';
import { foldReadings } from './latest-figures.ts';
import { reading } from '../detectors/box.fixture.ts';
import { followWork, NO_WORK } from './work-course.ts';

/** The load of each card, second by second; `null` for a whole second: no sample came. */
function fellIdleAtS(seconds: readonly (readonly (number | null)[] | null)[]): number | null {
  let course = NO_WORK;
  seconds.forEach((cards, s) => {
    if (cards === null) return;
    const readings = cards.map((smPct, index) => reading({ index, smPct }));
    course = followWork(course, foldReadings(s * 1000, readings));
  });
  return course.fellIdleAtMs === null ? null : course.fellIdleAtMs / 1000;
}
const IDLE = [0, 0];
const BUSY = [90, 90];

it.each([
  ['all cards fall idle and stay so', [BUSY, BUSY, IDLE, IDLE, IDLE], 1],
  ['a loader that stalls for two seconds', [BUSY, IDLE, IDLE, BUSY, IDLE], null],
  ['one card that goes on', [BUSY, [0, 90], [0, 90], [0, 90], [0, 90]], null],
  ['cards that never worked', [IDLE, IDLE, IDLE, IDLE, IDLE], null],
  ['a card that does not tell', [BUSY, [0, null], [0, null], [0, null], [0, null]], null],
  ['a gap after the last work', [BUSY, null, null, null, null, null, null, IDLE, IDLE], null],
  ['work that begins again', [BUSY, IDLE, IDLE, IDLE, IDLE, BUSY], null],
  ['a gap after they fell idle', [BUSY, IDLE, IDLE, IDLE, ...Array(8).fill(null), IDLE], 0],
] as const)('knows when all cards fell idle: %s', (_what, seconds, expected) => {
  expect(fellIdleAtS(seconds)).toBe(expected);
});
