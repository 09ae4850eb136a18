import { describe, expect, it } from 'vitest';
import type { Clock } from '../../shared/clocks/clock.ts';
import { alarmText } from '../../shared/clocks/alarm-text.ts';
import { BOX } from '../meter/meter.fixture.ts';
import { AlarmBell, type ClockAlarm } from './alarm-bell.ts';

const END = Date.parse('2026-07-05T12:00:00Z');
const clock: Clock = {
  id: 'autodl.release-15d',
  danger: 'data',
  trigger: 'instance powered off',
  consequence: 'auto release deletes system and data disk',
  loses: [{ name: 'data disk', path: '/root/autodl-tmp' }],
  due: { kind: 'at', atMs: END, isEstimate: false },
  known: {
    kind: 'platform',
    verified: '2026-06',
    source: 'x',
    freshness: { kind: 'fresh', months: 1 },
  },
  readAt: 'console',
  stops: null,
  entry: { kind: 'start', from: 'stopped' },
};
const alarm = (markMs: number): ClockAlarm => ({ box: BOX, clock, markMs });

describe('AlarmBell', () => {
  it('loses nothing that rings before somebody listens, and repeats nothing', () => {
    const bell = new AlarmBell();
    bell.ring(alarm(1));
    bell.ring(alarm(2));
    const heard: number[] = [];
    const stop = bell.onAlarm(({ markMs }) => heard.push(markMs));
    bell.ring(alarm(3));
    const late: number[] = [];
    bell.onAlarm(({ markMs }) => late.push(markMs));
    stop();
    bell.ring(alarm(4));
    expect({ heard, late }).toEqual({ heard: [1, 2, 3], late: [4] });
  });
});

describe('alarmText', () => {
  it('says what happens, when, and what is at risk', () => {
    expect(alarmText('train-a', clock, END - 6 * 3_600_000, 'Asia/Shanghai')).toEqual({
      title: 'train-a: 06:00 left',
      body: 'instance powered off: auto release deletes system and data disk, at Sun 5 Jul 2026, 20:00 GMT+8. At risk: data disk.',
    });
  });

  it('does not say that there is time when it is over, nor that an old fact is sure', () => {
    const old: Clock = {
      ...clock,
      due: { kind: 'at', atMs: END, isEstimate: true },
      known: {
        kind: 'platform',
        verified: '2026-06',
        source: 'x',
        freshness: { kind: 'stale', months: 9 },
      },
    };
    const text = alarmText('train-a', old, END, 'UTC');
    expect(text.title).toBe('train-a: the time is over');
    expect(text.body).toContain('since about Sun 5 Jul 2026, 12:00 GMT');
    expect(text.body).toContain('Last checked 2026-06: look it up.');
  });
});
