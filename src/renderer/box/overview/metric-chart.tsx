import { memo, useId, type CSSProperties, type PointerEvent } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { GpuReading } from '../../../shared/telemetry/gpu-reading.ts';
import { classNames } from '../../ui/class-names.ts';
import { formatClockTime, formatNumber, UNKNOWN } from '../../ui/format.ts';
import { isOverlaid, sampleAt, type Chart, type OverviewModel } from './chart-model.ts';
import { describeChart, describeValues, valuesAt, valuesNow } from './chart-words.ts';
import styles from './metric-chart.module.css';
import { MINUTE_MS, timeTicks, type TimeAxis } from './time-axis.ts';
import { cursorLeft, cursorMoved, useTimeCursor } from './time-cursor.ts';

// The plot's edges in pixels. metric-chart.module.css has the same numbers for the cursor, which is drawn beside
// Recharts: pointing must not make six charts render again.
const PLOT_LEFT = 36;
const PLOT_RIGHT = 6;
const PLOT_TOP = 6;
const AXIS_HEIGHT = 18;

interface MetricChartProps {
  readonly chart: Chart;
  readonly model: OverviewModel;
  /** Null when the newest readings no longer describe the present. */
  readonly current: readonly GpuReading[] | null;
}

export function MetricChart({ chart, model, current }: MetricChartProps) {
  const titleId = useId();
  const colour = { '--chart-colour': isOverlaid(chart) ? 'var(--text)' : chart.kind.colour };
  return (
    <section
      className={styles['chart']}
      aria-labelledby={titleId}
      data-chart={chart.kind.id}
      style={colour as CSSProperties}
    >
      <div className={styles['head']}>
        <h3 id={titleId} className={styles['title']}>
          {chart.kind.title}
        </h3>
        <Headline chart={chart} model={model} current={current} />
      </div>
      <p className="sr-only">{describeChart(chart, model)}</p>
      <div
        className={classNames(styles['plot'], current === null && styles['isPast'])}
        aria-hidden="true"
        onPointerMove={pointed}
        onPointerLeave={cursorLeft}
      >
        <Plot chart={chart} fromMs={model.fromMs} toMs={model.toMs} />
        <Cursor />
      </div>
    </section>
  );
}

function pointed(event: PointerEvent<HTMLElement>): void {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  cursorMoved((event.clientX - left - PLOT_LEFT) / (width - PLOT_LEFT - PLOT_RIGHT));
}

function Cursor() {
  const at = useTimeCursor((cursor) => cursor.at);
  if (at === null) return null;
  return <div className={styles['cursor']} style={{ '--at': at } as CSSProperties} />;
}

/** The current figure, or the one under the cursor with its time. */
function Headline({ chart, model, current }: MetricChartProps) {
  const at = useTimeCursor((cursor) => cursor.at);
  const { samples, fromMs, toMs } = model;
  if (at === null) {
    const text = current === null ? UNKNOWN : describeValues(chart, valuesNow(chart, current));
    return <span className={classNames(styles['value'], 'figures')}>{text}</span>;
  }
  const pointedMs = fromMs + at * (toMs - fromMs);
  const sample = sampleAt(model, pointedMs);
  const text =
    sample === -1 ? 'no sample' : describeValues(chart, valuesAt(chart, samples, sample));
  return (
    <span className={classNames(styles['value'], styles['pointed'], 'figures')}>
      {formatClockTime(samples.atMs[sample] ?? pointedMs)} · {text}
    </span>
  );
}

interface PlotProps extends TimeAxis {
  readonly chart: Chart;
}

const Plot = memo(function Plot({ chart, fromMs, toMs }: PlotProps) {
  const { lines, rows, min, max, ticks, limit } = chart;
  return (
    <LineChart
      data={rows}
      responsive
      style={{ width: '100%', height: '100%' }}
      margin={{ top: PLOT_TOP, right: PLOT_RIGHT, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid
        vertical={false}
        horizontalValues={ticks as number[]}
        stroke="var(--chart-grid)"
      />
      <XAxis
        dataKey="atMs"
        type="number"
        domain={[fromMs, toMs]}
        allowDataOverflow
        ticks={timeTicks({ fromMs, toMs })}
        interval={0}
        height={AXIS_HEIGHT}
        axisLine={false}
        tickLine={false}
        tick={<TimeTick fromMs={fromMs} toMs={toMs} />}
      />
      <YAxis
        domain={[min, max]}
        ticks={ticks}
        interval={0}
        width={PLOT_LEFT}
        axisLine={false}
        tickLine={false}
        tick={<ValueTick />}
      />
      {limit !== null && (
        <ReferenceLine y={limit} stroke="var(--text-faint)" strokeDasharray="3 3" />
      )}
      {lines.map(({ key, colour }) => (
        <Line
          key={key}
          dataKey={key}
          stroke={colour}
          strokeWidth={lines.length > 2 ? 1.1 : 1.4}
          strokeLinejoin="round"
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      ))}
    </LineChart>
  );
});

interface TickProps {
  readonly x?: number;
  readonly y?: number;
  readonly payload?: { readonly value: number };
}

/** How long ago; the outer two are turned inwards, so that they do not hang over the edge. */
function TimeTick({ x, y = 0, payload, fromMs, toMs }: TickProps & TimeAxis) {
  const agoMs = toMs - (payload?.value ?? toMs);
  const isFirst = agoMs === toMs - fromMs;
  const [divisor, unit] = toMs - fromMs > MINUTE_MS ? [MINUTE_MS, 'min'] : [1000, 's'];
  const ago = Math.round(agoMs / divisor);
  const anchor = isFirst ? 'start' : ago === 0 ? 'end' : 'middle';
  return (
    <text x={x} y={y + 5} fontSize={10} fill="var(--text-faint)" textAnchor={anchor}>
      {ago === 0 ? 'now' : isFirst ? `−${ago} ${unit}` : `−${ago}`}
    </text>
  );
}

function ValueTick({ x = 0, y = 0, payload }: TickProps) {
  const value = payload?.value ?? 0;
  return (
    <text x={x} y={y + 3.5} fontSize={10} fill="var(--text-faint)" textAnchor="end">
      {formatNumber(value, Number.isInteger(value) ? 0 : 1)}
    </text>
  );
}
