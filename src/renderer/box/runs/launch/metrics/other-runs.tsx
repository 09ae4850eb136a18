import type { RunMetrics } from '../../../../../shared/runs/progress/run-metrics.ts';
import type { RunSeries } from './metric-charts.ts';
import styles from './metrics.module.css';

/** A run or a cell, of whatever box, whose curves are drawn beside others. */
export interface OtherRun {
  /** As the streams name it (`logKey`). */
  readonly id: string;
  /** Can be shown as it is; says the box where that is another one. */
  readonly name: string;
}

/** Together with the run of the page as many as there are colours and dashes: more nobody tells apart. */
export const MAX_COMPARED = 5;

/** What is known of the figures of these. */
export function seriesOf(
  runs: readonly OtherRun[],
  known: ReadonlyMap<string, RunMetrics>,
): readonly RunSeries[] {
  return runs.flatMap(({ id, name }): readonly RunSeries[] => {
    const series = known.get(id)?.series ?? [];
    return series.length === 0 ? [] : [{ id, name, series }];
  });
}

/** Which of these have no curve, so that nobody takes it for one that lies behind another. */
export function Unread({
  of: runs,
  among,
}: {
  readonly of: readonly OtherRun[];
  readonly among: ReadonlyMap<string, RunMetrics>;
}) {
  const names = runs.flatMap(({ id, name }) =>
    (among.get(id)?.series.length ?? 0) === 0 ? [name] : [],
  );
  return (
    <p className={styles['muted']} role="status">
      {names.length > 0 && `No figures of ${names.join(', ')}.`}
    </p>
  );
}
