import { expect, it } from 'vitest';
import type { Profile } from '../../profiles/profile.ts';
import type { LaunchedRun, RunStatus } from '../launch/launched-run.ts';
import type { BoxUp } from './box-ups.ts';
import {
  countInterruptions,
  fixedEndOf,
  meanBetween,
  type Interruptions,
  type SeenOfBox,
} from './interruptions.ts';
import { NO_END_CLUES, platformTimersOf } from './platform-ends.ts';

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

const up = (fromH: number, toH: number, isStoppedAfter = false): BoxUp => ({
  fromMs: fromH * H,
  startedMs: fromH * H,
  toMs: toH * H,
  isStoppedAfter,
});
const gone = (cause: 'preempted' | 'reboot' | 'gpu-fault' | 'killed' | null, fromH: number) => ({
  cause,
  lastSeenMs: fromH * H,
  missedMs: (fromH + 0.1) * H,
});
/** How many, and over how many hours. */
function counted(seen: Partial<SeenOfBox>, atH = 100): readonly [number, number] {
  const { count, watchedMs } = countInterruptions(
    { runs: [], ups: [], gone: [], atMs: atH * H, ends: NO_END_CLUES, ...seen },
    null,
  );
  return [count, watchedMs / H];
}

it('counts what was cut off, over the time in which anything ran', () => {
  const runs = [
    run(0, restart, 4),
    run(2, restart, 6),
    run(5, ended(7)),
    run(10, killed, 11),
    run(20, { kind: 'running' }, 1),
  ];
  expect(counted({ runs }, 25)).toEqual([2, 7 + 1 + 5]);
});

it('counts two kills beside each other twice, and a later restart again', () => {
  const runs = [run(0, killed, 2), run(1, killed, 3), run(4, restart, 5), run(6, restart, 7)];
  expect(counted({ runs })).toEqual([4, 5]);
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
  expect(counted({ runs })).toEqual([0, 0]);
});

it('counts each end of a life of the box, also where nothing was launched', () => {
  expect(counted({ ups: [up(0, 10), up(11, 20), up(20, 50)] })).toEqual([2, 49]);
});

it('counts a restart once that a run and a life of the box both show', () => {
  const ups = [up(0, 10), up(12, 20)];
  expect(counted({ ups, runs: [run(2, restart, 9), run(3, ended(9.5))] })).toEqual([1, 18]);
  // By a clock that is a little ahead, the log was written to after the box was seen last.
  expect(counted({ ups, runs: [run(2, restart, 10.5)] })).toEqual([1, 18.5]);
  expect(counted({ ups, gone: [gone('reboot', 9.9), gone('preempted', 9.9)] })).toEqual([1, 18]);
  // In the life that goes on, no end of one explains it.
  expect(counted({ ups, runs: [run(13, restart, 15)] })).toEqual([2, 18]);
});

it('takes a stop that a person entered for none, unless a run was lost to it', () => {
  const ups = [up(0, 10, true), up(30, 40)];
  expect(counted({ ups })).toEqual([0, 20]);
  expect(counted({ ups, runs: [run(2, ended(9))] })).toEqual([0, 20]);
  expect(counted({ ups, runs: [run(2, restart, 9)] })).toEqual([1, 20]);
  expect(counted({ ups, gone: [gone('reboot', 9.5)] })).toEqual([1, 20]);
});

it('takes a stop that a person entered for one where a timer of the platform was due, and Leasehold did not end it', () => {
  const ups = [up(0, 10, true), up(30, 40, true)];
  const ends = { ...NO_END_CLUES, timers: [{ forMs: 10.5 * H }] };
  expect(counted({ ups, ends })).toEqual([2, 20]);
  // The box that was taken last is as much one, though nothing came after it.
  expect(counted({ ups, ends: { ...ends, timers: [{ atMs: 40.9 * H }] } })).toEqual([1, 20]);
  for (const timer of [{ atMs: 41.1 * H }, { atMs: 9.9 * H }, { forMs: 9 * H }]) {
    expect(counted({ ups, ends: { ...ends, timers: [timer] } })).toEqual([0, 20]);
  }
  expect(counted({ ups, ends: { ...ends, endedHereMs: 10.2 * H } })).toEqual([1, 20]);
  expect(counted({ ups, ends: { ...ends, endedHereMs: 41 * H } })).toEqual([0, 20]);
  // Nobody entered that it is over: it may only be out of reach.
  expect(counted({ ups: [up(0, 10)], ends })).toEqual([0, 10]);
});

it('takes it for one where the platform may take the box at any time, and something ran when it was last seen', () => {
  const ups = [up(0, 10, true)];
  const ends = { ...NO_END_CLUES, isSpot: true, ranAtMs: 9.5 * H };
  expect(counted({ ups, ends })).toEqual([1, 10]);
  expect(counted({ ups, ends: { ...ends, ranAtMs: null } })).toEqual([0, 10]);
  expect(counted({ ups, ends: { ...ends, ranAtMs: 8.5 * H } })).toEqual([0, 10]);
  expect(counted({ ups, ends: { ...ends, isSpot: false } })).toEqual([0, 10]);
  expect(counted({ ups, ends: { ...ends, endedHereMs: 10 * H } })).toEqual([0, 10]);
});

it('knows the timers of a platform that end what runs, and leaves out what a person set', () => {
  const clock = (rule: object, danger = 'run') => ({ rule, danger });
  const profile = {
    clocks: [
      clock({ kind: 'after', from: 'started', for: 12, isEstimate: true }),
      clock({ kind: 'after', from: 'free-notebook-started', for: 6, isEstimate: false }),
      clock({ kind: 'after', from: 'stopped', for: 1, isEstimate: false }, 'data'),
      clock({ kind: 'after', from: 'started', for: 2, isEstimate: false }, 'money'),
      clock({ kind: 'set', what: 'rental-end' }, 'data'),
      clock({ kind: 'set', what: 'ttl' }),
      clock({ kind: 'set', what: 'stop-timer' }),
    ],
  } as unknown as Profile;
  const times = { 'rental-end': 100, 'stop-timer': 200 };
  expect(platformTimersOf(profile, { starts: { 'free-notebook-started': 50 }, times })).toEqual([
    { forMs: 12 },
    { atMs: 56 },
    { atMs: 100 },
  ]);
  expect(platformTimersOf(null, { starts: {}, times })).toEqual([]);
});

it('counts what the platform or a card took of runs that Leasehold did not launch, and each event once', () => {
  const ups = [up(0, 40)];
  const missed = [gone('preempted', 5), gone('preempted', 5.05), gone('gpu-fault', 20)];
  expect(counted({ ups, gone: missed })).toEqual([2, 40]);
  // Who killed a process, or why one is gone, nobody knows.
  expect(counted({ ups, gone: [gone('killed', 5), gone(null, 8), gone('reboot', 9)] })).toEqual([
    0, 40,
  ]);
  const cut: RunStatus = { kind: 'cut-off', exitCode: 143, atMs: 5.08 * H };
  expect(counted({ ups, gone: [gone('preempted', 5)], runs: [run(1, cut)] })).toEqual([1, 40]);
});

const known = (count: number, hours: number, rest: Partial<Interruptions> = {}) =>
  meanBetween({ count, watchedMs: hours * H, fixedEnd: null, ...rest });

it('knows no mean of fewer than two interruptions, nor of less than an hour', () => {
  expect(known(0, 90)).toBeNull();
  expect(known(1, 90)).toBeNull();
  expect(known(2, 0.99)).toBeNull();
  const two = known(2, 12);
  expect(two?.meanMs).toBe(6 * H);
  // Garwood, 90 %: 0.355 to 6.296 of two.
  expect((two?.rangeMs ?? []).map((ms) => Math.round(ms / H))).toEqual([2, 34]);
});

it('takes what the facts tell where too few were counted, and only there', () => {
  const fixedEnd = { forMs: 12 * H, trigger: 'VM started', isEstimate: true };
  expect(known(1, 90, { fixedEnd })).toEqual({ meanMs: 12 * H, rangeMs: null });
  expect(known(3, 90, { fixedEnd })?.meanMs).toBe(30 * H);
});

it('finds in a profile what ends a box so long after its start, and nothing that only costs or follows a stop', () => {
  const clock = (from: string, forH: number, danger: string) => ({
    rule: { kind: 'after', from, for: forH * H, isEstimate: false },
    trigger: `${from} ${String(forH)}`,
    danger,
  });
  const profile = {
    clocks: [
      clock('stopped', 1, 'data'),
      clock('started', 2, 'money'),
      clock('started', 12, 'data'),
      clock('free-notebook-started', 6, 'run'),
      { rule: { kind: 'balance' }, trigger: 'x', danger: 'data' },
    ],
  } as unknown as Profile;
  const none = new Set<never>();
  expect(fixedEndOf(profile, none)?.forMs).toBe(12 * H);
  expect(fixedEndOf(profile, new Set(['free-notebook-started']))?.forMs).toBe(6 * H);
  expect(fixedEndOf(null, none)).toBeNull();
});
