import { describe, expect, it } from 'vitest';
import { gpuSeriesOf, pointAt, valueAt, type GpuSeries } from './gpu-series.ts';
import { answerOf, readingsOf, ringOf, storedGpu } from './series.fixture.ts';

const HOUR_MS = 3_600_000;
const axis = { fromMs: 0, toMs: HOUR_MS };

function only(all: readonly GpuSeries[]): GpuSeries {
  const [first, second] = all;
  if (first === undefined || second !== undefined) throw new Error(`${all.length} series`);
  return first;
}

describe('gpuSeriesOf', () => {
  it('takes the rings alone where they reach back to the beginning of the window', () => {
    const readings = readingsOf([ringOf(60, (i) => ({ smPct: i }))]);
    const series = only(gpuSeriesOf({ fromMs: 0, toMs: 59_000 }, readings, answerOf()));
    expect(series).toMatchObject({ gpu: 'GPU-0', index: 0, isSampled: true, stepMs: 1000 });
    expect(series.columns.smPct?.mean[7]).toBe(7);
  });

  it('takes the rings alone where nothing was stored before they begin', () => {
    const readings = readingsOf([ringOf(60, () => ({}), HOUR_MS - 60_000)]);
    expect(only(gpuSeriesOf(axis, readings, answerOf())).isSampled).toBe(true);
  });

  it('goes on with the rings, in buckets of the same width, where the stored past ends', () => {
    const stored = storedGpu(
      0,
      0,
      Array.from({ length: 58 }, () => [1, 2, 3] as const),
    );
    // The ring begins in the middle of minute 56: of that minute the stored bucket tells more.
    const young = ringOf(200, (i) => ({ smPct: i === 150 ? 100 : 50 }), 56.5 * 60_000);
    const series = only(gpuSeriesOf(axis, readingsOf([young]), answerOf({ gpus: [stored] })));
    expect(series).toMatchObject({ isSampled: false, stepMs: 60_000 });
    const { min, mean, max } = series.columns.smPct ?? { min: [], mean: [], max: [] };
    expect(series.atMs.length).toBe(60);
    expect(Array.from(series.atMs).slice(-2)).toEqual([58.5 * 60_000, 59.5 * 60_000]);
    expect([min[56], mean[56], max[56]]).toEqual([1, 2, 3]);
    expect([min[57], mean[57], max[57]]).toEqual([50, 50, 50]);
    expect(max[58]).toBe(50);
    expect(max[59]).toBe(100);
  });

  it('shows a card that the history does not know yet, and one that is there no more', () => {
    const old = storedGpu(1, 0, [[1, 2, 3]]);
    const readings = readingsOf([ringOf(60, () => ({}), HOUR_MS - 60_000)]);
    const series = gpuSeriesOf(axis, readings, answerOf({ gpus: [old] }));
    expect(series.map(({ gpu, index, atMs }) => [gpu, index, atMs.length])).toEqual([
      ['GPU-0', 0, 1],
      ['GPU-1', 1, 1],
    ]);
  });

  it('has the stored past of a box that says nothing', () => {
    const series = only(
      gpuSeriesOf(axis, null, answerOf({ gpus: [storedGpu(0, 0, [[1, 2, 3]])] })),
    );
    expect(series.columns.smPct?.mean[0]).toBe(2);
  });
});

describe('pointAt', () => {
  const series = only(gpuSeriesOf({ fromMs: 0, toMs: 9000 }, readingsOf([ringOf(10)]), null));

  it('finds the nearest sample, and none in a silence', () => {
    expect(pointAt(series, 4400)).toBe(4);
    expect(pointAt(series, 4600)).toBe(5);
    expect(pointAt(series, 10_500)).toBe(9);
    expect(pointAt(series, 20_000)).toBe(-1);
    expect(pointAt(series, -20_000)).toBe(-1);
  });

  it('gives no value where none is', () => {
    expect(valueAt(series, 'smPct', 4400)).toBe(70);
    expect(valueAt(series, 'smPct', 20_000)).toBeNaN();
  });
});
