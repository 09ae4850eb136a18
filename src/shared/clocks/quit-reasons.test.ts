import { expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { quitReasons } from './quit-reasons.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const MARKS = [24 * HOUR_MS, HOUR_MS];
const ending = (inMs: number, name = 'train-a') => ({
  box: { name },
  clock: {
    ...{ id: 'x', danger: 'data', event: 'Rental ends' },
    ...{ trigger: 'the end that was agreed', consequence: 'the box is deleted' },
    ...{ loses: [], known: { kind: 'told' }, readAt: '', stops: null, entry: null },
    due: { kind: 'at', atMs: NOW + inMs, isEstimate: false },
  } satisfies Clock,
});

it.each([
  ['nothing runs or is waited for', [], 0, []],
  ['a clock is further away than its first alarm', [ending(25 * HOUR_MS)], 0, []],
  ['a clock has run out, so that nothing more is told of it', [ending(-HOUR_MS)], 0, []],
  [
    'a clock is near',
    [ending(2 * HOUR_MS)],
    0,
    [/^train-a: Rental ends in .*\. the end that was agreed: the box is deleted/],
  ],
  [
    'one is near and another has run out',
    [ending(-HOUR_MS, 'over'), ending(HOUR_MS)],
    0,
    [/^train-a/],
  ],
  [
    'several are near',
    [ending(2 * HOUR_MS, 'later'), ending(HOUR_MS, 'sooner')],
    0,
    [/^sooner/, /^later/],
  ],
  [
    'more are near than anybody would read',
    Array.from({ length: 9 }, (_, i) => ending(HOUR_MS + i, `box-${String(i)}`)),
    0,
    [/^box-0/, /^box-1/, /^box-2/, /^box-3/, /^box-4/, /^4 more clocks run out soon\.$/],
  ],
  ['something is waited for', [], 1, [/^One thing/]],
  ['both', [ending(HOUR_MS / 2)], 3, [/^train-a/, /^3 things/]],
])('where %s', (_what, clocks, waiting, expected) => {
  const reasons = quitReasons({ clocks, waiting, alarmMarksMs: MARKS }, NOW);
  expect(reasons).toHaveLength(expected.length);
  for (const [i, pattern] of expected.entries()) expect(reasons[i]).toMatch(pattern);
});
