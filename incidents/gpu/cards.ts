import type { DmonCells } from './dmon-text.ts';
import { busOf } from './gpu-box.ts';
import { CALM_CPU, type Card, type GpuBoxState, type GpuHolder } from './gpu-incident.ts';

/** A recorded H100 at rest; it keeps its memory clock. */
export const RESTING: DmonCells = {
  sm: 0,
  mem: 0,
  pwr: 69,
  gtemp: 41,
  mtemp: 47,
  pclk: 345,
  fb: 4,
  bar1: 1,
  rxpci: 0,
  txpci: 0,
};
export const RESTING_CARD: Card = {
  fields: { 'memory.used': 4, 'clocks_event_reasons.active': '0x0000000000000001' },
  dmon: RESTING,
};
/** It holds its job's memory and computes nothing. */
export const WAITING: DmonCells = { sm: 0, mem: 0, pwr: 118, gtemp: 44, mtemp: 49 };
export const WAITING_CARD: Card = { dmon: WAITING };

/** The driver tells no load of a card that is split, as recorded with an H100 under driver 590. */
export const MIG_CARD: Card = {
  fields: { 'mig.mode.current': 'Enabled', 'utilization.gpu': '[N/A]' },
  dmon: { sm: '-', mem: '-', enc: '-', dec: '-', jpg: '-', ofa: '-' },
};

/** A GeForce has no ECC and names itself. */
export const GEFORCE_FIELDS = {
  name: 'NVIDIA GeForce RTX 4090',
  'ecc.mode.current': 'N/A',
  'remapped_rows.histogram.max': 'N/A',
  'ecc.errors.corrected.volatile.total': 'N/A',
  'ecc.errors.uncorrected.volatile.total': 'N/A',
  'remapped_rows.pending': 'N/A',
  'remapped_rows.failure': 'N/A',
  'memory.total': 24_564,
  'memory.used': 19_818,
  'power.limit': '450.00',
  'enforced.power.limit': '450.00',
  'power.default_limit': '450.00',
  'clocks.max.sm': 3105,
};

export const cards = (count: number, card: Card = {}): readonly Card[] =>
  Array.from({ length: count }, () => card);

/** One job with a process on each card. */
export const jobOn = (count: number, memoryMiB = 19_000): readonly GpuHolder[] =>
  Array.from({ length: count }, (_none, gpu) => ({
    gpu,
    pid: 4711 + gpu,
    name: '/usr/bin/python3',
    memoryMiB,
  }));

export { CALM_CPU };
export const IDLE_CPU = { ...CALM_CPU, usedCpus: 0.05, throttledPct: 0, threads: 12 } as const;

/** A healthy training over all cards. */
export const training = (count = 1): GpuBoxState => ({
  cards: cards(count),
  processes: jobOn(count),
  cpu: CALM_CPU,
});

/** `dmon` prints this for one part of each period and that for the rest. */
export const takingTurns =
  (periodS: number, firstS: number, first: DmonCells, rest: DmonCells) =>
  (second: number): DmonCells =>
    second % periodS < firstS ? first : rest;

/** As the kernel names the card: 0000:19:00. */
export const kernelBusOf = (index: number): string => busOf(index).slice(4, -2).toLowerCase();

export const bits = (value: number): string =>
  `0x${value.toString(16).toUpperCase().padStart(16, '0')}`;
