import { ClipboardCopy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import type { ChartView } from './metric-charts.ts';
import styles from './metrics.module.css';
import { Zoom } from './zoom.tsx';

/** A further run of the box. */
export interface OtherRun {
  readonly id: string;
  readonly name: string;
}

/** More lines in one chart are told apart by nobody. */
const MAX_COMPARED = 3;
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
  readonly others: readonly OtherRun[];
  readonly chosen: readonly string[];
  readonly onChosen: (ids: readonly string[]) => void;
  /** The values instead of the curves. */
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  /** Whether the clipboard took it. */
  readonly onCopy: () => boolean;
}

/** How the curves are looked at: all of them alike. */
export function ViewBar({
  view,
  onView,
  others,
  chosen,
  onChosen,
  isTable,
  onTable,
  onCopy,
}: ViewBarProps) {
  const [copied, setCopied] = useState('');
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
      {others.length > 0 && (
        <details className={styles['compare']}>
          <summary>Compare with…{chosen.length > 0 && ` (${String(chosen.length)})`}</summary>
          <ul>
            {others.map(({ id, name }) => (
              <li key={id}>
                <label className={styles['check']}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(id)}
                    disabled={!chosen.includes(id) && chosen.length >= MAX_COMPARED}
                    onChange={({ target }) =>
                      onChosen(
                        target.checked ? [...chosen, id] : chosen.filter((one) => one !== id),
                      )
                    }
                  />
                  {name}
                </label>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Button
        size="small"
        look="quiet"
        title="Every value of these curves, as CSV"
        onClick={() =>
          setCopied(onCopy() ? 'Values copied' : 'The system’s clipboard refused the values')
        }
      >
        <ClipboardCopy size={14} aria-hidden /> Copy values
      </Button>
      <span className={styles['muted']} role="status">
        {copied}
      </span>
    </div>
  );
}
