import { describe, expect, it } from 'vitest';
import { compareCpu, type CpuCounters } from '../telemetry/cpu-look.ts';
import { readCpuCounters } from './cpu-counters.ts';
import { sample } from './sample.fixture.ts';
import { readPairs } from './word-lines.ts';

const MACHINE = readPairs('tick 100\n');
const HEAD = `uptime 500.25 1.0
cpus 64
load 6.40 6.31 6.02 2/311 4021
total 1000 200 300 90000 10 5 5 0 0 0
`;
const recorded = (name: string, word: string): string =>
  sample(name)
    .text.trim()
    .split('\n')
    .map((line) => `${word} ${line}\n`)
    .join('');

describe('readCpuCounters', () => {
  it('reads a recorded cgroup v2', () => {
    const text = `${HEAD}group\n${recorded('cgroup--v2-cpu.max', 'max')}${recorded('cgroup--v2-cpu.stat', 'stat')}pids 41\n`;
    const stat = sample('cgroup--v2-cpu.stat').text;
    const counted = (word: string): number =>
      Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(stat)?.[1]);
    expect(readCpuCounters(text, MACHINE)).toEqual({
      atS: 500.25,
      hostCpus: 64,
      quotaCpus: 48,
      usedS: counted('usage_usec') / 1e6,
      periods: counted('nr_periods'),
      throttledPeriods: counted('nr_throttled'),
      threads: 41,
      load1: 6.4,
    });
  });

  it('takes the lowest limit on the way up, and the figures of that group', () => {
    const text = `${HEAD}group
max max 100000
stat usage_usec 1000000
pids 3
group
max 400000 100000
stat usage_usec 7000000
stat nr_periods 70
stat nr_throttled 7
pids 9
group
max 800000 100000
stat usage_usec 9000000
`;
    expect(readCpuCounters(text, MACHINE)).toMatchObject({
      quotaCpus: 4,
      usedS: 7,
      throttledPeriods: 7,
      threads: 9,
    });
  });

  it('reads v1, which keeps quota, period and use in files of their own and counts nanoseconds', () => {
    const text = `${HEAD}group
quota 250000
stat nr_periods 100
stat nr_throttled 31
stat throttled_time 5000000000
pids 12
period 100000
acct 7200000000
`;
    expect(readCpuCounters(text, MACHINE)).toMatchObject({
      quotaCpus: 2.5,
      usedS: 7.2,
      periods: 100,
      throttledPeriods: 31,
      threads: 12,
    });
    expect(readCpuCounters(`${HEAD}group\nquota -1\nperiod 100000\n`, MACHINE)).toMatchObject({
      quotaCpus: 'unlimited',
      usedS: 15.1, // the whole machine's, user + nice + system + irq + softirq
    });
  });

  it('knows nothing where nothing was told, and guesses nothing from garbage', () => {
    expect(readCpuCounters('', MACHINE)).toBeNull();
    expect(
      readCpuCounters('uptime x\ncpus ?\nload 1,5\ngroup\nmax 1 0\nstat -3\npids x\n', MACHINE),
    ).toEqual({
      atS: null,
      hostCpus: null,
      quotaCpus: null,
      usedS: null,
      periods: null,
      throttledPeriods: null,
      threads: null,
      load1: null,
    });
  });
});

describe('compareCpu', () => {
  const BEFORE: CpuCounters = {
    atS: 100,
    hostCpus: 64,
    quotaCpus: 8,
    usedS: 50,
    periods: 1000,
    throttledPeriods: 100,
    threads: 14,
    load1: 6.4,
  };
  const after = (part: Partial<CpuCounters> = {}): CpuCounters => ({
    ...BEFORE,
    atS: 130,
    usedS: 266,
    periods: 1300,
    throttledPeriods: 193,
    ...part,
  });

  it('makes figures of two counts', () => {
    const look = compareCpu(BEFORE, after(), 7);
    expect(look).toMatchObject({ atMs: 7, quotaCpus: 8, usedCpus: 7.2, threads: 14 });
    expect(look?.throttledPct).toBeCloseTo(31);
  });

  it.each([
    ['a first count', null, after()],
    ['counters that went back with a restart', BEFORE, after({ usedS: 3, periods: 4 })],
    ['no time that passed', BEFORE, after({ atS: 100, periods: null })],
    ['a clock that is not told', BEFORE, after({ atS: null, throttledPeriods: null })],
  ])('is unknown, never 0, after %s', (_what, before, now) => {
    expect(compareCpu(before, now, 0)).toMatchObject({ usedCpus: null, throttledPct: null });
  });

  it('knows that nothing is held back without a limit, or where nothing ran', () => {
    const free = after({ quotaCpus: 'unlimited', periods: null });
    expect(compareCpu(BEFORE, free, 0)).toMatchObject({ quotaCpus: null, throttledPct: 0 });
    const idle = after({ periods: 1000, throttledPeriods: 100 });
    expect(compareCpu(BEFORE, idle, 0)).toMatchObject({ throttledPct: 0 });
  });
});
