import { ZoomOut } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { titleOf, type ChartView } from './metric-charts.ts';
import styles from './metrics.module.css';

interface ZoomProps {
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
}

/** The stretch that the curves show. With the pointer it is drawn over one of them; steps can be typed as well. */
export function Zoom({ view, onView }: ZoomProps) {
  const { range, across } = view;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const typed = { from: wholeOf(from), to: wholeOf(to) };
  const isReady = typed.from !== null && typed.to !== null && typed.from < typed.to;
  function apply(): void {
    const { from: first, to: last } = typed;
    if (isReady && first !== null && last !== null) {
      onView({ ...view, range: { from: first, to: last } });
    }
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') apply();
  };
  if (range !== null) {
    return (
      <Button size="small" onClick={() => onView({ ...view, range: null })}>
        <ZoomOut size={14} aria-hidden /> {titleOf(range.from, across)} to{' '}
        {titleOf(range.to, across).replace(/^step /, '')}: show all
      </Button>
    );
  }
  if (across === 'time') return null;
  return (
    <div
      className={styles['zoom']}
      role="group"
      aria-label="Zoom to steps"
      title="Steps to zoom to"
      onKeyDown={pressed}
    >
      <input
        inputMode="numeric"
        aria-label="From step"
        placeholder="from"
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <input
        inputMode="numeric"
        aria-label="To step"
        placeholder="to"
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <Button
        size="small"
        disabled={!isReady}
        title="Or draw over a curve with the pointer"
        onClick={apply}
      >
        Zoom
      </Button>
    </div>
  );
}

const wholeOf = (text: string): number | null =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;
