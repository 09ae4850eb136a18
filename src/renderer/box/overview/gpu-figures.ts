import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import type { GpuReading } from '../../../shared/telemetry/gpu-reading.ts';
import type { Metric } from '../../../shared/telemetry/reading-ring.ts';
import { pointAt, type GpuSeries } from './gpu-series.ts';

/** What the table under the charts tells of a GPU; null: not reported. */
export type GpuFigures = Pick<GpuReading, Metric>;

/** The figures of a GPU in the past; null: it said nothing near that time. */
export function figuresAt(
  all: readonly GpuSeries[],
  index: number,
  atMs: number,
): GpuFigures | null {
  for (const series of all) {
    const point = series.index === index ? pointAt(series, atMs) : -1;
    if (point !== -1) return figuresOf(series, point);
  }
  return null;
}

function figuresOf({ columns }: GpuSeries, point: number): GpuFigures {
  return figuresFrom((metric) => columns[metric]?.mean[point] ?? NaN);
}

export interface CurrentFigures extends GpuFigures {
  readonly index: number;
}

/** What the newest cycle told, one entry for each GPU that answered in it. */
export function currentFigures({ gpus, lastAtMs }: ReadingsState): readonly CurrentFigures[] {
  return [...gpus]
    .filter(([, { ring }]) => lastAtMs !== null && ring.newestMs === lastAtMs)
    .map(([index, { ring }]) => ({ index, ...figuresFrom((metric) => ring.newest(metric)) }));
}

function figuresFrom(read: (metric: Metric) => number): GpuFigures {
  const of = (metric: Metric): number | null => {
    const value = read(metric);
    return Number.isNaN(value) ? null : value;
  };
  const heat = of('isThermallyHeld');
  return {
    smPct: of('smPct'),
    memPct: of('memPct'),
    smClockMHz: of('smClockMHz'),
    powerW: of('powerW'),
    temperatureC: of('temperatureC'),
    memoryTemperatureC: of('memoryTemperatureC'),
    memoryUsedMiB: of('memoryUsedMiB'),
    pcieRxMBps: of('pcieRxMBps'),
    pcieTxMBps: of('pcieTxMBps'),
    memoryClockMHz: of('memoryClockMHz'),
    powerViolationPct: of('powerViolationPct'),
    isThermallyHeld: heat === null ? null : heat > 0,
  };
}
