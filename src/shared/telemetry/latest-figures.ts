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
  const cards = readings.length;
  const load = overCards(readings, 'smPct');
  const clock = overCards(readings, 'smClockMHz');
  const power = overCards(readings, 'powerW');
  const memory = overCards(readings, 'memoryUsedMiB');
  const temperature = overCards(readings, 'temperatureC');
  return {
    atMs,
    cards,
    working: load.above0,
    unreported: cards - load.count,
    smPct: load.count === 0 ? null : load.sum / load.count,
    smClockMHz: clock.count === 0 ? null : clock.min,
    powerW: cards > 0 && power.count === cards ? power.sum : null,
    memoryUsedMiB: cards > 0 && memory.count === cards ? memory.sum : null,
    temperatureC: temperature.count === 0 ? null : temperature.max,
  };
}

type Folded = 'smPct' | 'smClockMHz' | 'powerW' | 'memoryUsedMiB' | 'temperatureC';

/** One figure over the cards that reported it; the others are left out, not counted as 0. */
interface OverCards {
  count: number;
  above0: number;
  sum: number;
  min: number;
  max: number;
}

/** A loop and no lists: each box asks for five figures each second. */
function overCards(readings: readonly GpuReading[], field: Folded): OverCards {
  const over = { count: 0, above0: 0, sum: 0, min: Infinity, max: -Infinity };
  for (const reading of readings) {
    const value = reading[field];
    if (value === null) continue;
    over.count += 1;
    if (value > 0) over.above0 += 1;
    over.sum += value;
    over.min = Math.min(over.min, value);
    over.max = Math.max(over.max, value);
  }
  return over;
}
