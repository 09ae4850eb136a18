import { describe, expect, it } from 'vitest';
import { alignSeries, downsample } from './downsample.ts';

const everySecond = (count: number, valueAt: (i: number) => number) => ({
  atMs: Float64Array.from({ length: count }, (_, i) => i * 1000),
  columns: [Float32Array.from({ length: count }, (_, i) => valueAt(i))],
});
const FULL = { fromMs: 0, toMs: 899_000, maxPoints: 300, gapMs: 3500 };

describe('downsample', () => {
  it('hands few samples through as they are', () => {
    const series = everySecond(3, (i) => i + 0.5);
    expect(downsample(series, FULL)).toEqual({ atMs: [0, 1000, 2000], columns: [[0.5, 1.5, 2.5]] });
  });

  it('takes only what lies in the window, both ends included', () => {
    const series = everySecond(10, (i) => i);
    const { atMs } = downsample(series, { ...FULL, fromMs: 2000, toMs: 4000 });
    expect(atMs).toEqual([2000, 3000, 4000]);
  });

  it('stays within its points and keeps a spike and a dip of one sample each', () => {
    const series = everySecond(900, (i) => (i === 433 ? 100 : i === 434 ? 0 : 50));
    const { atMs, columns } = downsample(series, FULL);
    expect(atMs.length).toBeLessThanOrEqual(300);
    expect(Math.max(...(columns[0] ?? []))).toBe(100);
    expect(Math.min(...(columns[0] ?? []))).toBe(0);
    expect([...atMs].sort((a, b) => a - b)).toEqual(atMs);
  });

  it('draws nothing before the first and after the last sample', () => {
    const series = everySecond(887, (i) => i);
    const { atMs, columns } = downsample(series, { ...FULL, fromMs: 5000, toMs: 900_000 });
    expect(atMs[0]).toBeGreaterThanOrEqual(5000);
    expect([atMs.at(-1), columns[0]?.at(-1)]).toEqual([886_000, 886]);
  });

  it('keeps rise and fall in the order in which they came', () => {
    const options = { fromMs: 0, toMs: 9000, maxPoints: 4, gapMs: 5000 };
    expect(
      downsample(
        everySecond(10, (i) => i),
        options,
      ).columns[0],
    ).toEqual([0, 8, 9, 9]);
    expect(
      downsample(
        everySecond(10, (i) => 9 - i),
        options,
      ).columns[0],
    ).toEqual([9, 1, 0, 0]);
  });

  it('draws the same shape when the window has moved on by a sample', () => {
    const series = everySecond(1000, (i) => (i * 7919) % 101);
    const moved = { ...FULL, fromMs: 1000, toMs: 900_000 };
    const middle = ({ atMs, columns }: ReturnType<typeof downsample>) =>
      atMs.flatMap((t, i) => (t > 20_000 && t < 880_000 ? [[t, columns[0]?.[i]]] : []));
    expect(middle(downsample(series, moved))).toEqual(middle(downsample(series, FULL)));
  });

  it.each([900, 10])('breaks the line where nothing was sampled (%i samples)', (count) => {
    const series = everySecond(count, () => 1);
    const half = count / 2;
    const atMs = series.atMs.map((t, i) => (i < half ? t : t + 60_000));
    const drawn = downsample({ ...series, atMs }, { ...FULL, toMs: 1_000_000 });
    const breaks = drawn.columns[0]?.filter((value) => Number.isNaN(value));
    expect(breaks).toHaveLength(1);
    const at = drawn.columns[0]?.findIndex((value) => Number.isNaN(value)) ?? -1;
    expect(drawn.atMs[at]).toBe(half * 1000 + 29_500);
  });

  it('keeps "not reported" apart from 0, and ignores it beside reported values', () => {
    const never = downsample(
      everySecond(900, () => NaN),
      FULL,
    );
    expect(never.columns[0]?.every((value) => Number.isNaN(value))).toBe(true);
    const now = downsample(
      everySecond(900, (i) => (i % 2 === 0 ? NaN : 7)),
      FULL,
    );
    expect(new Set(now.columns[0])).toEqual(new Set([7]));
  });

  it('answers an empty series with an empty drawing', () => {
    expect(downsample({ atMs: [], columns: [[]] }, FULL)).toEqual({ atMs: [], columns: [[]] });
  });
});

describe('alignSeries', () => {
  it('shares the axis of series that were sampled together', () => {
    const atMs = [1, 2];
    const a = { atMs, columns: [[10, 11]] };
    const b = { atMs: [1, 2], columns: [[20, 21]] };
    expect(alignSeries([a, b])).toEqual({
      atMs,
      columns: [
        [10, 11],
        [20, 21],
      ],
    });
  });

  it('leaves NaN where one of them was silent', () => {
    const a = { atMs: [1, 2, 3], columns: [[10, 11, 12]] };
    const lost = { atMs: [1], columns: [[20]] };
    expect(alignSeries([a, lost]).columns).toEqual([
      [10, 11, 12],
      [20, NaN, NaN],
    ]);
    const late = { atMs: [3, 4], columns: [[30, 31]] };
    expect(alignSeries([a, late])).toEqual({
      atMs: [1, 2, 3, 4],
      columns: [
        [10, 11, 12, NaN],
        [NaN, NaN, 30, 31],
      ],
    });
  });

  it('answers no series with none', () => {
    expect(alignSeries([])).toEqual({ atMs: [], columns: [] });
  });
});
