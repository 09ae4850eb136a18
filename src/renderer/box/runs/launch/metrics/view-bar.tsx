import type { ReactNode } from 'react';
import { Segmented } from '../../../../ui/segmented.tsx';
import type { ChartView } from './metric-charts.ts';
import styles from './metrics.module.css';
import { Zoom } from './zoom.tsx';

const ACROSS = [
  { value: 'step', label: 'Steps' },
  { value: 'time', label: 'Time' },
] as const;
const SMOOTHING = [
  { value: 0, label: 'Raw', name: 'Not smoothed' },
  { value: 0.6, label: '0.6', name: 'Smoothed a little, weight 0.6' },
  { value: 0.9, label: '0.9', name: 'Smoothed, weight 0.9' },
  { value: 0.98, label: '0.98', name: 'Smoothed strongly, weight 0.98' },
] as const;
const SHARES = [
  { value: 1, label: 'All' },
  { value: 0.5, label: 'Last half' },
  { value: 0.1, label: 'Last 10 %' },
] as const;

interface ViewBarProps {
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** The values instead of the curves. */
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  /** What else is chosen or done with them. */
  readonly children: ReactNode;
}

/** How the curves are looked at: all of them alike. */
export function ViewBar({ view, onView, isTable, onTable, children }: ViewBarProps) {
  return (
    <div className={styles['view']}>
      <Segmented
        label="Axis"
        options={ACROSS}
        value={view.across}
        onChange={(across) => onView({ ...view, across, range: null })}
      />
      <Segmented
        label="Part of the run"
        options={SHARES}
        value={view.share}
        onChange={(share) => onView({ ...view, share, range: null })}
      />
      <div
        className={styles['check']}
        title="The share of what came before in each point of a curve. Raw: as the log has it."
      >
        <span aria-hidden>Smoothing</span>
        <Segmented
          label="Smoothing"
          options={SMOOTHING}
          value={view.smoothing}
          onChange={(smoothing) => onView({ ...view, smoothing })}
        />
      </div>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={view.isLog}
          onChange={({ target }) => onView({ ...view, isLog: target.checked })}
        />
        Log scale
      </label>
      <Zoom view={view} onView={onView} />
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={isTable}
          onChange={({ target }) => onTable(target.checked)}
        />
        Table
      </label>
      {children}
    </div>
  );
}
