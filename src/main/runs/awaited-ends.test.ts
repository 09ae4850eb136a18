import { expect, it } from 'vitest';
import type { LaunchedRun, RunStatus } from '../../shared/runs/launch/launched-run.ts';
import { AwaitedEnds } from './awaited-ends.ts';
import { memoryEntries } from './run-box.fixture.ts';

const ID = 'r-20261123-023000-1a2b3c4d';
const RUNNING: RunStatus = { kind: 'running' };
const ELSEWHERE: RunStatus = { kind: 'elsewhere', machine: 'login-2' };
const DONE: RunStatus = { kind: 'done', exitCode: 0, atMs: 1, lacksSuccessLine: false };

it('tells once that another log-in node may run it, and its end on whichever is asked then', () => {
  const entries = memoryEntries();
  const told: string[] = [];
  for (const status of [RUNNING, ELSEWHERE, RUNNING, ELSEWHERE, ELSEWHERE, DONE, DONE]) {
    // Each in another life of the app.
    const ends = new AwaitedEnds({ entries, onProblem: () => undefined });
    ends.take('a-box', [{ id: ID, status } as LaunchedRun], (run) => told.push(run.status.kind));
  }
  expect(told).toEqual(['elsewhere', 'done']);
});

it('waits on for an end of what was only said to be gone, and tells it', () => {
  const entries = memoryEntries();
  const told: string[] = [];
  const said: RunStatus = {
    ...{ kind: 'lost', because: 'machine-gone', machine: 'login-2', saidAtMs: 1 },
  };
  for (const status of [RUNNING, said, said, DONE, DONE]) {
    const ends = new AwaitedEnds({ entries, onProblem: () => undefined });
    ends.take('a-box', [{ id: ID, status } as LaunchedRun], (run) => told.push(run.status.kind));
  }
  expect(told).toEqual(['done']);
});
