import { beforeEach, expect, it } from 'vitest';
import { NOW_MS, sampleRun } from './launch/launch.fixture.ts';
import {
  checkpointsNoted,
  errorNoted,
  NO_NOTED_RUNS,
  runMarksOf,
  useNotedRuns,
} from './run-marks.ts';

const brief = (...given: Parameters<typeof runMarksOf>) =>
  runMarksOf(...given).map(({ label, atMs, tone, text }) => [label, NOW_MS - atMs, tone, text]);

beforeEach(() => useNotedRuns.setState({}, true));

it('tells when a run began and how it ended, as far as the box says', () => {
  const failed = {
    kind: 'failed',
    exitCode: 3,
    atMs: NOW_MS - 60_000,
    lacksSuccessLine: false,
  } as const;
  expect(brief([sampleRun({ name: 'a\u202E', status: failed })], NO_NOTED_RUNS)).toEqual([
    ['run begins', 3_600_000, 'info', 'a was launched.'],
    ['run ends', 60_000, 'danger', 'a: Failed (exit 3).'],
  ]);
  const lost = { kind: 'lost', because: 'restart' } as const;
  expect(brief([sampleRun({ launchedAtMs: null, status: lost })], NO_NOTED_RUNS)).toEqual([]);
});

it('tells what the window saw of it: checkpoints, and the first error that came', () => {
  const run = sampleRun();
  checkpointsNoted('b', run.id, [{ path: 'step-2.pt', writtenAtMs: NOW_MS - 1000 }]);
  errorNoted('b', run.id, 'ValueError: no', NOW_MS - 500);
  errorNoted('b', run.id, 'a later one', NOW_MS);
  expect(brief([run], useNotedRuns.getState()['b'] ?? NO_NOTED_RUNS)).toEqual([
    ['run begins', 3_600_000, 'info', 'baseline was launched.'],
    ['checkpoint', 1000, 'info', 'baseline saved step-2.pt'],
    ['first error', 500, 'danger', 'baseline: ValueError: no'],
  ]);
});
