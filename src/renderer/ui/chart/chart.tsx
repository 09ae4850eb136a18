import { Suspense } from 'react';
import { lazyPart } from '../lazy-part.tsx';
import styles from './chart.module.css';

/** One place on the axis across: a bar of each series on top of each other, a point of each line. */
export interface ChartPoint {
  /** A time, a step, a number: the axis orders and spaces lines by it; bars stand side by side. */
  readonly at: number;
  /** In the order of the series; null: nothing is known there, which leaves a hole. */
  readonly values: readonly (number | null)[];
  /** What is said and shown of it under the pointer and from the keyboard. */
  readonly title: string;
  readonly lines: readonly string[];
}

export interface ChartSeries {
  readonly id: string;
  readonly label: string;
  /** `dots`: single points, of which none leads to the next. */
  readonly shape: 'bar' | 'line' | 'dots';
  /** `unseen`: what nobody saw and what may be; hatched where it is a bar. */
  readonly look: 0 | 1 | 2 | 3 | 4 | 5 | 'unseen';
  /** Of a line: whole, or dashed in one of several ways; colours alone do not tell lines apart for everybody. */
  readonly stroke?: 0 | 1 | 2 | 3 | 4 | 5;
  /** Dots that are rings: what is not settled yet. */
  readonly isHollow?: boolean;
  /** A line over places at which only others have a value. */
  readonly joins?: boolean;
}

export interface ChartProps {
  /** The whole picture in words. */
  readonly summary: string;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** A value to stay below. */
  readonly limit?: { readonly value: number; readonly label: string };
  /** One point that stands out. */
  readonly mark?: { readonly at: number; readonly value: number; readonly label: string };
  /** Places stand side by side, as bars do, however far they are from each other. */
  readonly isEven?: boolean;
  readonly heightPx: number;
  readonly formatValue: (value: number) => string;
  readonly formatAt: (at: number) => string;
  /** Where the axis upwards begins and how it goes: from zero, unless said otherwise. */
  readonly scale?: 'from-zero' | 'fitted' | 'log';
  /** A stretch of the axis across was drawn over with the pointer. From the keyboard the caller offers the same another way. */
  readonly onSelect?: (from: number, to: number) => void;
}

const DrawnChart = lazyPart(() => import('./drawn-chart.tsx').then((file) => file.DrawnChart));

/** Every chart that changes less than once a second. The library that draws it comes when the first one is shown. */
export function Chart(props: ChartProps) {
  return (
    <Suspense
      fallback={
        <div className={styles['space']} style={{ height: `${String(props.heightPx)}px` }} />
      }
    >
      <DrawnChart {...props} />
    </Suspense>
  );
}
