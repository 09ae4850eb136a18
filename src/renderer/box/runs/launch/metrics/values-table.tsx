import type { ChartPoint, ChartSeries } from '../../../../ui/chart/chart.tsx';
import { formatNumber } from '../../../../ui/format.ts';
import { ValueTable } from '../../../../ui/value-table.tsx';
import { formatFigure } from './figure.ts';
import styles from './metrics.module.css';

/** More rows are no table that anybody reads; all values can be copied. */
const MAX_ROWS = 200;

interface ValuesTableProps {
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
}

/** The points of a chart as figures, the newest first. */
export function ValuesTable({ title, points, series }: ValuesTableProps) {
  const rows = points.slice(-MAX_ROWS).reverse();
  return (
    <>
      <ValueTable label={`Values of ${title}`}>
        <thead>
          <tr>
            <th scope="col">At</th>
            {series.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, title: place, values }) => (
            <tr key={at}>
              <th scope="row">{place}</th>
              {series.map(({ id }, i) => {
                const value = values[i] ?? null;
                return <td key={id}>{value === null ? '–' : formatFigure(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </ValueTable>
      {points.length > MAX_ROWS && (
        <p className={styles['muted']}>
          The newest {formatNumber(MAX_ROWS)} of {formatNumber(points.length)} points. Copy values
          has every value.
        </p>
      )}
    </>
  );
}
