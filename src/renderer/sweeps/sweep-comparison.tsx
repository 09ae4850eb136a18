import { useMemo, useRef, useState } from 'react';
import { SavePicture } from '../box/runs/launch/metrics/save-picture.tsx';
import { SaveValues } from '../box/runs/launch/metrics/save-values.tsx';
import { formatFigure } from '../box/runs/launch/metrics/figure.ts';
import { Chart } from '../ui/chart/chart.tsx';
import card from '../ui/chart/chart-card.module.css';
import { classNames } from '../ui/class-names.ts';
import { formatCount, formatNumber } from '../ui/format.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Segmented } from '../ui/segmented.tsx';
import select from '../ui/select.module.css';
import { ValueTable } from '../ui/value-table.tsx';
import { byCell, byParameter, type Comparing } from './comparison-chart.ts';
import type { Better } from './likely-better.ts';
import {
  comparisonCsv,
  parametersOf,
  ranked,
  valueWords,
  type CellParameter,
  type Named,
} from './sweep-compare.ts';
import type { FigureOf, SweepRow } from './sweep-rows.ts';
import styles from './sweeps.module.css';
import type { ReadFigures } from './use-cell-figures.ts';

const BETTER = [
  { value: 'lowest', label: 'Lowest is best' },
  { value: 'highest', label: 'Highest is best' },
] as const;
/** More rows are no table that anybody reads; all values can be saved. */
const MAX_ROWS = 200;
const EACH_CELL = '';

interface SweepComparisonProps extends Omit<Comparing, 'figure'> {
  /** The cells that the page shows. */
  readonly rows: readonly SweepRow[];
  /** All cells of the sweep: what they differ in stays the same whatever is shown. */
  readonly roster: readonly Named[];
  readonly read: ReadFigures;
  /** Null: nothing that was read tells any. */
  readonly figure: string | null;
  readonly figureOf: FigureOf;
  readonly onBetter: (better: Better) => void;
}

/** One figure over all cells that are shown, or over the values of what they differ in, and which of them is best. */
export function SweepComparison(props: SweepComparisonProps) {
  const { rows, roster, cells, figure, figureOf, better, best, onBetter } = props;
  const picture = useRef<HTMLElement>(null);
  const [by, setBy] = useState(EACH_CELL);
  const [isTable, setIsTable] = useState(false);
  const parameters = useMemo(() => parametersOf(roster), [roster]);
  const parameter = parameters.find(({ name }) => name === by) ?? null;
  const title = figure ?? 'Comparison';
  return (
    <section aria-label="Comparison of the cells">
      <figure ref={picture} className={classNames(card['card'], styles['comparison'])}>
        <figcaption>
          <h2 title={title}>{title}</h2>
          <label className={styles['choice']}>
            <span>by</span>
            <select
              className={classNames(select['select'], styles['short'])}
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
              <span title={best.row.name}>
                Best: <b>{best.row.name}</b>
              </span>
              <span>, {valueWords(figure, best)}</span>
            </p>
          )}
          {better === null && cells.length > 0 && (
            <p className={styles['muted']}>Choose which is best to see the best cell.</p>
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
        {figure !== null &&
          cells.length > 0 &&
          (isTable ? (
            <ComparisonTable {...{ cells, figure, parameters, better, best }} />
          ) : (
            <Drawn {...{ cells, figure, parameter, better, best }} />
          ))}
        <LeftOut {...props} />
      </figure>
    </section>
  );
}

/** The cells that are not compared, and why; what is still to be read is never taken for a cell that tells nothing. */
function LeftOut({ rows, cells, read, figure }: SweepComparisonProps) {
  const begun = rows.filter(({ beganAtMs }) => beganAtMs !== null);
  const unread = begun.filter(({ place }) => read.figuresOf(place) === null).length;
  const waiting = rows.length - begun.length;
  const silent = begun.length - unread - cells.length;
  const isNone = cells.length === 0;
  const groups = [
    ...(waiting > 0 ? [`${formatCount(waiting, 'cell')} that ${verb(waiting)} not begun`] : []),
    ...(unread > 0 && !read.isReading
      ? [`${formatCount(unread, 'cell')} whose figures could not be read`]
      : []),
    ...(silent > 0
      ? [`${formatCount(silent, 'cell')} without ${figure ?? 'figures'} in log and results`]
      : []),
  ];
  return (
    <>
      <p className={styles['muted']} role="status">
        {read.isReading && 'Reading the figures of the cells… '}
        {groups.length > 0 &&
          `${isNone ? 'Nothing to compare:' : 'Not compared:'} ${groups.join(', ')}.`}
      </p>
      {read.problem !== null && <ProblemNote problem={read.problem} />}
    </>
  );
}

const verb = (count: number): string => (count === 1 ? 'has' : 'have');

interface DrawnProps extends Comparing {
  readonly parameter: CellParameter | null;
}

function Drawn({ cells, figure, better, best, parameter }: DrawnProps) {
  const drawn = useMemo(() => {
    const comparing = { cells, figure, better, best };
    return parameter === null ? byCell(comparing) : byParameter(comparing, parameter);
  }, [cells, figure, better, best, parameter]);
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
          {parameter !== null
            ? `no ${parameter.name}, or no number`
            : `only the ${better === null ? 'first' : 'best'} are`}
          .
        </p>
      )}
    </>
  );
}

interface ComparisonTableProps extends Comparing {
  readonly parameters: readonly CellParameter[];
}

/** The same as figures, the best first. */
function ComparisonTable({ cells, figure, parameters, better, best }: ComparisonTableProps) {
  const order = useMemo(() => ranked(cells, better), [cells, better]);
  return (
    <>
      <ValueTable label={`Values of ${figure}`}>
        <thead>
          <tr>
            <th scope="col">Cell</th>
            {parameters.map(({ name }) => (
              <th key={name} scope="col" title={name}>
                {name}
              </th>
            ))}
            <th scope="col" title={figure}>
              {figure}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.slice(0, MAX_ROWS).map(({ row, value }) => (
            <tr key={row.place}>
              <th scope="row" title={row.name}>
                {row.name}
              </th>
              {parameters.map(({ name, valueOf }) => (
                <td key={name} title={valueOf(row.place) ?? undefined}>
                  {valueOf(row.place) ?? '–'}
                </td>
              ))}
              <td>
                {formatFigure(value)}
                {row.place === best?.row.place && ' (best)'}
                {row.endedAtMs === null && ' so far'}
              </td>
            </tr>
          ))}
        </tbody>
      </ValueTable>
      {order.length > MAX_ROWS && (
        <p className={styles['muted']}>
          The {better === null ? 'first' : 'best'} {formatNumber(MAX_ROWS)} of{' '}
          {formatNumber(order.length)} cells. Save values has every cell.
        </p>
      )}
    </>
  );
}
