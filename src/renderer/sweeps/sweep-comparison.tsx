import { useMemo, useRef, useState } from 'react';
import { SavePicture } from '../box/runs/launch/metrics/save-picture.tsx';
import { SaveValues } from '../box/runs/launch/metrics/save-values.tsx';
import { formatFigure } from '../box/runs/launch/metrics/figure.ts';
import { Chart } from '../ui/chart/chart.tsx';
import { formatCount, formatNumber } from '../ui/format.ts';
import { Segmented } from '../ui/segmented.tsx';
import {
  bestOf,
  byCell,
  byParameter,
  comparedOf,
  comparisonCsv,
  parametersOf,
  ranked,
  valueWords,
  type Better,
  type Compared,
  type CellParameter,
} from './sweep-compare.ts';
import type { FigureOf, SweepRow } from './sweep-rows.ts';
import styles from './sweeps.module.css';

const BETTER = [
  { value: 'lowest', label: 'Lowest is best' },
  { value: 'highest', label: 'Highest is best' },
] as const;
/** More rows are no table that anybody reads; all values can be saved. */
const MAX_ROWS = 200;
const EACH_CELL = '';

interface SweepComparisonProps {
  /** The cells that the page shows. */
  readonly rows: readonly SweepRow[];
  /** Null: nothing that was read tells any. */
  readonly figure: string | null;
  readonly figureOf: FigureOf;
  readonly better: Better;
  readonly onBetter: (better: Better) => void;
}

/** One figure over all cells that are shown, or over the values of what they differ in, and which of them is best. */
export function SweepComparison({
  rows,
  figure,
  figureOf,
  better,
  onBetter,
}: SweepComparisonProps) {
  const picture = useRef<HTMLElement>(null);
  const [by, setBy] = useState(EACH_CELL);
  const [isTable, setIsTable] = useState(false);
  const parameters = useMemo(() => parametersOf(rows), [rows]);
  const parameter = parameters.find(({ name }) => name === by) ?? null;
  const cells = useMemo(() => comparedOf(rows, figureOf), [rows, figureOf]);
  const best = bestOf(cells, better);
  const silent = rows.length - cells.length;
  const title = figure ?? 'Comparison';
  return (
    <section aria-label="Comparison of the cells">
      <figure ref={picture} className={styles['comparison']}>
        <figcaption>
          <h2 title={title}>{title}</h2>
          <label className={styles['choice']}>
            <span>by</span>
            <select
              value={parameter?.name ?? EACH_CELL}
              onChange={({ target }) => setBy(target.value)}
            >
              <option value={EACH_CELL}>cell</option>
              {parameters.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <Segmented label="Which is best" options={BETTER} value={better} onChange={onBetter} />
          {best !== null && figure !== null && (
            <p className={styles['best']}>
              Best: <b>{best.row.name}</b>, {valueWords(figure, best)}
            </p>
          )}
          <div className={styles['tools']}>
            <label className={styles['choice']}>
              <input
                type="checkbox"
                checked={isTable}
                onChange={({ target }) => setIsTable(target.checked)}
              />
              Table
            </label>
            {!isTable && cells.length > 0 && <SavePicture title={title} figure={picture} />}
            <SaveValues
              title={title}
              valuesOf={() => comparisonCsv(rows, parameters, title, figureOf)}
            />
          </div>
        </figcaption>
        {figure === null || cells.length === 0 ? (
          <p className={styles['muted']}>
            No cell that is shown tells a figure yet, neither in its log nor in a file of its
            results.
          </p>
        ) : isTable ? (
          <ComparisonTable {...{ cells, figure, parameters, better, best }} />
        ) : (
          <Drawn {...{ cells, figure, parameter, better }} />
        )}
        {silent > 0 && cells.length > 0 && (
          <p className={styles['muted']}>
            {formatCount(silent, 'cell')} {silent === 1 ? 'tells' : 'tell'} no {title} yet.
          </p>
        )}
      </figure>
    </section>
  );
}

interface DrawnProps {
  readonly cells: readonly Compared[];
  readonly figure: string;
  readonly parameter: CellParameter | null;
  readonly better: Better;
}

function Drawn({ cells, figure, parameter, better }: DrawnProps) {
  const drawn = useMemo(
    () =>
      parameter === null ? byCell(cells, figure, better) : byParameter(cells, parameter, better),
    [cells, figure, parameter, better],
  );
  const { points, series, formatAt, mark, leftOut } = drawn;
  return (
    <>
      <Chart
        summary={`${figure} by ${parameter?.name ?? 'cell'}, ${formatCount(points.length, parameter === null ? 'cell' : 'value')}`}
        points={points}
        series={series}
        {...(mark !== null && { mark })}
        isEven
        heightPx={150}
        scale="fitted"
        formatValue={formatFigure}
        formatAt={formatAt}
      />
      {leftOut > 0 && (
        <p className={styles['muted']}>
          {formatCount(leftOut, 'cell')} not drawn:{' '}
          {parameter === null ? 'only the best are' : `no ${parameter.name}, or no number`}.
        </p>
      )}
    </>
  );
}

interface ComparisonTableProps {
  readonly cells: readonly Compared[];
  readonly figure: string;
  readonly parameters: readonly CellParameter[];
  readonly better: Better;
  readonly best: Compared | null;
}

/** The same as figures, the best first. */
function ComparisonTable({ cells, figure, parameters, better, best }: ComparisonTableProps) {
  const order = useMemo(() => ranked(cells, better), [cells, better]);
  return (
    <>
      <div
        className={styles['values']}
        tabIndex={0}
        role="group"
        aria-label={`Values of ${figure}`}
      >
        <table aria-label={`${figure} by cell`}>
          <thead>
            <tr>
              <th scope="col">Cell</th>
              {parameters.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{figure}</th>
            </tr>
          </thead>
          <tbody>
            {order.slice(0, MAX_ROWS).map(({ row, value }) => (
              <tr key={row.place}>
                <th scope="row">{row.name}</th>
                {parameters.map(({ name, valueOf }) => (
                  <td key={name}>{valueOf(row.place) ?? '–'}</td>
                ))}
                <td>
                  {formatFigure(value)}
                  {row.place === best?.row.place && ' (best)'}
                  {row.endedAtMs === null && ' so far'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {order.length > MAX_ROWS && (
        <p className={styles['muted']}>
          The best {formatNumber(MAX_ROWS)} of {formatNumber(order.length)} cells. Save values has
          every cell.
        </p>
      )}
    </>
  );
}
