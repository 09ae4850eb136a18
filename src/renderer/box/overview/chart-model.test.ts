import { describe, expect, it } from 'vitest';
import { ReadingRing } from '../../../shared/telemetry/reading-ring.ts';
import type { GpuReading } from '../../../shared/telemetry/gpu-reading.ts';
import { sampleGpu, sampleReading } from '../../fleet/fleet-entry.fixture.ts';
import {
  buildOverview,
  sampleAt,
  type Chart,
  type ShownGpus,
  type OverviewModel,
} from './chart-model.ts';
import { describeChart, describeValues, valuesAt, valuesNow } from './chart-words.ts';
import type { ChartId } from './charts.ts';
import { axisSpanMs } from './time-axis.ts';

const plain = (text: string): string => text.replace(/[\u202f\u00a0]/g, ' ');

function ringOf(count: number, partAt: (i: number) => Partial<GpuReading>): ReadingRing {
  const ring = new ReadingRing();
  for (let i = 0; i < count; i += 1) ring.push(i * 1000, sampleReading(partAt(i)));
  return ring;
}

function build(
  rings: readonly ReadingRing[],
  choice: ShownGpus = 'all',
  gpus = rings.map((_, index) => sampleGpu({ index })),
): OverviewModel {
  return buildOverview({
    past: new Map(rings.map((ring, index) => [index, { ring }])),
    gpus,
    choice,
    rangeMs: 300_000,
    toMs: 299_000,
  });
}

function chart(model: OverviewModel, id: ChartId): Chart {
  const found = model.charts.find(({ kind }) => kind.id === id);
  if (found === undefined) throw new Error(`no chart ${id}`);
  return found;
}

const titleAt = (model: OverviewModel, id: ChartId, at: number): string =>
  plain(describeValues(chart(model, id), valuesAt(chart(model, id), model.samples, at)));

describe('one GPU', () => {
  const model = build([ringOf(300, (i) => ({ smPct: i % 100, memoryTemperatureC: null }))], 0);

  it.each([
    ['sm', '42 % · mem 40 %'],
    ['clock', '1 395 of 1 410 MHz'],
    ['power', '250 of 400 W'],
    ['temperature', '55 °C'],
    ['vram', '20.0 of 80.0 GiB'],
    ['pcie', 'rx 1.20 · tx 0.30 GB/s'],
  ] as const)('titles %s with both lines and the limit', (id, expected) => {
    expect(titleAt(model, id, 42)).toBe(expected);
  });

  it('draws each sample of five minutes, and null where nothing was reported', () => {
    expect(chart(model, 'sm').rows).toHaveLength(300);
    expect(chart(model, 'sm').rows[42]).toEqual({ atMs: 42_000, smPct: 42, memPct: 40 });
    expect(chart(model, 'temperature').rows[0]).toMatchObject({ memoryTemperatureC: null });
  });

  it('keeps its limit inside the axis, and has three to five ticks', () => {
    for (const { limit, max, ticks } of model.charts) {
      expect(max).toBeGreaterThan(limit ?? 0);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
  });

  it('is described in a sentence', () => {
    expect(plain(describeChart(chart(model, 'temperature'), model))).toBe(
      'Temperature, last 5 min. 55 °C, last 55 °C; HBM: not reported.',
    );
  });

  it('writes what is unknown as unknown', () => {
    const mig = build([ringOf(10, () => ({ smPct: null, memPct: null, pcieRxMBps: null }))], 0, []);
    expect(titleAt(mig, 'sm', 0)).toBe('unknown');
    expect(titleAt(mig, 'pcie', 0)).toBe('rx unknown · tx 300 MB/s');
    expect(titleAt(mig, 'power', 0)).toBe('250 W');
    expect(chart(mig, 'power').limit).toBeNull();
  });
});

describe('several GPUs', () => {
  const model = build([
    ringOf(300, () => ({ smPct: 31 })),
    ringOf(300, () => ({ index: 1, smPct: 97 })),
  ]);

  it('lays one line per GPU over each other and titles with the range', () => {
    expect(chart(model, 'sm').lines.map(({ label }) => label)).toEqual(['GPU 0', 'GPU 1']);
    expect(titleAt(model, 'sm', 5)).toBe('31–97 %');
    expect(chart(model, 'power').limit).toBe(400);
  });

  it('says of how many GPUs a range speaks when one is silent', () => {
    const readings = [sampleReading({ smPct: 31 }), sampleReading({ index: 1, smPct: null })];
    const sm = chart(model, 'sm');
    expect(plain(describeValues(sm, valuesNow(sm, readings)))).toBe('31 % (1 of 2)');
    expect(describeValues(sm, valuesNow(sm, []))).toBe('unknown');
  });

  it('draws no common limit where the cards differ', () => {
    const gpus = [sampleGpu(), sampleGpu({ index: 1, powerLimitW: 500 })];
    const mixed = build([ringOf(9, () => ({})), ringOf(9, () => ({ index: 1 }))], 'all', gpus);
    expect(chart(mixed, 'power').limit).toBeNull();
    expect(chart(mixed, 'power').max).toBeGreaterThan(500);
  });

  it('shows one of them alone when it is chosen', () => {
    const rings = [ringOf(9, () => ({})), ringOf(9, () => ({ index: 1, smPct: 97 }))];
    expect(titleAt(build(rings, 1), 'sm', 5)).toBe('97 % · mem 40 %');
  });
});

describe('axisSpanMs', () => {
  it.each([
    [0, 900, 60],
    [61, 900, 120],
    [200, 900, 300],
    [700, 900, 900],
    [900, 900, 900],
    [2000, 900, 900],
    [700, 300, 300],
  ])('gives %d s of history, of at most %d s, an axis of %d s', (history, range, expected) => {
    expect(axisSpanMs(history * 1000, range * 1000)).toBe(expected * 1000);
  });

  it('lets a young box fill the width', () => {
    const model = build([ringOf(20, () => ({}))]);
    const young = buildOverview({
      past: new Map([[0, { ring: ringOf(20, () => ({})) }]]),
      gpus: null,
      choice: 0,
      rangeMs: 900_000,
      toMs: 19_000,
    });
    expect(young.toMs - young.fromMs).toBe(60_000);
    expect(model.toMs - model.fromMs).toBe(300_000);
  });
});

describe('sampleAt', () => {
  const model = build([ringOf(10, () => ({}))], 0);
  it('finds the nearest sample, and none in a silence', () => {
    expect(model.stepMs).toBe(1000);
    expect(sampleAt(model, 4400)).toBe(4);
    expect(sampleAt(model, 10_500)).toBe(9);
    expect(sampleAt(model, 20_000)).toBe(-1);
  });
});

it('draws an empty history as empty charts', () => {
  const model = build([]);
  expect(model.charts.every(({ rows, lines }) => rows.length === 0 && lines.length === 0)).toBe(
    true,
  );
});
