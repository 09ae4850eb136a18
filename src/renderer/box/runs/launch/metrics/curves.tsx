import { memo, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { plainLine } from '../../../../../shared/questions/hostile-text.ts';
import { Chart } from '../../../../ui/chart/chart.tsx';
import card from '../../../../ui/chart/chart-card.module.css';
import { classNames } from '../../../../ui/class-names.ts';
import { formatCount } from '../../../../ui/format.ts';
import { formatFigure } from './figure.ts';
import {
  chartOf,
  csvOf,
  groupSeries,
  titleOf,
  USUAL_VIEW,
  type ChartView,
  type MetricGroup,
  type RunSeries,
} from './metric-charts.ts';
import { SavePicture } from './save-picture.tsx';
import { SaveValues } from './save-values.tsx';
import { ValuesTable } from './values-table.tsx';
import { ViewBar } from './view-bar.tsx';
import styles from './metrics.module.css';

/** A chart takes about a frame to draw (decision 27). */
export const DRAWN_EVERY_MS = 2000;

interface CurvesProps {
  /** What the values are called where they are saved. */
  readonly title: string;
  readonly runs: readonly RunSeries[];
  /** What else is chosen beside how they are looked at. */
  readonly choice?: ReactNode;
}

/** The figures of one run or of several, the same figure of all of them in one chart. */
export function Curves({ title, runs, choice }: CurvesProps) {
  const [view, setView] = useState(USUAL_VIEW);
  const [isTable, setIsTable] = useState(false);
  const zoom = useCallback(
    (from: number, to: number) => setView((before) => ({ ...before, range: { from, to } })),
    [],
  );
  const groups = useMemo(() => groupSeries(runs), [runs]);
  if (groups.length === 0) return null;
  return (
    <>
      <ViewBar view={view} onView={setView} isTable={isTable} onTable={setIsTable}>
        <SaveValues title={title} valuesOf={() => csvOf(groups)} />
        {choice}
      </ViewBar>
      <div className={styles['charts']}>
        {groups.map((group) => (
          <GroupChart
            key={`${group.kind} ${group.title}`}
            group={group}
            view={view}
            isTable={isTable}
            onZoom={zoom}
          />
        ))}
      </div>
    </>
  );
}

interface GroupChartProps {
  readonly group: MetricGroup;
  readonly view: ChartView;
  readonly isTable: boolean;
  readonly onZoom: (from: number, to: number) => void;
}

/** Drawn anew only when its points are other ones, and not whenever something else of the run is told. */
const GroupChart = memo(function GroupChart({ group, view, isTable, onZoom }: GroupChartProps) {
  const figure = useRef<HTMLElement>(null);
  const { across, isLog, smoothing } = view;
  const { points, series, leftOut } = useMemo(() => chartOf(group.lines, view), [group, view]);
  const title = plainLine(group.title, 80);
  return (
    <figure ref={figure} className={classNames(card['card'], styles['chart'])}>
      <figcaption>
        <h3>{title}</h3>
        <p>
          {group.lines.map(({ id, label, series: { values } }) => (
            <span key={id}>
              {plainLine(label, 80)} <b>{formatFigure(values.at(-1) ?? NaN)}</b>
            </span>
          ))}
        </p>
        {!isTable && <SavePicture title={title} figure={figure} />}
      </figcaption>
      {isTable ? (
        <ValuesTable title={title} points={points} series={series} />
      ) : (
        <Chart
          summary={`${title} over ${across === 'step' ? 'steps' : 'time'}, ${String(points.length)} points${smoothing > 0 ? ', smoothed' : ''}`}
          points={points}
          series={series}
          heightPx={170}
          scale={isLog ? 'log' : group.kind === 'rate' ? 'from-zero' : 'fitted'}
          formatValue={formatFigure}
          formatAt={(at) => titleOf(at, across).replace(/^step /, '')}
          onSelect={onZoom}
        />
      )}
      {leftOut > 0 && <p className={styles['muted']}>{leftOutWords(leftOut, view)}</p>}
    </figure>
  );
});

function leftOutWords(count: number, { across, isLog }: ChartView): string {
  const values = formatCount(count, 'value');
  const reasons = [
    ...(across === 'time' ? ['when it was written is not known'] : []),
    ...(isLog ? ['a logarithmic axis has nothing below zero'] : []),
    ...(across === 'step' && !isLog ? ['no step was counted'] : []),
  ];
  return `${values} not shown: ${reasons.join(', or ')}.`;
}
