import { formatMoney } from '../../../shared/money.ts';
import { sumOf, type SpendChart } from './spend-chart.ts';

export function formatDay(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** What the chart shows, for those who do not see it. */
export function describeSpend({ bars, parts, currency }: SpendChart): string {
  const money = (micros: number): string => formatMoney({ micros, currency });
  const total = sumOf(bars.map(({ micros }) => sumOf(micros)));
  const atMost = sumOf(bars.map(({ atMostMicros }) => atMostMicros));
  const more = atMost > 0 ? `, at most ${money(atMost)} more` : '';
  const [first] = bars;
  const since = first === undefined ? '' : ` since ${formatDay(first.fromMs)}`;
  if (total === 0) return `Nothing is known to be spent${since}${more}.`;
  const [most] = [...bars].sort((a, b) => sumOf(b.micros) - sumOf(a.micros));
  const peak =
    most === undefined ? '' : ` Most from ${formatDay(most.fromMs)}: ${money(sumOf(most.micros))}.`;
  const largest = parts[0] === undefined ? '' : ` Largest part: ${parts[0].label}.`;
  return `${money(total)}${since}${more}.${peak}${largest}`;
}
