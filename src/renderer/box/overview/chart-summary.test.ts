import { describe, expect, it } from 'vitest';
import type { Chart } from './chart-model.ts';
import { figuresOf, summariseChart } from './chart-summary.ts';
import type { ChartId } from './charts.ts';
import type { OverviewModel } from './overview-model.ts';
import { modelOf, readingsOf, ringOf } from './series.fixture.ts';
import { valuesText } from './values-text.ts';

const plain = (text: string): string => text.replace(/[\u202f\u00a0]/g, ' ');
const chart = (model: OverviewModel, id: ChartId): Chart =>
  model.charts.find(({ kind }) => kind.id === id) as Chart;
const words = (model: OverviewModel, id: ChartId): string =>
  plain(summariseChart(chart(model, id), model));

describe('summariseChart', () => {
  it('tells range, mean, last value and trend of each line', () => {
    const model = modelOf([ringOf(300, (i) => ({ smPct: i < 150 ? 20 : 80, memPct: null }))], 0);
    expect(words(model, 'sm')).toBe(
      'SM utilisation, last 5 min. 20–80 %, mean 50 %, last 80 %, rising. Mem: not reported.',
    );
  });

  it('tells of several GPUs which ones are the lowest and the highest', () => {
    const rings = [20, 50, 80].map((smPct, index) => ringOf(300, () => ({ index, smPct })));
    expect(words(modelOf(rings), 'sm')).toBe(
      'SM utilisation, last 5 min. 3 GPUs: 20–80 %, mean 50 %. Lowest mean GPU 0 (20), highest GPU 2 (80).',
    );
  });

  it('tells for how long and by what the clock was held, and what is missing', () => {
    const rings = [ringOf(200)];
    const throttle = [{ fromMs: 60_000, toMs: 180_000, bits: 0x80 }];
    const readings = readingsOf(rings, throttle);
    const model = modelOf(rings, 0, { readings, silentBecause: 'the connection is down' });
    expect(words(model, 'clock')).toBe(
      'SM clock, last 5 min. 1 395 MHz, mean 1 395 MHz, last 1 395 MHz, steady. ' +
        'Clock held: power brake for 2 min. No readings for 1 min: the connection is down.',
    );
    expect(words(model, 'vram')).not.toContain('held');
  });

  it('has no figures of a line that was never reported', () => {
    const model = modelOf([ringOf(10, () => ({ powerW: null }))], 0);
    const power = chart(model, 'power');
    expect(power.lines.map((line) => figuresOf(line, power, model.axis))).toEqual([null]);
    expect(words(model, 'power')).toContain('Not reported');
  });
});

describe('valuesText', () => {
  const model = modelOf([ringOf(300, (i) => ({ smPct: i % 100, memoryTemperatureC: null }))], 0);

  it('is a table of the moment at the cursor', () => {
    const [head, ...rows] = valuesText(model, 'train-a', 0.5).split('\n');
    expect(head).toBe('train-a, 1970-01-01T00:02:29.000Z');
    expect(rows).toEqual([
      'SM\t49\t%',
      'SM mem\t40\t%',
      'SM clock\t1395\tMHz',
      'Power\t250\tW',
      'Temperature\t55\t°C',
      'Temperature HBM\tnot reported\t°C',
      'VRAM\t20.0\tGiB',
      'PCIe rx\t1.20\tGB/s',
      'PCIe tx\t0.30\tGB/s',
    ]);
  });

  it('is the summary of the window without a cursor', () => {
    const lines = valuesText(model, 'train-a', null).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(/^SM utilisation, last 5 min\. 0–99 %, mean 50 %/);
  });
});
