import { describe, expect, it } from 'vitest';
import { csvHeader, csvLines } from './history-csv.ts';

const points = (values: readonly number[]) => ({
  atMs: values.map((_, i) => 1_763_697_600_000 + i * 1000),
  counts: null,
  columns: { smPct: { min: values, mean: values, max: values } },
});

describe('csvLines', () => {
  it('writes single samples as they are, and what was not reported as nothing', () => {
    const lines = csvLines({ gpu: 'GPU-a', index: 0, points: points([5, NaN]) }, ['smPct'], '1s');
    expect([csvHeader(['smPct'], '1s'), ...lines]).toEqual([
      'time,time_ms,gpu,gpu_index,smPct\r\n',
      '2025-11-21T04:00:00.000Z,1763697600000,"GPU-a",0,5\r\n',
      '2025-11-21T04:00:01.000Z,1763697601000,"GPU-a",0,\r\n',
    ]);
  });

  it('writes lowest, mean and highest of a step', () => {
    expect(csvHeader(['smPct'], '1min')).toContain('smPct_min,smPct_mean,smPct_max');
    const [line] = csvLines({ gpu: '#0', index: null, points: points([5]) }, ['smPct'], '1min');
    expect(line).toMatch(/,"#0",,5,5,5\r\n$/);
  });

  it.each(['=HYPERLINK("http://x")', '+1', '-1', '@x'])(
    'gives a spreadsheet no formula that a box made up: %s',
    (gpu) => {
      const [line] = csvLines({ gpu, index: 0, points: points([5]) }, ['smPct'], '1s');
      expect(line).toContain(`"'${gpu.replaceAll('"', '""')}"`);
    },
  );
});
