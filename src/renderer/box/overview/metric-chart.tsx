import { memo, useCallback, useId, type CSSProperties } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { UNKNOWN } from '../../ui/format.ts';
import type { Painting } from '../../ui/painted-canvas.tsx';
import { useHeld } from '../../ui/use-held.ts';
import { valuesAt, type Chart } from './chart-model.ts';
import { formatMoment, summariseChart } from './chart-summary.ts';
import { describeValues, valuesNow } from './chart-words.ts';
import { chartKinds } from './charts.ts';
import type { CurrentFigures } from './gpu-figures.ts';
import styles from './metric-chart.module.css';
import type { OverviewModel } from './overview-model.ts';
import { paintChart } from './paint/paint-chart.ts';
import { PlotArea } from './plot-area.tsx';
import { LINE_FRAME } from './plot-frame.ts';
import { useTimeCursor } from './time-cursor.ts';
import type { MoveWindow } from './use-move-window.ts';

interface MetricChartProps {
  readonly chart: Chart;
  readonly model: OverviewModel;
  /** Null when the newest readings no longer describe the present. */
  readonly current: readonly CurrentFigures[] | null;
  readonly move: MoveWindow;
  /** The summary in words is shown to everybody, not only read aloud. */
  readonly hasSummary: boolean;
}

export function MetricChart({ chart, model, current, move, hasSummary }: MetricChartProps) {
  const titleId = useId();
  const colour = chart.isOverlaid ? 'var(--text)' : `var(${chart.kind.colour})`;
  return (
    <section
      className={styles['chart']}
      aria-labelledby={titleId}
      data-chart={chart.kind.id}
      style={{ '--chart-colour': colour } as CSSProperties}
    >
      <div className={styles['head']}>
        <h3 id={titleId} className={styles['title']} title={chart.kind.hint}>
          {chart.kind.title}
        </h3>
        <div className={styles['value']}>
          <Headline chart={chart} model={model} current={current} />
        </div>
      </div>
      <Plot chart={chart} model={model} move={move} isPast={model.isLive && current === null} />
      <ChartSummary chart={chart} model={model} isShown={hasSummary} />
    </section>
  );
}

interface ChartSummaryProps {
  readonly chart: Chart;
  readonly model: OverviewModel;
  readonly isShown: boolean;
}

/** What only screen readers hear is renewed this often while it lives, one chart after the other. */
const SUMMARY_EVERY_MS = 6000;

function ChartSummary({ chart, model, isShown }: ChartSummaryProps) {
  const { axis, isLive } = model;
  const turnMs = (chartKinds.indexOf(chart.kind) * SUMMARY_EVERY_MS) / chartKinds.length;
  const lately = Math.floor((axis.toMs + turnMs) / SUMMARY_EVERY_MS);
  const shape = `${String(axis.toMs - axis.fromMs)} ${chart.lines.map(({ key }) => key).join()}`;
  const held = useHeld({ chart, model }, `${shape} ${String(lately)}`);
  const told = isLive && !isShown ? held : { chart, model };
  return <Words {...told} isShown={isShown} />;
}

const Words = memo(function Words({ chart, model, isShown }: ChartSummaryProps) {
  return (
    <p className={isShown ? classNames(styles['summary'], 'selectable') : styles['told']}>
      {summariseChart(chart, model)}
    </p>
  );
});

/** The current figure, or the one under the cursor with its time. */
function Headline({
  chart,
  model,
  current,
}: Pick<MetricChartProps, 'chart' | 'model' | 'current'>) {
  const at = useTimeCursor((cursor) => cursor.at);
  const { fromMs, toMs } = model.axis;
  if (at === null && model.isLive) {
    const text = current === null ? UNKNOWN : describeValues(chart, valuesNow(chart, current));
    return <span className="figures">{text}</span>;
  }
  const pointedMs = fromMs + (at ?? 1) * (toMs - fromMs);
  const values = valuesAt(chart, pointedMs);
  const text = values.every((value) => value === null)
    ? 'no sample'
    : describeValues(chart, values);
  return (
    <span className={classNames(styles['pointed'], 'figures')}>
      {formatMoment(pointedMs)} · {text}
    </span>
  );
}

type PlotProps = Pick<MetricChartProps, 'chart' | 'model' | 'move'> & { readonly isPast: boolean };

const Plot = memo(function Plot({ chart, model, move, isPast }: PlotProps) {
  const paint = useCallback(
    (painting: Painting) => paintChart(painting, chart, model),
    [chart, model],
  );
  return (
    <PlotArea
      id={chart.kind.id}
      className={styles['plot']}
      frame={LINE_FRAME}
      paint={paint}
      model={model}
      move={move}
      isPast={isPast}
    />
  );
});
