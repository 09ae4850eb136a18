import { describe, expect, it } from 'vitest';
import { UNTOLD_DETAILS } from '../../../shared/telemetry/gpu-facts.ts';
import { sampleGpu, sampleReading } from '../../fleet/fleet-entry.fixture.ts';
import { valuesAt, type Chart } from './chart-model.ts';
import { describeValues, valuesNow } from './chart-words.ts';
import type { ChartId } from './charts.ts';
import type { OverviewModel } from './overview-model.ts';
import { answerOf, modelOf, ringOf, storedGpu } from './series.fixture.ts';

const plain = (text: string): string => text.replace(/[\u202f\u00a0]/g, ' ');

function chart(model: OverviewModel, id: ChartId): Chart {
  const found = model.charts.find(({ kind }) => kind.id === id);
  if (found === undefined) throw new Error(`no chart ${id}`);
  return found;
}

const titleAt = (model: OverviewModel, id: ChartId, atMs: number): string =>
  plain(describeValues(chart(model, id), valuesAt(chart(model, id), atMs)));

describe('one GPU', () => {
  const model = modelOf([ringOf(300, (i) => ({ smPct: i % 100, memoryTemperatureC: null }))], 0);

  it.each([
    ['sm', '42 % · mem 40 %'],
    ['clock', '1 395 of 1 410 MHz'],
    ['power', '250 of 400 W'],
    ['temperature', '55 °C'],
    ['vram', '20.0 of 80.0 GiB'],
    ['pcie', 'rx 1.20 · tx 0.30 GB/s'],
  ] as const)('titles %s with both lines and the limit', (id, expected) => {
    expect(titleAt(model, id, 42_000)).toBe(expected);
  });

  it('draws each sample of five minutes, without an envelope, and nothing where nothing was reported', () => {
    const [sm, mem] = chart(model, 'sm').lines;
    expect(sm?.values).toHaveLength(300);
    expect([sm?.atMs[42], sm?.values[42], mem?.values[42]]).toEqual([42_000, 42, 40]);
    expect(sm?.envelope).toBeNull();
    expect(chart(model, 'temperature').lines[1]?.values.every(Number.isNaN)).toBe(true);
  });

  it('keeps its limit inside the axis, and has three to five ticks', () => {
    for (const { limit, max, ticks } of model.charts) {
      expect(max).toBeGreaterThan(limit?.value ?? 0);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
  });

  it('writes what is unknown as unknown', () => {
    const silent = { smPct: null, memPct: null, pcieRxMBps: null };
    const mig = modelOf([ringOf(10, () => silent)], 0, { cards: { gpus: [], details: null } });
    expect(titleAt(mig, 'sm', 0)).toBe('not reported');
    expect(titleAt(mig, 'pcie', 0)).toBe('rx not reported · tx 300 MB/s');
    const gone = modelOf([ringOf(10, () => ({ ...silent, pcieTxMBps: null }))], 0);
    expect(titleAt(gone, 'pcie', 0)).toBe('not reported');
    expect(titleAt(mig, 'power', 0)).toBe('250 W');
    expect(chart(mig, 'power').limit).toBeNull();
  });

  it.each([
    [{ slowdownTemperatureC: 89, maxOperatingTemperatureC: 83 }, 'slows down at', 89],
    [{ maxOperatingTemperatureC: 83 }, 'slows down above', 83],
    [{ temperatureC: 50, temperatureMarginC: 37 }, 'slows down above', 87],
  ])('marks the heat at which the card slows down: %j', (told, label, value) => {
    const details = [{ ...UNTOLD_DETAILS, ...sampleGpu(), ...told }];
    const known = modelOf([ringOf(10)], 0, { cards: { gpus: [sampleGpu()], details } });
    expect(chart(known, 'temperature').limit).toEqual({ label, value });
    expect(titleAt(known, 'temperature', 0)).toBe('55 °C · HBM 60 °C');
  });
});

describe('a spike', () => {
  const axis = { fromMs: 0, toMs: 899_000 };

  it('of one second survives in 15 minutes of samples, at most 300 points', () => {
    const model = modelOf([ringOf(900, (i) => ({ powerW: i === 451 ? 698 : 250 }))], 0, { axis });
    const [power] = chart(model, 'power').lines;
    expect(power?.values.length).toBeLessThanOrEqual(300);
    expect(Math.max(...(power?.values ?? []))).toBe(698);
  });

  it('survives in a month of minutes as the edge of the envelope', () => {
    const gpus = [storedGpu(0, 0, [[10, 20, 30], [5, 21, 99], [10, 20, 30]])]; // oxfmt-ignore
    const model = modelOf([], 0, {
      axis: { fromMs: 0, toMs: 180_000 },
      answer: answerOf({ gpus }),
    });
    const [sm] = chart(model, 'sm').lines;
    expect(sm?.values).toEqual([20, 21, 20]);
    expect(sm?.envelope).toEqual({ min: [10, 5, 10], max: [30, 99, 30] });
    expect(sm?.atMs).toEqual([30_000, 90_000, 150_000]);
  });
});

describe('several GPUs', () => {
  const two = [ringOf(300, () => ({ smPct: 31 })), ringOf(300, () => ({ index: 1, smPct: 97 }))];
  const model = modelOf(two);

  it('lays one line per GPU over each other and titles with the range', () => {
    expect(chart(model, 'sm').lines.map(({ label }) => label)).toEqual(['GPU 0', 'GPU 1']);
    expect(titleAt(model, 'sm', 5000)).toBe('31–97 %');
    expect(chart(model, 'power').limit).toEqual({ label: 'limit', value: 400 });
  });

  it('says of how many GPUs a range speaks when one is silent', () => {
    const readings = [sampleReading({ smPct: 31 }), sampleReading({ index: 1, smPct: null })];
    const sm = chart(model, 'sm');
    expect(plain(describeValues(sm, valuesNow(sm, readings)))).toBe('31 % (1 of 2)');
    expect(describeValues(sm, valuesNow(sm, []))).toBe('not reported');
  });

  it('draws no common limit where the cards differ', () => {
    const gpus = [sampleGpu(), sampleGpu({ index: 1, powerLimitW: 500 })];
    const mixed = modelOf(two, 'all', { cards: { gpus, details: null } });
    expect(chart(mixed, 'power').limit).toBeNull();
    expect(chart(mixed, 'power').max).toBeGreaterThan(500);
  });

  it('shows one of them alone when it is chosen', () => {
    expect(titleAt(modelOf(two, 1), 'sm', 5000)).toBe('97 % · mem 40 %');
  });
});

it('draws an empty history as empty charts', () => {
  const model = modelOf([]);
  expect(model.charts).toHaveLength(6);
  expect(model.charts.every(({ lines }) => lines.length === 0)).toBe(true);
});
