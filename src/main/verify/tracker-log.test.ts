import { expect, it } from 'vitest';
import type { TrackerLog } from '../../shared/verify/tracker-logs.ts';
import { sourceOf, specimen } from './load.fixture.ts';
import { lookIntoLog } from './tracker-log.ts';

const project: TrackerLog = { tracker: 'trackio', path: 'trackio/x.db', state: 'unknown' };
const online: TrackerLog = { tracker: 'wandb', path: 'run-1.wandb', state: 'unknown' };
const run = specimen('wandb/wandb-0.31.0--run.wandb');

it.each([
  ['demo', 'only here'],
  ['pending', 'not uploaded'],
  ['sent', 'uploaded'],
])('a project of trackio as it stands: %s', async (name, state) => {
  const bytes = specimen(`sqlite/trackio-0.43.0--${name}.db`);
  expect(await lookIntoLog(project, sourceOf(bytes))).toBe(state);
});

it('of a project that is not whole nothing is said', async () => {
  const bytes = specimen('sqlite/trackio-0.43.0--sent.db').subarray(0, 4096);
  expect(await lookIntoLog(project, sourceOf(bytes))).toBe('unknown');
});

it('a run of wandb has ended once it says so, which is the last thing in its file', async () => {
  expect(await lookIntoLog(online, sourceOf(run))).toBe('unknown');
  const before = await Promise.all(
    Array.from({ length: 40 }, (_, no) =>
      lookIntoLog(online, sourceOf(run.subarray(0, run.length - no))),
    ),
  );
  expect(before.slice(1)).not.toContain('uploaded');
  // Cut off between two records, it is a run that goes on.
  expect(await lookIntoLog(online, sourceOf(run.subarray(0, 7)))).toBe('not ended');
});

it('one that was written offline waits to be sent, whatever it says', async () => {
  const offline: TrackerLog = { ...online, state: 'not uploaded' };
  expect(await lookIntoLog(offline, sourceOf(run))).toBe('not uploaded');
});
