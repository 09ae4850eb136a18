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
