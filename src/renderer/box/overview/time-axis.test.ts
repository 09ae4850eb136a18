import { describe, expect, it } from 'vitest';
import { timeTicks } from './time-axis.ts';

const at = (text: string): number => new Date(text).getTime();
const labels = (fromMs: number, toMs: number, isLive: boolean): readonly string[] =>
  timeTicks({ fromMs, toMs }, isLive).map(({ label }) => label);

describe('timeTicks', () => {
  it.each([
    [60, ['−60 s', '−40', '−20', 'now']],
    [120, ['−2 min', '−1', 'now']],
    [900, ['−15 min', '−10', '−5', 'now']],
    [3600, ['−60 min', '−45', '−30', '−15', 'now']],
  ])('tells how long ago up to an hour: %d s', (seconds, expected) => {
    expect(labels(0, seconds * 1000, true)).toEqual(expected);
  });

  it('tells the time of day for longer, and for what is not the present', () => {
    const [from, to] = [at('2026-11-22T07:50:00'), at('2026-11-22T13:50:00')];
    expect(labels(from, to, true)).toEqual(['08:00', '10:00', '12:00']);
    expect(labels(from, from + 600_000, false)).toEqual(['07:50', '07:52', '07:54', '07:56', '07:58', '08:00']); // oxfmt-ignore
    expect(labels(from, from + 12_000, false)).toEqual(['07:50:00', '07:50:05', '07:50:10']);
  });

  it('tells the date at midnight and over days', () => {
    const day = labels(at('2026-11-21T13:00:00'), at('2026-11-22T13:00:00'), true);
    expect(day).toEqual(['18:00', '22 Nov', '06:00', '12:00']);
    const month = labels(at('2026-10-23T13:00:00'), at('2026-11-22T13:00:00'), true);
    expect(month.every((label) => /^\d+ (Oct|Nov)$/.test(label))).toBe(true);
    expect(month.length).toBeGreaterThanOrEqual(4);
  });
});
