import type { ChartKind } from './charts.ts';

/** The ends and the ticks of a chart's upright axis, in the shown unit. */
export interface ValueAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

const HEADROOM = 1.04;
const LEAST_TOP = 10;

/** `top`: the highest value or limit that must find room. */
export function valueAxis(kind: ChartKind, unit: string, top: number): ValueAxis {
  if (kind.axis !== null && top <= kind.axis.max) return kind.axis;
  const max = Math.max(top, unit === 'MB/s' && top === 0 ? LEAST_TOP : top || 1) * HEADROOM;
  const step = tickStep(max);
  const ticks: number[] = [];
  for (let tick = 0; tick <= max; tick += step) ticks.push(tick);
  return { min: 0, max, ticks };
}

/** Three to five ticks, 0 included. */
function tickStep(max: number): number {
  const step = niceStep(max / HEADROOM / 3);
  return max / step < 2 ? niceStep(max / HEADROOM / 4) : step;
}

/** The smallest of 1, 2, 2.5, 4, 5, 10 × 10ⁿ that is not below `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 4, 5].find((each) => each * power >= least) ?? 10;
  return factor * power;
}
