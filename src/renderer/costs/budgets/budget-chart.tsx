import { useMemo } from 'react';
import { atThisPace, type BudgetCourse } from '../../../shared/meter/budget-course.ts';
import type { Budget } from '../../../shared/meter/price-entries.ts';
import { formatMoney } from '../../../shared/money.ts';
import { Chart, type ChartPoint, type ChartSeries } from '../../ui/chart/chart.tsx';
import { formatDay } from '../chart/spend-words.ts';

const HEIGHT_PX = 150;
const SERIES: readonly ChartSeries[] = [
  { id: 'spent', label: 'spent', shape: 'line', look: 0 },
  { id: 'pace', label: 'at this pace', shape: 'line', look: 0, stroke: 1 },
];

const formatHour = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeStyle: 'short' });

interface BudgetChartProps {
  readonly name: string;
  readonly budget: Pick<Budget, 'per' | 'limit'>;
  readonly course: BudgetCourse;
}

/** What was spent of a budget since its day or month began, and where that leads. */
export function BudgetChart({ name, budget: { per, limit }, course }: BudgetChartProps) {
  const { currency } = limit;
  const money = (micros: number): string => formatMoney({ micros, currency });
  const formatAt = per === 'day' ? formatHour : formatDay;
  const pace = atThisPace(course);
  const points = useMemo((): readonly ChartPoint[] => {
    const last = course.bounds.length - 1;
    return course.bounds.map((at, i) => {
      const spent = course.spentMicros[i] ?? null;
      const ahead = i === last ? pace : i === last - 1 ? spent : null;
      const micros = spent ?? ahead;
      const words = micros === null ? 'not known' : formatMoney({ micros, currency });
      return {
        at,
        values: [spent, ahead],
        title: `${formatAt(at)}: ${words}`,
        lines: i === last ? ['at the mean of what has passed'] : [],
      };
    });
  }, [course, pace, currency, formatAt]);
  const toCome = pace === null ? '' : `, at this pace ${money(pace)} by its end`;
  return (
    <Chart
      summary={`${name}: ${money(course.spentMicros.at(-2) ?? 0)} of ${money(limit.micros)} spent${toCome}`}
      points={points}
      series={SERIES}
      limit={{ value: limit.micros, label: `limit ${money(limit.micros)}` }}
      heightPx={HEIGHT_PX}
      formatValue={money}
      formatAt={formatAt}
    />
  );
}
