import type { FleetEntry } from '../streams/fleet-stream.ts';
import {
  maxOf,
  meanOf,
  readCurrent,
  reported,
  sumOf,
  sumOrNull,
} from '../telemetry/current-figures.ts';

/** One box's present in one number each, over all its cards; null: unknown. */
export interface FleetFigures {
  /** The mean. */
  readonly smPct: number | null;
  /** The lowest: a job waits for its slowest card. */
  readonly smClockMHz: number | null;
  readonly powerW: number | null;
  readonly powerLimitW: number | null;
  readonly memoryUsedMiB: number | null;
  readonly memoryTotalMiB: number | null;
  /** The hottest. */
  readonly temperatureC: number | null;
}

export function readFigures(entry: FleetEntry, nowMs: number): FleetFigures {
  const current = readCurrent(entry, nowMs) ?? [];
  const gpus = entry.gpus ?? [];
  const clocks = reported(current, 'smClockMHz');
  return {
    smPct: meanOf(current, 'smPct'),
    smClockMHz: clocks.length === 0 ? null : Math.min(...clocks),
    powerW: sumOf(current, 'powerW'),
    powerLimitW: sumOrNull(gpus.map((gpu) => gpu.powerLimitW)),
    memoryUsedMiB: sumOf(current, 'memoryUsedMiB'),
    memoryTotalMiB: sumOrNull(gpus.map((gpu) => gpu.memoryTotalMiB)),
    temperatureC: maxOf(current, 'temperatureC'),
  };
}

/** Of several boxes; `unknown` of them reported nothing, and are in no sum. */
export interface FleetSum {
  readonly value: number;
  /** Of the boxes in `value`; null: one of them has a limit that is unknown. */
  readonly limit: number | null;
  readonly unknown: number;
}

export interface FleetTotals {
  readonly boxes: number;
  /** Cards of the boxes that told how many they have. */
  readonly gpus: number;
  readonly boxesWithUnknownGpus: number;
  /** The mean over boxes, each weighing as much as it has cards. */
  readonly smPct: number | null;
  readonly power: FleetSum | null;
  readonly memory: FleetSum | null;
  readonly temperatureC: number | null;
}

export function sumFleet(entries: readonly FleetEntry[], nowMs: number): FleetTotals {
  const all = entries.map((entry) => ({ entry, figures: readFigures(entry, nowMs) }));
  const loads = all.flatMap(({ entry, figures: { smPct } }) =>
    smPct === null ? [] : [{ smPct, weight: Math.max(1, entry.latest?.readings.length ?? 1) }],
  );
  const weight = loads.reduce((sum, load) => sum + load.weight, 0);
  const temperatures = all.flatMap(({ figures: { temperatureC } }) => temperatureC ?? []);
  const withGpus = entries.flatMap(({ gpus }) => (gpus === null ? [] : [gpus.length]));
  return {
    boxes: entries.length,
    gpus: withGpus.reduce((sum, count) => sum + count, 0),
    boxesWithUnknownGpus: entries.length - withGpus.length,
    smPct:
      weight === 0 ? null : loads.reduce((sum, load) => sum + load.smPct * load.weight, 0) / weight,
    power: sumUp(all.map(({ figures }) => [figures.powerW, figures.powerLimitW])),
    memory: sumUp(all.map(({ figures }) => [figures.memoryUsedMiB, figures.memoryTotalMiB])),
    temperatureC: temperatures.length === 0 ? null : Math.max(...temperatures),
  };
}

type Pair = readonly [value: number | null, limit: number | null];

function sumUp(pairs: readonly Pair[]): FleetSum | null {
  const known = pairs.filter(([value]) => value !== null);
  if (known.length === 0) return null;
  return {
    value: known.reduce((sum, [value]) => sum + (value ?? 0), 0),
    limit: sumOrNull(known.map(([, limit]) => limit)),
    unknown: pairs.length - known.length,
  };
}
