import { useMemo, useState } from 'react';
import type { MetricSeries } from '../../../../../shared/runs/progress/metric-series.ts';
import type { RunMetrics } from '../../../../../shared/runs/progress/run-metrics.ts';
import {
  logKey,
  useMetricsOf,
  useRunMetrics,
  type LogOf,
} from '../../../../state/launched-runs.ts';
import { formatBytes } from '../../../../ui/format.ts';
import { Glyph } from '../../../../ui/glyph.tsx';
import { usePaced } from '../../../../ui/use-paced.ts';
import { CompareChoice } from './compare-choice.tsx';
import { Curves, DRAWN_EVERY_MS } from './curves.tsx';
import { formatFigure } from './figure.ts';
import { useRunningCharges } from '../run-cost.tsx';
import { seriesOf, Unread, type OtherRun } from './other-runs.tsx';
import { PositionBar } from './position-bar.tsx';
import { fileGaps, SourceChoice } from './source-choice.tsx';
import styles from './metrics.module.css';

interface MetricsPanelProps {
  readonly boxId: string;
  readonly log: LogOf;
  readonly isAlive: boolean;
}

/** What the log of a run or a cell says of its training: how far it is, and its figures as curves. */
export function MetricsPanel({ boxId, log, isAlive }: MetricsPanelProps) {
  const feed = useRunMetrics(boxId, log);
  const charges = useRunningCharges(boxId);
  if (feed.kind !== 'live') return null;
  const { position, series, files } = feed.state;
  return (
    <section className={styles['panel']} aria-label="Training">
      {position !== null && <PositionBar position={position} isAlive={isAlive} charges={charges} />}
      <NoNumbers series={series} />
      <SourceChoice boxId={boxId} log={log} files={files} />
      <Charts boxId={boxId} log={log} metrics={feed.state} />
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
  if (files.source !== null) {
    const words = files.reading === null ? 'The file is being read…' : 'No figures in this file.';
    return <p className={styles['muted']}>{words}</p>;
  }
  return (
    <details className={styles['fold']}>
      <summary>No training figures in the log{reading.state !== 'whole' && ' so far'}</summary>
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
  readonly log: LogOf;
  readonly metrics: RunMetrics;
}

/**
 * The curves of this log, and of whatever the person compares it with. How they are looked at stays as it was chosen, also while another
 * file is read for them.
 */
function Charts({ boxId, log, metrics }: ChartsProps) {
  const shown = usePaced(metrics, DRAWN_EVERY_MS);
  const { series } = shown;
  const own = logKey(boxId, log);
  const [chosen, setChosen] = useState<readonly OtherRun[]>([]);
  const compared = usePaced(useMetricsOf(chosen.map(({ id }) => id)), DRAWN_EVERY_MS);
  const runs = useMemo(
    () => [{ id: own, name: null, series }, ...seriesOf(chosen, compared)],
    [own, series, chosen, compared],
  );
  return (
    <>
      {series.length === 0 && <NoFigures metrics={shown} />}
      <Curves
        title="figures"
        runs={runs}
        choice={<CompareChoice boxId={boxId} log={log} chosen={chosen} onChosen={setChosen} />}
      />
      <Unread of={chosen} among={compared} />
    </>
  );
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
