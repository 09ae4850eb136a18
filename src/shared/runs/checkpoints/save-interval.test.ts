import { expect, it } from 'vitest';
import type { LaunchedRun, RunStatus } from '../launch/launched-run.ts';
import {
  cheapestInterval,
  compareInterval,
  countInterruptions,
  meanBetween,
  wholeSteps,
} from './save-interval.ts';

const H = 3_600_000;

function run(fromH: number | null, status: RunStatus, logH: number | null = null): LaunchedRun {
  return {
    id: 'r',
    name: 'n',
    command: 'c',
    folder: '/w',
    results: null,
    place: '/p',
    detacher: 'tmux',
    launchedAtMs: fromH === null ? null : fromH * H,
    process: null,
    overridden: [],
    status,
    log: logH === null ? null : { bytes: 1, modifiedAtMs: logH * H },
  };
}
const restart: RunStatus = { kind: 'lost', because: 'restart' };
const killed: RunStatus = { kind: 'lost', because: 'killed' };
const ended = (atH: number): RunStatus => ({ kind: 'ended', exitCode: 0, atMs: atH * H });

it('counts what was cut off, over the time in which anything ran', () => {
  const runs = [
    run(0, restart, 4),
    run(2, restart, 6),
    run(5, ended(7)),
    run(10, killed, 11),
    run(20, { kind: 'running' }, 1),
  ];
  const seen = countInterruptions(runs, 25 * H);
  expect(seen).toEqual({ count: 2, watchedMs: (7 + 1 + 5) * H });
  expect(meanBetween(seen)).toBe(6.5 * H);
});

it('counts two kills beside each other twice, and a later restart again', () => {
  const runs = [run(0, killed, 2), run(1, killed, 3), run(4, restart, 5), run(6, restart, 7)];
  expect(countInterruptions(runs, 9 * H)).toEqual({ count: 4, watchedMs: 5 * H });
});

it('leaves out runs whose time is not known', () => {
  const runs = [
    run(null, restart, 4),
    run(1, restart),
    run(5, restart, 4),
    run(1, { kind: 'starting' }, 3),
    run(1, { kind: 'never-started' }, 3),
    run(1, { kind: 'unreadable', because: 'x' }, 3),
  ];
  expect(countInterruptions(runs, 9 * H)).toEqual({ count: 0, watchedMs: 0 });
});

it('knows no mean of no interruption, nor of less than an hour', () => {
  expect(meanBetween({ count: 0, watchedMs: 90 * H })).toBeNull();
  expect(meanBetween({ count: 1, watchedMs: H - 1 })).toBeNull();
  expect(meanBetween({ count: 1, watchedMs: H })).toBe(H);
});

it('reproduces the worked case of the facts', () => {
  const best = cheapestInterval(30_000, 3 * H) ?? 0;
  expect(Math.round(best / 1000)).toBe(805);
  expect(wholeSteps(best, 2000)).toBe(400);
});

it('gives no interval where a save takes half of the time between interruptions', () => {
  expect(cheapestInterval(H, 2 * H)).toBeNull();
  expect(cheapestInterval(0, 2 * H)).toBeNull();
  expect(cheapestInterval(2, 100)).toBe(20);
});

it('rounds steps down to two digits', () => {
  expect(wholeSteps(9_999, 1000)).toBe(9);
  expect(wholeSteps(99_000, 1000)).toBe(99);
  expect(wholeSteps(1_279_000, 1000)).toBe(1200);
  expect(wholeSteps(900, 1000)).toBeNull();
});

it('calls an interval near that costs at most a tenth more', () => {
  expect(compareInterval(63, 100)).toBe('often');
  expect(compareInterval(64, 100)).toBe('near');
  expect(compareInterval(156, 100)).toBe('near');
  expect(compareInterval(157, 100)).toBe('seldom');
});
