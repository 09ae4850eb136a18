import { expect, it } from 'vitest';
import type { ContinuousPull } from '../../../../../shared/transfer/continuous/continuous-pull.ts';
import { continuousWords } from './continuous-words.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2027, 0, 15, 8);

const pull = (more: Partial<ContinuousPull> = {}): ContinuousPull => ({
  ...{ runId: 'r', runName: 'a', to: '/r', everyMin: 15, limitMBps: null },
  now: { kind: 'waiting', nextAtMs: NOW_MS + 11 * MINUTE_MS },
  ...{ last: null, brought: null, failure: null, earlier: null },
  ...more,
});

function said(more: Partial<ContinuousPull>): string {
  const { tone, says, figures, failure } = continuousWords(pull(more), NOW_MS);
  const whole = [tone, says, ...figures, ...(failure === null ? [] : [failure])].join(' · ');
  return whole.replace(/[\u202f\u00a0]/g, ' ');
}

const brought = { atMs: NOW_MS - 4 * MINUTE_MS, files: 3, bytes: 1_200_000_000 };

it.each<[string, Partial<ContinuousPull>]>([
  ['wait · New results come home every 15 min · next in 11 min', {}],
  [
    'wait · New results come home every 3 h, at most 5 MB/s · brought 3 files, 1.2 GB, 4 min ago · next in 11 min',
    { everyMin: 180, limitMBps: 5, last: brought, brought },
  ],
  [
    'wait · New results come home every 15 min · brought 3 files, 1.2 GB, 4 min ago · nothing new since, last checked 1 min ago · checking for new results',
    { brought, last: { atMs: NOW_MS - MINUTE_MS, files: 0, bytes: 0 }, now: { kind: 'under-way' } },
  ],
  [
    'wait · New results come home every 15 min · goes on when the box is connected · at least 2 earlier copies kept: 2.0 kB',
    {
      now: { kind: 'held', by: 'link' },
      earlier: { files: 2, bytes: 2000, isCut: true },
    },
  ],
  [
    'ok · New results came home · nothing new 1 min ago · the run is over, and nothing else comes',
    { last: { atMs: NOW_MS - MINUTE_MS, files: 0, bytes: 0 }, now: { kind: 'finished' } },
  ],
  [
    'warn · New results come home every 15 min · next in 11 min · Failed 2 min ago: The disk is full.',
    {
      failure: {
        ...{ sinceMs: 0, atMs: NOW_MS - 2 * MINUTE_MS, rounds: 2, says: 'The disk is full.' },
      },
    },
  ],
])('says “%s”', (expected, more) => {
  expect(said(more)).toBe(expected);
});
