import { classNames } from '../../ui/class-names.ts';
import { formatClockTime } from '../../ui/format.ts';
import { sampleAt, type OverviewModel } from './chart-model.ts';
import { describeValues, valuesAt } from './chart-words.ts';
import styles from './overview.module.css';
import { cursorLeft, cursorMoved, useTimeCursor } from './time-cursor.ts';

/** How many steps of the arrow keys lead from one end to the other. */
const STEPS = 60;

/** The shared time cursor for the keyboard and for screen readers, who hear all charts at that time. */
export function TimeSlider({ model }: { readonly model: OverviewModel }) {
  const at = useTimeCursor((cursor) => cursor.at);
  const seconds = Math.round((model.toMs - model.fromMs) / 1000);
  return (
    <input
      type="range"
      className={classNames('sr-only', styles['slider'])}
      aria-label="Time cursor over all charts"
      aria-valuetext={at === null ? 'now' : describeMoment(model, at)}
      min={0}
      max={seconds}
      step={seconds / STEPS}
      value={(at ?? 1) * seconds}
      onChange={(event) => cursorMoved(event.target.valueAsNumber / seconds)}
      onBlur={cursorLeft}
    />
  );
}

function describeMoment(model: OverviewModel, at: number): string {
  const atMs = model.fromMs + at * (model.toMs - model.fromMs);
  const sample = sampleAt(model, atMs);
  const time = formatClockTime(atMs);
  if (sample === -1) return `${time}: no sample`;
  const figures = model.charts.map(
    (chart) =>
      `${chart.kind.title} ${describeValues(chart, valuesAt(chart, model.samples, sample))}`,
  );
  return `${time}: ${figures.join(', ')}`;
}
