import { describe, expect, it } from 'vitest';
import { parseOomKills } from './oom-kill.ts';
import { damaged, noise, randomText, sample, sampleNames } from './sample.fixture.ts';

interface Expected {
  readonly rows: readonly object[];
  readonly unreadable: readonly string[];
}

describe('parseOomKills', () => {
  it.each(sampleNames('oom-kill'))('reads %s', (name) => {
    const { text, expected } = sample<Expected>(name);
    const { rows, unreadable } = parseOomKills(text);
    expect(rows).toMatchObject(expected.rows);
    expect(rows).toHaveLength(expected.rows.length);
    expect(unreadable).toEqual(expected.unreadable);
  });

  it.each([
    [
      '[ 5.5] Memory cgroup out of memory: Killed process 12 (pt_main_thread) total-vm:9kB',
      'container',
    ],
    ['[ 5.5] Out of memory: Killed process 12 (pt_main_thread) total-vm:9kB', 'machine'],
    [
      '[ 5.5] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),task=pt_main_thread,pid=12,uid=0',
      'machine',
    ],
    [
      '[ 5.5] oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=0,task=pt_main_thread,pid=12,uid=0',
      'unknown',
    ],
  ])('tells whose limit it was in %j', (line, scope) => {
    expect(parseOomKills(line).rows).toEqual([
      { scope, pid: 12, processName: 'pt_main_thread', prefixTime: '5.5', uptimeS: 5.5, line },
    ]);
  });

  it('counts one kill that is told in two lines once', () => {
    const { rows } = parseOomKills(
      [
        'oom-kill:constraint=CONSTRAINT_MEMCG,task=a,b,pid=12,uid=0',
        'Memory cgroup out of memory: Killed process 12 (a,b) total-vm:9kB',
        'Memory cgroup out of memory: Killed process 13 (c) total-vm:9kB',
      ].join('\n'),
    );
    expect(rows.map(({ pid, processName }) => [pid, processName])).toEqual([
      [12, 'a,b'],
      [13, 'c'],
    ]);
  });

  it.each([
    ['another one', '(dataworker), UID 1000, total-vm:9kB', 23502, 'dataworker'],
    ['the chosen one', '(python3) total-vm:9kB, anon-rss:8kB', 23471, 'python3'],
  ])('counts of an older kernel the one that died: %s', (_, words, pid, processName) => {
    const { rows, unreadable } = parseOomKills(
      [
        '[ 5.1] python3 invoked oom-killer: gfp_mask=0x201da, order=0, oom_score_adj=0',
        '[ 5.2] Memory cgroup out of memory: Kill process 23471 (python3) score 913 or sacrifice child',
        '[ 5.2] usb 1-1: x',
        `[ 5.3] Killed process ${pid} ${words}`,
      ].join('\n'),
    );
    expect(rows).toMatchObject([{ scope: 'container', pid, processName, uptimeS: 5.3 }]);
    expect(unreadable).toEqual([]);
  });

  it('counts the chosen one where the log ends before it dies, and each of two kills', () => {
    const chosen = (pid: number): string =>
      `[ 5.2] Out of memory: Kill process ${pid} (a) score 9 or sacrifice child`;
    expect(parseOomKills(chosen(12)).rows).toMatchObject([{ pid: 12 }]);
    const died = (pid: number): string => `[ 5.3] Killed process ${pid} (b) total-vm:9kB`;
    const two = [chosen(12), died(13), chosen(12), died(12)].join('\n');
    expect(parseOomKills(two).rows.map(({ pid }) => pid)).toEqual([13, 12]);
  });

  it('passes over other lines, and names a kill that it does not understand', () => {
    expect(parseOomKills('usb 1-1: x\noom-kill:what\n')).toEqual({
      rows: [],
      unreadable: ['oom-kill:what'],
    });
  });

  it('reads noise and damaged lines without throwing', () => {
    const random = noise(7);
    const { text } = sample('oom-kill--oom-kernel-lines');
    for (let round = 0; round < 200; round += 1) {
      parseOomKills(damaged(text, random));
      parseOomKills(randomText(1000, random));
    }
  });
});
