import { memo, useMemo } from 'react';
import { SPARK_MINUTES, type Spark } from '../../shared/streams/sparks-stream.ts';
import { classNames } from '../ui/class-names.ts';
import { useClock } from '../ui/clock.ts';
import styles from './sparkline.module.css';

const WIDTH = 88;
const HEIGHT = 20;
/** Half the line's width, so that it is not cut off at 0 and at 100. */
const MARGIN = 1;

interface SparklineProps {
  readonly spark: Spark | null;
  /** What it is now; null: unknown. */
  readonly nowPct: number | null;
  readonly tone: 'normal' | 'warn' | 'danger';
}

/** The load of the last hour; its right end is the present. What is missing is not drawn. */
export const Sparkline = memo(function Sparkline({ spark, nowPct, tone }: SparklineProps) {
  const minute = useClock((nowMs) => Math.floor(nowMs / 60_000));
  const past = useMemo(() => (spark === null ? [] : placeMinutes(spark, minute)), [spark, minute]);
  const points = nowPct === null ? past : [...past, { x: WIDTH, smPct: Math.round(nowPct) }];
  const known = points.flatMap(({ smPct }) => smPct ?? []);
  if (known.length === 0) return <span className={styles['none']}>no readings</span>;
  const label = `SM load of the last hour: ${String(Math.round(Math.min(...known)))} to ${String(Math.round(Math.max(...known)))} %, mean ${String(Math.round(known.reduce((sum, each) => sum + each, 0) / known.length))} %`;
  return (
    <svg
      className={classNames(styles['spark'], styles[tone])}
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={drawLine(points)} />
    </svg>
  );
});

export interface SparkPoint {
  readonly x: number;
  readonly smPct: number | null;
}

/** The minute that runs now ends at the right edge. */
export function placeMinutes(
  { lastMinute, smPct }: Spark,
  nowMinute: number,
): readonly SparkPoint[] {
  const first = lastMinute - smPct.length + 1;
  return smPct.flatMap((value, i) => {
    const age = nowMinute - (first + i);
    return age < 1 || age > SPARK_MINUTES
      ? []
      : [{ x: WIDTH - (age - 0.5) * (WIDTH / SPARK_MINUTES), smPct: value }];
  });
}

/** A point with no neighbour is a short dash: a line needs two. */
export function drawLine(points: readonly SparkPoint[]): string {
  const step = WIDTH / SPARK_MINUTES;
  let path = '';
  let previous: SparkPoint | null = null;
  points.forEach((point, i) => {
    if (point.smPct === null) return;
    const x = point.x.toFixed(1);
    const y = (HEIGHT - MARGIN - (point.smPct / 100) * (HEIGHT - 2 * MARGIN)).toFixed(1);
    const isNext = previous !== null && point.x - previous.x < step * 1.6;
    path += `${isNext ? 'L' : 'M'}${x} ${y}`;
    const next = points[i + 1];
    const isAlone = !isNext && (next?.smPct ?? null) === null;
    if (isAlone) path += `h${(point.x + 1.2 > WIDTH ? -1.2 : 1.2).toFixed(1)}`;
    previous = point;
  });
  return path;
}
