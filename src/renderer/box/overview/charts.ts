import type { GpuDetails, GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import type { Metric } from '../../../shared/telemetry/reading-ring.ts';
import { METRIC_HINTS } from './metric-hints.ts';

export type ChartId = 'sm' | 'clock' | 'power' | 'temperature' | 'vram' | 'pcie';

/** What a card cannot or must not go beyond. */
export interface Limit {
  readonly value: number;
  /** As it stands at the dashed line. */
  readonly label: string;
}

/** What one of the six charts draws, whatever the box. */
export interface ChartKind {
  readonly id: ChartId;
  readonly title: string;
  /** What the title means, for who does not know the abbreviation. */
  readonly hint: string;
  /** For screen readers, who get no abbreviation. */
  readonly longTitle: string;
  /** The token of its colour. */
  readonly colour: string;
  readonly metric: Metric;
  /** What the first line is called where its chart has a second one. */
  readonly label: string;
  readonly second: {
    readonly metric: Metric;
    readonly label: string;
    readonly colour: string;
  } | null;
  readonly unit: string;
  readonly decimals: number;
  /** From the reading's unit to the one that is shown. */
  readonly divisor: number;
  /** The card's own limit, in the reading's unit; `details` null: the slow probe has not told more. */
  /** Whether the times in which the clock was held are drawn behind the lines. */
  readonly hasBands: boolean;
  readonly limitOf: (gpu: GpuFacts, details: GpuDetails | null) => Limit | null;
  /** Fixed ends of the axis; null: from the limit and the data. */
  readonly axis: { readonly min: number; readonly max: number; readonly ticks: number[] } | null;
}

const noLimit = (): null => null;

function limitAt(value: number | null, label: string): Limit | null {
  return value === null ? null : { value, label };
}

/** Newer cards tell no temperature, only how many degrees are left to the highest at which they work. */
function heatLimit(_gpu: GpuFacts, details: GpuDetails | null): Limit | null {
  if (details === null) return null;
  const { slowdownTemperatureC, maxOperatingTemperatureC, temperatureC, temperatureMarginC } =
    details;
  const byMargin =
    temperatureC === null || temperatureMarginC === null ? null : temperatureC + temperatureMarginC;
  return (
    limitAt(slowdownTemperatureC, 'slows down at') ??
    limitAt(maxOperatingTemperatureC ?? byMargin, 'slows down above')
  );
}

/** In the order of the grid. */
export const chartKinds: readonly ChartKind[] = [
  {
    id: 'sm',
    title: 'SM',
    hint: `${METRIC_HINTS.sm} mem: ${METRIC_HINTS.mem}`,
    longTitle: 'SM utilisation',
    colour: '--series-sm',
    metric: 'smPct',
    label: '',
    second: { metric: 'memPct', label: 'mem', colour: '--series-mem' },
    unit: '%',
    decimals: 0,
    divisor: 1,
    hasBands: false,
    limitOf: noLimit,
    axis: { min: 0, max: 104, ticks: [0, 50, 100] },
  },
  {
    id: 'clock',
    title: 'SM clock',
    hint: METRIC_HINTS.clock,
    longTitle: 'SM clock',
    colour: '--series-clock',
    metric: 'smClockMHz',
    label: '',
    second: null,
    unit: 'MHz',
    decimals: 0,
    divisor: 1,
    hasBands: true,
    limitOf: (gpu) => limitAt(gpu.maxSmClockMHz, 'max'),
    axis: null,
  },
  {
    id: 'power',
    title: 'Power',
    hint: METRIC_HINTS.power,
    longTitle: 'Power',
    colour: '--series-power',
    metric: 'powerW',
    label: '',
    second: null,
    unit: 'W',
    decimals: 0,
    divisor: 1,
    hasBands: true,
    limitOf: (gpu) => limitAt(gpu.powerLimitW, 'limit'),
    axis: null,
  },
  {
    id: 'temperature',
    title: 'Temperature',
    hint: `${METRIC_HINTS.core} HBM: ${METRIC_HINTS.hbm}`,
    longTitle: 'Temperature',
    colour: '--series-temperature',
    metric: 'temperatureC',
    label: '',
    second: { metric: 'memoryTemperatureC', label: 'HBM', colour: '--series-mem' },
    unit: '°C',
    decimals: 0,
    divisor: 1,
    hasBands: true,
    limitOf: heatLimit,
    axis: { min: 20, max: 104, ticks: [20, 60, 100] },
  },
  {
    id: 'vram',
    title: 'VRAM',
    hint: METRIC_HINTS.vram,
    longTitle: 'VRAM used',
    colour: '--series-vram',
    metric: 'memoryUsedMiB',
    label: '',
    second: null,
    unit: 'GiB',
    decimals: 1,
    divisor: 1024,
    hasBands: false,
    limitOf: (gpu) => limitAt(gpu.memoryTotalMiB, 'total'),
    axis: null,
  },
  {
    id: 'pcie',
    title: 'PCIe',
    hint: `rx: ${METRIC_HINTS.rx} tx: ${METRIC_HINTS.tx}`,
    longTitle: 'PCIe traffic',
    colour: '--series-pcie',
    metric: 'pcieRxMBps',
    label: 'rx',
    second: { metric: 'pcieTxMBps', label: 'tx', colour: '--series-sm' },
    unit: 'MB/s',
    decimals: 0,
    divisor: 1,
    hasBands: false,
    limitOf: noLimit,
    axis: null,
  },
];
