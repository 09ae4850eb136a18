import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { plainLine } from '../../../../../shared/questions/hostile-text.ts';
import type { MetricSeries } from '../../../../../shared/runs/progress/metric-series.ts';
import type { RunMetrics } from '../../../../../shared/runs/progress/run-metrics.ts';
import { useMetricsOf, useRunMetrics, type LogOf } from '../../../../state/launched-runs.ts';
import { Chart } from '../../../../ui/chart/chart.tsx';
import { copyText } from '../../../../ui/copy-text.ts';
import { formatBytes, formatCount } from '../../../../ui/format.ts';
import { Glyph } from '../../../../ui/glyph.tsx';
import { usePaced } from '../../../../ui/use-paced.ts';
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
import { useRunningCharges } from '../run-cost.tsx';
import { PositionBar } from './position-bar.tsx';
import { SavePicture } from './save-picture.tsx';
import { fileGaps, SourceChoice } from './source-choice.tsx';
import { ValuesTable } from './values-table.tsx';
import { ViewBar, type OtherRun } from './view-bar.tsx';
import styles from './metrics.module.css';

/** A chart takes about a frame to draw (decision 27). */
const DRAWN_EVERY_MS = 2000;

interface MetricsPanelProps {
  readonly boxId: string;
  readonly log: LogOf;
  readonly isAlive: boolean;
  /** Further runs of the box, which can be compared. */
  readonly others: readonly OtherRun[];
}

/** What the log of a run or a cell says of its training: how far it is, and its figures as curves. */
export function MetricsPanel({ boxId, log, isAlive, others }: MetricsPanelProps) {
  const feed = useRunMetrics(boxId, log);
  const charges = useRunningCharges(boxId);
  if (feed.kind !== 'live') return null;
  const { position, series, files } = feed.state;
  return (
    <section className={styles['panel']} aria-label="Training">
      {position !== null && <PositionBar position={position} isAlive={isAlive} charges={charges} />}
      <NoNumbers series={series} />
      <SourceChoice boxId={boxId} runId={log.runId} files={files} />
      {series.length === 0 ? (
        <NoFigures metrics={feed.state} />
      ) : (
        <Charts boxId={boxId} runId={log.runId} metrics={feed.state} others={others} />
      )}
      <Gaps metrics={feed.state} />
    </section>
  );
}

/** A run that diverges goes on and costs as before: nothing else on the page would show it. */
function NoNumbers({ series }: { readonly series: readonly MetricSeries[] }) {
  const bad = series.filter((each) => each.bad !== null);
  if (bad.length === 0) return null;
  return (
    <ul className={styles['bad']} role="status">
      {bad.map((each) => (
        <li key={each.name}>
          <Glyph tone="danger" />
          {badWords(each)}
        </li>
      ))}
    </ul>
  );
}

function badWords({ name, bad, values, count }: MetricSeries): string {
  const newest = values.at(-1) ?? NaN;
  const firstStep = bad?.firstStep ?? null;
  const since = firstStep === null ? '' : ` since step ${String(firstStep)}`;
  const words = Number.isFinite(newest)
    ? `${name} was not a number before`
    : `${name} is ${formatFigure(newest)}${since}`;
  return `${words} (${String(bad?.count ?? 0)} of ${String(count)} values)`;
}

function NoFigures({ metrics: { reading, files } }: { readonly metrics: RunMetrics }) {
  if (files.source !== null) return <p className={styles['muted']}>No figures in this file yet.</p>;
  return (
    <details className={styles['fold']}>
      <summary>
        {reading.state === 'whole'
          ? 'No training figures in the log'
          : 'No training figures in the log yet'}
      </summary>
      <p>
        Curves are drawn of lines such as <code>step 10 loss 0.5 lr 1e-4</code>,{' '}
        <code>epoch=1 val_loss=0.4</code>, <code>{'{"step": 10, "loss": 0.5}'}</code>, and of what
        tqdm, Lightning, Hugging Face Trainer, Keras, Ultralytics and nanoGPT print.
      </p>
    </details>
  );
}

interface ChartsProps {
  readonly boxId: string;
  readonly runId: string;
  readonly metrics: RunMetrics;
  readonly others: readonly OtherRun[];
}

function Charts({ boxId, runId, metrics, others }: ChartsProps) {
  const { series } = usePaced(metrics, DRAWN_EVERY_MS);
  const [view, setView] = useState(USUAL_VIEW);
  const [isTable, setIsTable] = useState(false);
  const zoom = useCallback(
    (from: number, to: number) => setView((before) => ({ ...before, range: { from, to } })),
    [],
  );
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const compared = usePaced(useMetricsOf(boxId, chosen.join(' ')), DRAWN_EVERY_MS);
  const groups = useMemo(() => {
    const own = { id: runId, name: null, series };
    const further = chosen.flatMap((id): readonly RunSeries[] => {
      const name = others.find((other) => other.id === id)?.name ?? id;
      const series = compared.get(id)?.series ?? [];
      return series.length === 0 ? [] : [{ id, name, series }];
    });
    return groupSeries([own, ...further]);
  }, [runId, series, chosen, compared, others]);
  return (
    <>
      <ViewBar
        view={view}
        onView={setView}
        others={others}
        chosen={chosen}
        onChosen={setChosen}
        isTable={isTable}
        onTable={setIsTable}
        onCopy={() => copyText(csvOf(groups))}
      />
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
    <figure ref={figure} className={styles['chart']}>
      <figcaption>
        <h3>{title}</h3>
        {group.lines.map(({ id, label, series: { values } }) => (
          <span key={id}>
            {plainLine(label, 80)} <b>{formatFigure(values.at(-1) ?? NaN)}</b>
          </span>
        ))}
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
    ...(across === 'step' && !isLog ? ['no step was counted yet'] : []),
  ];
  return `${values} not shown: ${reasons.join(', or ')}.`;
}

const NOTHING_SKIPPED = { skippedAtBegin: 0, skippedInFlood: 0 } as const;

/** What of the log or the file is not in the curves. */
function Gaps({ metrics: { reading, leftOut, files } }: { readonly metrics: RunMetrics }) {
  const isLog = files.source === null;
  const { skippedAtBegin, skippedInFlood } = isLog ? reading : NOTHING_SKIPPED;
  const gaps = [
    ...(skippedAtBegin > 0
      ? [`The first ${formatBytes(skippedAtBegin)} of the log are not in these curves.`]
      : []),
    ...(skippedInFlood > 0
      ? [`${formatBytes(skippedInFlood)} came too fast to be read for the curves.`]
      : []),
    ...fileGaps(files),
    ...(leftOut > 0 ? [`${String(leftOut)} further figures are not kept.`] : []),
  ];
  return gaps.length === 0 ? null : <p className={styles['muted']}>{gaps.join(' ')}</p>;
}
