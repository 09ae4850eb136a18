import type { Series } from '../../../shared/telemetry/downsample.ts';
import type { GpuReading } from '../../../shared/telemetry/gpu-reading.ts';
import { valueOf } from '../../../shared/telemetry/reading-ring.ts';
import {
  formatDuration,
  formatNumber,
  formatQuantity,
  formatRange,
  formatShare,
  UNKNOWN,
} from '../../ui/format.ts';
import { isOverlaid, type Chart } from './chart-model.ts';
import type { TimeAxis } from './time-axis.ts';

/** What a chart's lines show at one sample, in the readings' units. */
export function valuesAt({ lines }: Chart, samples: Series, at: number): readonly Value[] {
  return lines.map(({ column }) => {
    const value = samples.columns[column]?.[at] ?? NaN;
    return Number.isNaN(value) ? null : value;
  });
}

/** The same from the newest readings. */
export function valuesNow({ lines }: Chart, readings: readonly GpuReading[]): readonly Value[] {
  return lines.map(({ gpuIndex, metric }) => {
    const reading = readings.find(({ index }) => index === gpuIndex);
    const value = reading === undefined ? NaN : valueOf(reading, metric);
    return Number.isNaN(value) ? null : value;
  });
}

type Value = number | null;

/** A chart's figures as its title shows them: `97 % · mem 61 %`, `452 of 700 W`, `31–97 %`. */
export function describeValues(chart: Chart, raw: readonly Value[]): string {
  const { kind, lines, unit, decimals, divisor, limit } = chart;
  const values = raw.map((value) => (value === null ? null : value / divisor));
  const [first = null, second = null] = values;
  if (isOverlaid(chart)) {
    const known = values.filter((value) => value !== null);
    const range = formatRange(known, unit, decimals);
    const isPartial = known.length > 0 && known.length < values.length;
    return isPartial ? `${range} (${known.length} of ${values.length})` : range;
  }
  if (kind.label !== '') {
    const written = (value: Value): string =>
      value === null ? UNKNOWN : formatNumber(value, decimals);
    const parts = lines.map(({ label }, i) => `${label} ${written(values[i] ?? null)}`);
    return `${parts.join(' · ')} ${unit}`;
  }
  const head = formatShare(first, limit, unit, decimals);
  // A second line that this card does not have at all (HBM on a T4) is no news in the title.
  return second === null
    ? head
    : `${head} · ${lines[1]?.label} ${formatQuantity(second, unit, decimals)}`;
}

/** The chart in a sentence, for those who do not see it. */
export function describeChart(chart: Chart, { fromMs, toMs }: TimeAxis): string {
  const { kind, unit, decimals, lines, rows } = chart;
  const parts = lines.map(({ key, label }) => {
    const values = rows.flatMap((row) => row[key] ?? []);
    const name = label === '' ? '' : `${label}: `;
    if (values.length === 0) return `${name}not reported`;
    const last = values.at(-1) ?? null;
    return `${name}${formatRange(values, unit, decimals)}, last ${formatQuantity(last, unit, decimals)}`;
  });
  return `${kind.longTitle}, last ${formatDuration(toMs - fromMs)}. ${parts.join('; ')}.`;
}
