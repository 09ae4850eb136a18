import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { alarmText } from './alarm-text.ts';

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
