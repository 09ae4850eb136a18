import type { GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import type { Metric } from '../../../shared/telemetry/reading-ring.ts';

export type ChartId = 'sm' | 'clock' | 'power' | 'temperature' | 'vram' | 'pcie';

/** What one of the six charts draws, whatever the box. */
export interface ChartKind {
  readonly id: ChartId;
  readonly title: string;
  /** For screen readers, who get no abbreviation. */
  readonly longTitle: string;
  readonly colour: string;
  readonly metric: Metric;
  /** How the first line is called where its chart has a second one. */
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
  /** The card's own limit, in the reading's unit. */
  readonly limitOf: (gpu: GpuFacts) => number | null;
  /** Fixed ends of the axis; null: from the limit and the data. */
  readonly axis: { readonly min: number; readonly max: number; readonly ticks: number[] } | null;
}

const noLimit = (): null => null;

/** In the order of the grid. */
export const chartKinds: readonly ChartKind[] = [
  {
    id: 'sm',
    title: 'SM',
    longTitle: 'SM utilisation',
    colour: 'var(--series-sm)',
    metric: 'smPct',
    label: '',
    second: { metric: 'memPct', label: 'mem', colour: 'var(--series-mem)' },
    unit: '%',
    decimals: 0,
    divisor: 1,
    limitOf: noLimit,
    axis: { min: 0, max: 104, ticks: [0, 50, 100] },
  },
  {
    id: 'clock',
    title: 'SM clock',
    longTitle: 'SM clock',
    colour: 'var(--series-clock)',
    metric: 'smClockMHz',
    label: '',
    second: null,
    unit: 'MHz',
    decimals: 0,
    divisor: 1,
    limitOf: (gpu) => gpu.maxSmClockMHz,
    axis: null,
  },
  {
    id: 'power',
    title: 'Power',
    longTitle: 'Power',
    colour: 'var(--series-power)',
    metric: 'powerW',
    label: '',
    second: null,
    unit: 'W',
    decimals: 0,
    divisor: 1,
    limitOf: (gpu) => gpu.powerLimitW,
    axis: null,
  },
  {
    id: 'temperature',
    title: 'Temperature',
    longTitle: 'Temperature',
    colour: 'var(--series-temperature)',
    metric: 'temperatureC',
    label: '',
    second: { metric: 'memoryTemperatureC', label: 'HBM', colour: 'var(--series-mem)' },
    unit: '°C',
    decimals: 0,
    divisor: 1,
    limitOf: noLimit,
    axis: { min: 20, max: 104, ticks: [20, 60, 100] },
  },
  {
    id: 'vram',
    title: 'VRAM',
    longTitle: 'VRAM used',
    colour: 'var(--series-vram)',
    metric: 'memoryUsedMiB',
    label: '',
    second: null,
    unit: 'GiB',
    decimals: 1,
    divisor: 1024,
    limitOf: (gpu) => gpu.memoryTotalMiB,
    axis: null,
  },
  {
    id: 'pcie',
    title: 'PCIe',
    longTitle: 'PCIe traffic',
    colour: 'var(--series-pcie)',
    metric: 'pcieRxMBps',
    label: 'rx',
    second: { metric: 'pcieTxMBps', label: 'tx', colour: 'var(--series-sm)' },
    unit: 'MB/s',
    decimals: 0,
    divisor: 1,
    limitOf: noLimit,
    axis: null,
  },
];
