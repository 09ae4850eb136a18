import type { GpuReading } from './gpu-reading.ts';

/**
 * What the cards of a box showed last, over all of them: all that a list of boxes says of a sample. The rows themselves go
 * out once, on the box's own stream. Null: unknown, never 0.
 */
export interface LatestFigures {
  readonly atMs: number;
  /** So many were in the sample, */
  readonly cards: number;
  /** so many of them worked, and so many did not report their load. */
  readonly working: number;
  readonly unreported: number;
  /** The mean over those that report. */
  readonly smPct: number | null;
  /** The lowest: a job waits for its slowest card. */
  readonly smClockMHz: number | null;
  /** A sum is null unless every card reports: part of a sum reads like the whole. */
  readonly powerW: number | null;
  readonly memoryUsedMiB: number | null;
  /** The hottest. */
  readonly temperatureC: number | null;
}

export function foldReadings(atMs: number, readings: readonly GpuReading[]): LatestFigures {
  const loads = reported(readings, 'smPct');
  const clocks = reported(readings, 'smClockMHz');
  const temperatures = reported(readings, 'temperatureC');
  return {
    atMs,
    cards: readings.length,
    working: loads.filter((load) => load > 0).length,
    unreported: readings.length - loads.length,
    smPct: loads.length === 0 ? null : sum(loads) / loads.length,
    smClockMHz: clocks.length === 0 ? null : Math.min(...clocks),
    powerW: sumOf(readings, 'powerW'),
    memoryUsedMiB: sumOf(readings, 'memoryUsedMiB'),
    temperatureC: temperatures.length === 0 ? null : Math.max(...temperatures),
  };
}

type Folded = 'smPct' | 'smClockMHz' | 'powerW' | 'memoryUsedMiB' | 'temperatureC';

/** The values that were reported; the others are left out, not counted as 0. */
function reported(readings: readonly GpuReading[], field: Folded): readonly number[] {
  return readings.flatMap((reading) => reading[field] ?? []);
}

function sumOf(readings: readonly GpuReading[], field: Folded): number | null {
  const values = reported(readings, field);
  return values.length === 0 || values.length < readings.length ? null : sum(values);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
