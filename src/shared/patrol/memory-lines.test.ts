import { expect, it } from 'vitest';
import { readMemory } from './memory-lines.ts';

const HOST = [
  'host MemTotal:       1000 kB',
  'host MemAvailable:    400 kB',
  'host oom_kill 9',
].join('\n');

it('takes the group with the lowest limit, and the kills of the outermost', () => {
  const text = [
    HOST,
    'group',
    'max max',
    'current 300000',
    'events oom_kill 1',
    'pressure-memory some avg10=0.00 avg60=1.25 avg300=0.10 total=5',
    'group',
    'max 500000',
    'current 450000',
    'stat inactive_file 50000',
    'events oom_kill 4',
    'pressure-memory some avg10=0.00 avg60=7.50 avg300=0.10 total=5',
  ].join('\n');
  expect(readMemory(text)).toEqual({
    limitBytes: 500_000,
    usedBytes: 400_000,
    oomKills: 4,
    hostOomKills: 9,
    isWholeMachine: false,
    isPartOfHost: true,
    hostUsedPct: 60,
    stalledPct: 7.5,
  });
});

it('reads version 1, whose largest number is no limit', () => {
  const group = 'group\nlimit 9223372036854771712\nuse 700\noom oom_kill 2\n';
  expect(readMemory(`${HOST}\n${group}`)).toEqual({
    limitBytes: 1_024_000,
    usedBytes: 614_400,
    oomKills: 2,
    hostOomKills: 9,
    isWholeMachine: false,
    isPartOfHost: false,
    hostUsedPct: 60,
    stalledPct: null,
  });
  expect(readMemory(group)).toMatchObject({ limitBytes: 'unlimited', usedBytes: null });
});

it('does not take a limit above the machine’s own memory for one', () => {
  expect(readMemory(`${HOST}\ngroup\nmax 99999999999\ncurrent 5\n`)).toMatchObject({
    limitBytes: 1_024_000,
    usedBytes: 614_400,
  });
});

it('leaves null what the box does not tell', () => {
  expect(readMemory('')).toBeNull();
  expect(readMemory('group\nmax \ncurrent x\n')).toEqual({
    limitBytes: null,
    usedBytes: null,
    oomKills: null,
    hostOomKills: null,
    isWholeMachine: false,
    isPartOfHost: false,
    hostUsedPct: null,
    stalledPct: null,
  });
});

it('counts nothing that gives way as used: a disk’s worth of files that were read is no shortage', () => {
  const group =
    'group\nmax 1000\ncurrent 980\nstat inactive_file 300\nstat active_file 400\nstat slab_reclaimable 80\n';
  expect(readMemory(group)).toMatchObject({ limitBytes: 1000, usedBytes: 200 });
});

it('knows a machine from a part of one by its kernel’s threads', () => {
  expect(readMemory(`${HOST}\nhost kernel-threads\n`)).toMatchObject({ isWholeMachine: true });
  expect(readMemory(HOST)).toMatchObject({ isWholeMachine: false });
});
