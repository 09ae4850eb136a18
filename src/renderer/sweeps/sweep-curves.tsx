import { useMemo } from 'react';
import { Curves, DRAWN_EVERY_MS } from '../box/runs/launch/metrics/curves.tsx';
import { seriesOf, Unread, type OtherRun } from '../box/runs/launch/metrics/other-runs.tsx';
import { useMetricsOf } from '../state/launched-runs.ts';
import { usePaced } from '../ui/use-paced.ts';
import styles from './sweeps.module.css';

interface SweepCurvesProps {
  readonly title: string;
  readonly cells: readonly OtherRun[];
}

/** The curves of some cells of a sweep, whatever box each runs on. */
export function SweepCurves({ title, cells }: SweepCurvesProps) {
  const known = usePaced(useMetricsOf(cells.map(({ id }) => id)), DRAWN_EVERY_MS);
  const runs = useMemo(() => seriesOf(cells, known), [cells, known]);
  return (
    <section className={styles['curves']} aria-label="Curves of the chosen cells">
      {runs.length > 0 && <Curves title={title} runs={runs} />}
      <Unread of={cells} among={known} />
    </section>
  );
}
