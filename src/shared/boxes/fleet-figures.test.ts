import { describe, expect, it } from 'vitest';
import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { GpuFacts } from '../telemetry/gpu-facts.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { judgeLoad } from '../telemetry/box-load.ts';
import { foldReadings, type LatestFigures } from '../telemetry/latest-figures.ts';
import { readFigures, sumFleet } from './fleet-figures.ts';

const NOW = 10_000;
const reading = (part: Partial<GpuReading>): GpuReading =>
  ({
    smPct: null,
    smClockMHz: null,
    powerW: null,
    memoryUsedMiB: null,
    temperatureC: null,
    ...part,
  }) as GpuReading;
const gpu = (powerLimitW: number | null): GpuFacts =>
  ({ powerLimitW, memoryTotalMiB: 1000 }) as GpuFacts;

interface Known {
  readonly entry: FleetEntry;
  readonly latest: LatestFigures | undefined;
}

let boxes = 0;
function entry(readings: readonly GpuReading[] | null, gpus: readonly GpuFacts[] | null): Known {
  const latest = readings === null ? undefined : foldReadings(NOW, readings);
  const known = {
    box: { id: String((boxes += 1)), platform: 'generic-ssh' },
    link: { kind: 'up', sinceMs: 0, latencyMs: 1 },
    gpus,
    load: latest === undefined ? null : judgeLoad(latest),
  } as unknown as FleetEntry;
  return { entry: known, latest };
}

const read = ({ entry: known, latest }: Known) => readFigures(known, latest);

function sum(...all: readonly Known[]) {
  const newest = all.flatMap(({ entry: { box }, latest }) =>
    latest === undefined ? [] : [[box.id, latest] as const],
  );
  return sumFleet(
    all.map(({ entry: known }) => known),
    new Map(newest),
  );
}

const two = entry(
  [
    reading({ smPct: 100, smClockMHz: 1980, powerW: 600, memoryUsedMiB: 300, temperatureC: 61 }),
    reading({ smPct: 50, smClockMHz: 1200, powerW: 400, memoryUsedMiB: 100, temperatureC: 84 }),
  ],
  [gpu(700), gpu(700)],
);
const without = ({ entry: known, latest }: Known, part: Partial<FleetEntry>): Known => ({
  entry: { ...known, gpus: null, ...part },
  latest,
});
const silent = entry([reading({}), reading({})], null);

describe('readFigures', () => {
  it('gives the mean load, the slowest clock, the sums and the hottest card', () => {
    expect(read(two)).toEqual({
      smPct: 75,
      smClockMHz: 1200,
      powerW: 1000,
      powerLimitW: 1400,
      memoryUsedMiB: 400,
      memoryTotalMiB: 2000,
      temperatureC: 84,
    });
  });

  it.each([
    ['that reports nothing', silent],
    ['whose readings are old', without(two, { load: { kind: 'stale', seenAtMs: NOW } })],
    ['whose link is lost', without(two, { link: { kind: 'idle' } })],
    ['that was moved to another place', without(two, { load: null })],
    ['whose figures were not told yet', { ...without(two, {}), latest: undefined }],
    ['without a GPU', entry([], [])],
  ])('knows nothing of a box %s, and 0 of none', (_which, of) => {
    expect(Object.values(read(of))).toEqual(Array.from({ length: 7 }, () => null));
  });

  it('gives no sum where one card does not report', () => {
    const part = entry([reading({ powerW: 500 }), reading({})], [gpu(700), gpu(null)]);
    expect(read(part)).toMatchObject({ powerW: null, powerLimitW: null });
  });
});

describe('sumFleet', () => {
  it('counts what is unknown as unknown, beside the sum of what is known', () => {
    expect(sum(two, silent, two)).toEqual({
      boxes: 3,
      gpus: 4,
      boxesWithUnknownGpus: 1,
      smPct: 75,
      power: { value: 2000, limit: 2800, unknown: 1 },
      memory: { value: 800, limit: 4000, unknown: 1 },
      temperatureC: 84,
    });
  });

  it('weighs the load by cards, and has nothing to say of nothing', () => {
    const one = entry([reading({ smPct: 0 })], null);
    expect(sum(two, one).smPct).toBe(50);
    expect(sum(silent)).toMatchObject({ smPct: null, power: null, memory: null });
    expect(sum()).toMatchObject({ boxes: 0, gpus: 0, smPct: null, temperatureC: null });
  });
});
