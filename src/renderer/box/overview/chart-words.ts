import { valueOf } from '../../../shared/telemetry/reading-ring.ts';
import {
  formatNumber,
  formatQuantity,
  formatRange,
  formatShare,
  UNKNOWN,
} from '../../ui/format.ts';
import type { Chart } from './chart-model.ts';
import type { CurrentFigures } from './gpu-figures.ts';

type Value = number | null;

/** What a chart's lines show right now, in the shown unit. */
export function valuesNow(
  { lines, divisor }: Chart,
  readings: readonly CurrentFigures[],
): readonly Value[] {
  return lines.map(({ series, metric }) => {
    const reading = readings.find(({ index }) => index === series.index);
    const value = reading === undefined ? NaN : valueOf(reading, metric);
    return Number.isNaN(value) ? null : value / divisor;
  });
}

/** A chart's figures as its title shows them: `97 % · mem 61 %`, `452 of 700 W`, `31–97 %`. */
export function describeValues(chart: Chart, values: readonly Value[]): string {
  const { kind, lines, unit, decimals, limit } = chart;
  const [first = null, second = null] = values;
  if (chart.isOverlaid) {
    const known = values.filter((value) => value !== null);
    const range = formatRange(known, unit, decimals);
    const isPartial = known.length > 0 && known.length < values.length;
    return isPartial ? `${range} (${known.length} of ${values.length})` : range;
  }
  if (values.every((value) => value === null)) return UNKNOWN;
  if (kind.label !== '') {
    const written = (value: Value): string =>
      value === null ? UNKNOWN : formatNumber(value, decimals);
    const parts = lines.map(({ label }, i) => `${label} ${written(values[i] ?? null)}`);
    return `${parts.join(' · ')} ${unit}`;
  }
  // A slowdown temperature is a mark, not a whole of which the figure is a part.
  const whole = kind.id === 'temperature' ? null : (limit?.value ?? null);
  const head = formatShare(first, whole, unit, decimals);
  // A second line that this card does not have at all (HBM on a T4) is no news in the title.
  return second === null
    ? head
    : `${head} · ${lines[1]?.label} ${formatQuantity(second, unit, decimals)}`;
}
