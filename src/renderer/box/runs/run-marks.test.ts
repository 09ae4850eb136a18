import { expect, it } from 'vitest';
import { NOW_MS, sampleRun } from './launch/launch.fixture.ts';
import { runMarksOf } from './run-marks.ts';

const brief = (...given: Parameters<typeof runMarksOf>) =>
  runMarksOf(...given).map(({ label, atMs, tone, text }) => [label, NOW_MS - atMs, tone, text]);

it('tells when a run began and how it ended, as far as the box says', () => {
  const failed = {
    kind: 'failed',
    exitCode: 3,
    atMs: NOW_MS - 60_000,
    lacksSuccessLine: false,
  } as const;
  expect(brief([sampleRun({ name: 'a\u202E', status: failed })], {})).toEqual([
    ['run begins', 3_600_000, 'info', 'a was launched.'],
    ['run ends', 60_000, 'danger', 'a: Failed (exit 3).'],
  ]);
  const lost = { kind: 'lost', because: 'restart' } as const;
  expect(brief([sampleRun({ launchedAtMs: null, status: lost })], {})).toEqual([]);
});

it('tells what was seen of it on its way: checkpoints, and the first error that came', () => {
  const run = sampleRun();
  const events = {
    checkpoints: [{ path: 'step-2.pt', writtenAtMs: NOW_MS - 1000 }],
    error: { text: 'ValueError: no\u202E', atMs: NOW_MS - 500 },
  };
  expect(brief([run], { [run.id]: events })).toEqual([
    ['run begins', 3_600_000, 'info', 'baseline was launched.'],
    ['checkpoint', 1000, 'info', 'baseline saved step-2.pt'],
    ['first error', 500, 'danger', 'baseline: ValueError: no'],
  ]);
});
