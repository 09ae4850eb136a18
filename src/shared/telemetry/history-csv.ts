import { isoUtc } from '../iso-time.ts';
import { csvText } from '../csv-text.ts';
import type { GpuKey } from './gpu-facts.ts';
import type { HistoryTier } from './history.ts';
import type { TierColumns } from './history-points.ts';
import type { Metric } from './reading-ring.ts';

/** One GPU's stored points of a range. */
export interface GpuPoints {
  readonly gpu: GpuKey;
  readonly index: number | null;
  readonly points: TierColumns;
}

const SIDES = ['min', 'mean', 'max'] as const;

/** The finest tier has single samples; in all others each metric takes three columns. */
export function csvHeader(metrics: readonly Metric[], tier: HistoryTier): string {
  const columns = metrics.flatMap((metric) =>
    tier === '1s' ? [metric] : SIDES.map((side) => `${metric}_${side}`),
  );
  return `time,time_ms,gpu,gpu_index,${columns.join(',')}\r\n`;
}

/** One line per point of a GPU. What was not reported is an empty cell, never 0. */
export function* csvLines(
  { gpu, index, points }: GpuPoints,
  metrics: readonly Metric[],
  tier: HistoryTier,
): Generator<string, void> {
  const start = `${csvText(gpu)},${index === null ? '' : String(index)}`;
  const sides = tier === '1s' ? (['mean'] as const) : SIDES;
  for (let i = 0; i < points.atMs.length; i += 1) {
    const at = Math.round(points.atMs[i] ?? NaN);
    const cells = metrics.flatMap((metric) =>
      sides.map((side) => csvFigure(points.columns[metric]?.[side][i])),
    );
    yield `${isoUtc(at)},${String(at)},${start},${cells.join(',')}\r\n`;
  }
}

function csvFigure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return String(Math.round(value * 1000) / 1000);
}
