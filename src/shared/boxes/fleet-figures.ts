import { isInSums } from '../demo/demo-platform.ts';
import type { FleetEntry } from '../streams/fleet-stream.ts';
import { readCurrent } from '../telemetry/current-figures.ts';
import type { LatestFigures } from '../telemetry/latest-figures.ts';

/** One box's present in one number each, over all its cards; null: unknown. */
export interface FleetFigures extends Pick<
  LatestFigures,
  'smPct' | 'smClockMHz' | 'powerW' | 'memoryUsedMiB' | 'temperatureC'
> {
  readonly powerLimitW: number | null;
  readonly memoryTotalMiB: number | null;
}

export function readFigures(entry: FleetEntry, latest: LatestFigures | undefined): FleetFigures {
  const current = readCurrent(entry, latest);
  const gpus = entry.gpus ?? [];
  return {
    smPct: current?.smPct ?? null,
    smClockMHz: current?.smClockMHz ?? null,
    powerW: current?.powerW ?? null,
    powerLimitW: sumOrNull(gpus.map((gpu) => gpu.powerLimitW)),
    memoryUsedMiB: current?.memoryUsedMiB ?? null,
    memoryTotalMiB: sumOrNull(gpus.map((gpu) => gpu.memoryTotalMiB)),
    temperatureC: current?.temperatureC ?? null,
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

/** `newest`: the figures of each box by its id. */
export function sumFleet(
  listed: readonly FleetEntry[],
  newest: ReadonlyMap<string, LatestFigures>,
): FleetTotals {
  const entries = listed.filter(({ box }) => isInSums(box));
  const all = entries.map((entry) => {
    const latest = newest.get(entry.box.id);
    return { figures: readFigures(entry, latest), cards: latest?.cards ?? 1 };
  });
  const loads = all.flatMap(({ figures: { smPct }, cards }) =>
    smPct === null ? [] : [{ smPct, weight: Math.max(1, cards) }],
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

/** Adds up a fact of each; null when one is unknown. */
function sumOrNull(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return values.length === 0 ? null : total;
}
