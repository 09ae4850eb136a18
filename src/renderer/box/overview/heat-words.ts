import type { Metric } from '../../../shared/telemetry/reading-ring.ts';
import { formatRange } from '../../ui/format.ts';
import { gpuLabel } from './chart-model.ts';
import { describeSpan } from './chart-summary.ts';
import type { HeatChart } from './heat-model.ts';
import type { GpuSeries } from './gpu-series.ts';
import type { OverviewModel } from './overview-model.ts';
import type { TimeAxis } from './time-axis.ts';

/** The strip in sentences: the range of each GPU. */
export function summariseHeat({ kind, rows }: HeatChart, model: OverviewModel): string {
  const parts = rows.map(({ series }) => {
    const values = extremesIn(series, kind.metric, model.axis).map((value) => value / kind.divisor);
    const range =
      values.length === 0 ? 'not reported' : formatRange(values, kind.unit, kind.decimals);
    return `${gpuLabel(series.index)}: ${range}`;
  });
  return `${kind.longTitle} of each GPU, ${describeSpan(model)}. ${parts.join('; ')}.`;
}

function extremesIn(
  { atMs, columns }: GpuSeries,
  metric: Metric,
  { fromMs, toMs }: TimeAxis,
): readonly number[] {
  const column = columns[metric];
  const found: number[] = [];
  for (let i = 0; i < atMs.length; i += 1) {
    const at = atMs[i] ?? NaN;
    const [low, high] = [column?.min[i] ?? NaN, column?.max[i] ?? NaN];
    if (at >= fromMs && at <= toMs && !Number.isNaN(low)) found.push(low, high);
  }
  return found;
}
