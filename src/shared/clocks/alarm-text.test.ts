import { describe, expect, it } from 'vitest';
import { NOTHING_TOLD, type Clock } from './clock.ts';
import { alarmText, clockLine } from './alarm-text.ts';
import { ownClocks } from './own-clocks.ts';

const END = Date.parse('2026-07-05T12:00:00Z');
const clock: Clock = {
  id: 'autodl.release-15d',
  danger: 'data',
  event: 'Auto release',
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
      title: 'train-a: Auto release in 6 h',
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
    expect(text.title).toBe('train-a: Auto release, time over');
    expect(text.body).toContain('since about Sun 5 Jul 2026, 12:00 GMT');
    expect(text.body).toContain('Last checked 2026-06: look it up.');
  });

  it('is one line of the tray that names what happens, and changes only when that is over', () => {
    const line = (nowMs: number) => clockLine('train-a', clock, nowMs);
    expect(line(END - 1)).toMatch(/^train-a: Auto release: Sun 5 Jul 2026/);
    expect(line(END - 3_600_000)).toBe(line(END - 1));
    expect(line(END)).toMatch(/^train-a: Auto release, time over since Sun 5 Jul 2026/);
    const spot = { ...clock, due: { kind: 'any-time', graceMs: 0 } } as const;
    expect(clockLine('train-a', { ...spot, danger: 'run' }, 0)).toBe('train-a: Auto release');
  });

  it('says in the tray what is deleted, once and also when it is over', () => {
    const said = ': auto release deletes system and data disk; at risk: data disk';
    expect(clockLine('train-a', clock, END - 1)).toMatch(new RegExp(`${said}$`));
    expect(clockLine('train-a', clock, END)).toMatch(new RegExp(`${said}$`));
    const bare = { ...clock, event: clock.consequence, loses: [] };
    expect(clockLine('train-a', bare, 0).split(clock.consequence)).toHaveLength(2);
    expect(clockLine('train-a', { ...clock, danger: 'run' }, END - 1)).not.toContain(said);
  });

  it('puts what is a sentence of the person’s own behind the time', () => {
    const [own] = ownClocks(
      { ...NOTHING_TOLD, deadlines: [{ id: 'a', what: 'the paper is due', atMs: END }] },
      false,
    );
    if (own === undefined) throw new Error('no clock');
    const titleAt = (nowMs: number) => alarmText('train-a', own, nowMs).title;
    expect(titleAt(END - 3_600_000)).toMatch(/^train-a: in 1.h: the paper is due$/u);
    expect(titleAt(END)).toBe('train-a: time over: the paper is due');
  });

  it('claims nothing of a box whose prepaid time is over', () => {
    const [own] = ownClocks({ ...NOTHING_TOLD, prepaidUntilMs: END }, false);
    expect(own?.consequence).toMatch(/what becomes of the box is not known/);
  });
});
