import { memo, useMemo } from 'react';
import { formatMoney } from '../../../shared/money.ts';
import { Chart, type ChartPoint, type ChartSeries } from '../../ui/chart/chart.tsx';
import { sumOf, type SpendBar, type SpendChart } from './spend-chart.ts';
import { describeSpend, formatDay } from './spend-words.ts';

const HEIGHT_PX = 220;
/** A chart of costs has at most as many parts as there are looks. */
const LOOKS = [0, 1, 2, 3, 4, 5] as const;

/** The bars as a picture; the same is in words and in the table. Kept: the page around it is drawn with each tick of the meter. */
export const SpendBars = memo(function SpendBars({ chart }: { readonly chart: SpendChart }) {
  const { currency } = chart;
  const points = useMemo(() => chart.bars.map((bar) => pointOf(bar, chart)), [chart]);
  const series = useMemo(() => seriesOf(chart), [chart]);
  return (
    <Chart
      summary={describeSpend(chart)}
      points={points}
      series={series}
      heightPx={HEIGHT_PX}
      formatValue={(micros) => formatMoney({ micros, currency })}
      formatAt={formatDay}
    />
  );
});

function seriesOf({ parts, bars }: SpendChart): readonly ChartSeries[] {
  const known = parts.map(({ id, label }, i): ChartSeries => ({
    id,
    label,
    shape: 'bar',
    look: LOOKS[i] ?? 'unseen',
  }));
  if (bars.every(({ atMostMicros }) => atMostMicros === 0)) return known;
  return [...known, { id: 'at-most', label: 'at most, not metered', shape: 'bar', look: 'unseen' }];
}

function pointOf(bar: SpendBar, { parts, currency }: SpendChart): ChartPoint {
  const money = (micros: number): string => formatMoney({ micros, currency });
  const { fromMs, micros, atMostMicros } = bar;
  return {
    at: fromMs,
    values: [...micros, atMostMicros],
    title: `${formatDay(fromMs)}: ${money(sumOf(micros))}`,
    lines: [
      ...parts.flatMap(({ label }, i) => {
        const part = micros[i] ?? 0;
        return part > 0 ? [`${label} ${money(part)}`] : [];
      }),
      ...(atMostMicros > 0 ? [`at most ${money(atMostMicros)} more`] : []),
    ],
  };
}
