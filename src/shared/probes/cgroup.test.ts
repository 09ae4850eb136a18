import { describe, expect, it } from 'vitest';
import { cgroupFiles, guessCgroupFile, parseCgroup, type CgroupFile } from './cgroup.ts';
import { damaged, noise, randomText, sample, sampleNames } from './sample.fixture.ts';

interface Expected {
  readonly file: CgroupFile;
  readonly rows: readonly unknown[];
  readonly unreadable: readonly string[];
}

const unlimited = { kind: 'unlimited' };
const limited = (value: number) => ({ kind: 'limited', value });

describe('recorded files (U41)', () => {
  it.each(sampleNames('cgroup'))('reads %s', (name) => {
    const { text, expected } = sample<Expected>(name);
    const file = guessCgroupFile(name, text);
    expect(file).toBe(expected.file);
    expect(parseCgroup(file ?? 'pids.max', text)).toEqual({
      rows: expected.rows,
      unreadable: expected.unreadable,
    });
  });

  // Two recordings hold several v1 files one after the other; here each file gets its own lines.
  it.each([
    ['cgroup--v1-docker-scope', 0, 'memory.limit_in_bytes', { kind: 'limit', limit: unlimited }],
    ['cgroup--v1-docker-scope', 4, 'memory.usage_in_bytes', { kind: 'use', value: 2265088 }],
    ['cgroup--v1-root-old-kernel', 1, 'memory.limit_in_bytes', { kind: 'limit', limit: unlimited }],
  ] as const)('reads line %2$i of %1$s', (name, line, file, row) => {
    const text = sample(name).text.split('\n')[line] ?? '';
    expect(parseCgroup(file, text)).toEqual({ rows: [row], unreadable: [] });
  });
});

describe('values', () => {
  it.each([
    ['memory.max', 'max\n', { kind: 'limit', limit: unlimited }],
    ['memory.max', '1024\n', { kind: 'limit', limit: limited(1024) }],
    ['cpu.max', 'max 100000\n', { kind: 'cpu-limit', cpus: unlimited }],
    ['cpu.max', '150000 100000\n', { kind: 'cpu-limit', cpus: limited(1.5) }],
    ['cpu.cfs_quota_us', '-1\n', { kind: 'cpu-quota', quotaUs: unlimited }],
    ['cpu.cfs_quota_us', '200000\n', { kind: 'cpu-quota', quotaUs: limited(200_000) }],
    ['cpu.cfs_period_us', '100000\n', { kind: 'use', value: 100_000 }],
    ['memory.failcnt', '3\n', { kind: 'use', value: 3 }],
    [
      'memory.oom_control',
      'oom_kill_disable 0\nunder_oom 1\n',
      { kind: 'oom', kills: null, isUnderOom: true },
    ],
    ['memory.events', 'oom 4\noom_kill 2\n', { kind: 'oom', kills: 2, isUnderOom: null }],
    [
      'cpu.stat',
      'nr_periods 10\nnr_throttled 2\nthrottled_time 5000\n',
      { kind: 'cpu-stalls', periods: 10, throttledPeriods: 2, throttledUs: 5 },
    ],
    [
      'cpu.stat',
      'usage_usec 7\n',
      { kind: 'cpu-stalls', periods: null, throttledPeriods: null, throttledUs: null },
    ],
    ['memory.stat', 'anon 5\n', { kind: 'memory-stat', inactiveFileBytes: null }],
  ] as const)('reads %s holding %j', (file, text, row) => {
    expect(parseCgroup(file, text)).toEqual({ rows: [row], unreadable: [] });
  });

  it.each([
    ['memory.max', '-5'],
    ['memory.max', 'lots'],
    ['memory.current', 'max'],
    ['cpu.max', '100000'],
    ['cpu.max', '100000 0'],
    ['cpu.cfs_quota_us', '-2'],
    ['memory.events', 'oom_kill many'],
    ['memory.max', 'cat: /sys/fs/cgroup/memory.max: No such file or directory'],
  ] as const)('does not read %s holding %j', (file, text) => {
    expect(parseCgroup(file, `${text}\n`)).toEqual({ rows: [], unreadable: [text] });
  });

  it('concludes nothing from an empty file', () => {
    for (const file of cgroupFiles) {
      expect(parseCgroup(file, '\n')).toEqual({ rows: [], unreadable: [] });
    }
  });
});

describe('guessCgroupFile', () => {
  it.each(cgroupFiles)('knows %s by its name', (file) => {
    expect(guessCgroupFile(`box-7 ${file}.txt`, '')).toBe(file);
  });

  it.each([
    ['oom_kill_disable 0\nunder_oom 0\n', 'memory.oom_control'],
    ['low 0\noom_kill 0\n', 'memory.events'],
    ['nr_periods 0\n', 'cpu.stat'],
    ['anon 1\ninactive_file 2\n', 'memory.stat'],
    ['max 100000\n', 'cpu.max'],
    ['103079215104\n', null],
    ['max\n', null],
    ['', null],
  ])('guesses %j from its words as %s', (text, file) => {
    expect(guessCgroupFile('-', text)).toBe(file);
  });
});

it('reads noise and damaged files without throwing', () => {
  const random = noise(6);
  for (const name of sampleNames('cgroup')) {
    for (const file of cgroupFiles) {
      parseCgroup(file, damaged(sample(name).text, random));
      parseCgroup(file, randomText(500, random));
    }
  }
});
