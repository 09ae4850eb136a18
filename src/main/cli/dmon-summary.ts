import { DmonCycles } from '../../shared/probes/dmon-cycles.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';

type NumberKey = {
  [Key in keyof GpuReading]: GpuReading[Key] extends number | null ? Key : never;
}[keyof GpuReading];

/** The figures of a reading in the order in which people look at them. */
export const dmonFigures = [
  { key: 'smPct', label: 'SM', unit: '%' },
  { key: 'memPct', label: 'memory busy', unit: '%' },
  { key: 'powerW', label: 'power', unit: 'W' },
  { key: 'temperatureC', label: 'temperature', unit: '°C' },
  { key: 'memoryTemperatureC', label: 'memory temperature', unit: '°C' },
  { key: 'smClockMHz', label: 'SM clock', unit: 'MHz' },
  { key: 'memoryClockMHz', label: 'memory clock', unit: 'MHz' },
  { key: 'memoryUsedMiB', label: 'memory used', unit: 'MiB' },
  { key: 'bar1UsedMiB', label: 'BAR1 used', unit: 'MiB' },
  { key: 'protectedMemoryUsedMiB', label: 'protected memory used', unit: 'MiB' },
  { key: 'powerViolationPct', label: 'held down by power', unit: '%' },
  { key: 'encoderPct', label: 'encoder', unit: '%' },
  { key: 'decoderPct', label: 'decoder', unit: '%' },
  { key: 'jpegPct', label: 'JPEG', unit: '%' },
  { key: 'opticalFlowPct', label: 'optical flow', unit: '%' },
  { key: 'pcieRxMBps', label: 'PCIe received', unit: 'MB/s' },
  { key: 'pcieTxMBps', label: 'PCIe sent', unit: 'MB/s' },
  { key: 'pcieReplayErrors', label: 'PCIe replays', unit: '' },
  { key: 'eccSingleBitErrors', label: 'ECC single bit', unit: '' },
  { key: 'eccDoubleBitErrors', label: 'ECC double bit', unit: '' },
] as const satisfies readonly { key: NumberKey; label: string; unit: string }[];

export type DmonFigure = (typeof dmonFigures)[number]['key'];

/** One figure over all readings of a GPU in which it was reported. */
export interface FigureSummary {
  readonly reported: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

export interface GpuSummary {
  readonly index: number;
  readonly readings: number;
  /** Only figures that were reported at least once. */
  readonly figures: Readonly<Partial<Record<DmonFigure, FigureSummary>>>;
  readonly neverReported: readonly DmonFigure[];
  /** In how many readings the card said whether heat held it down, and in how many it did. */
  readonly thermal: { readonly reported: number; readonly held: number };
  readonly unknownColumns: readonly string[];
  readonly last: GpuReading;
}

export interface DmonReport {
  readonly readings: number;
  readonly cycles: number;
  readonly gpus: readonly GpuSummary[];
}

/** A stream of any length in constant memory. */
export class DmonSummary {
  readonly #gpus = new Map<number, GpuTotals>();
  readonly #cycles = new DmonCycles();
  #cycleCount = 0;
  #readings = 0;

  add(readings: readonly GpuReading[]): void {
    this.#readings += readings.length;
    this.#cycleCount += this.#cycles.push(readings).length;
    for (const reading of readings) {
      const totals = this.#gpus.get(reading.index);
      if (totals === undefined) this.#gpus.set(reading.index, new GpuTotals(reading));
      else totals.add(reading);
    }
  }

  build(): DmonReport {
    this.#cycleCount += this.#cycles.end().length;
    const gpus = [...this.#gpus.values()].map((totals) => totals.build());
    return {
      readings: this.#readings,
      cycles: this.#cycleCount,
      gpus: gpus.sort((a, b) => a.index - b.index),
    };
  }
}

interface Totals {
  reported: number;
  min: number;
  sum: number;
  max: number;
}

class GpuTotals {
  readonly #totals: Readonly<Record<DmonFigure, Totals>>;
  readonly #unknownColumns = new Set<string>();
  #readings = 0;
  #thermalReported = 0;
  #thermalHeld = 0;
  #last: GpuReading;

  constructor(first: GpuReading) {
    this.#last = first;
    this.#totals = Object.fromEntries(
      dmonFigures.map(({ key }) => [key, { reported: 0, min: Infinity, sum: 0, max: -Infinity }]),
    ) as Record<DmonFigure, Totals>;
    this.add(first);
  }

  add(reading: GpuReading): void {
    this.#readings += 1;
    this.#last = reading;
    if (reading.isThermallyHeld !== null) this.#thermalReported += 1;
    if (reading.isThermallyHeld === true) this.#thermalHeld += 1;
    for (const name in reading.unknownColumns) this.#unknownColumns.add(name);
    for (const { key } of dmonFigures) {
      const value = reading[key];
      if (value === null) continue;
      const totals = this.#totals[key];
      totals.reported += 1;
      totals.sum += value;
      if (value < totals.min) totals.min = value;
      if (value > totals.max) totals.max = value;
    }
  }

  build(): GpuSummary {
    const figures: Partial<Record<DmonFigure, FigureSummary>> = {};
    const neverReported: DmonFigure[] = [];
    for (const { key } of dmonFigures) {
      const { reported, min, sum, max } = this.#totals[key];
      if (reported === 0) neverReported.push(key);
      else figures[key] = { reported, min, mean: sum / reported, max };
    }
    return {
      index: this.#last.index,
      readings: this.#readings,
      figures,
      neverReported,
      thermal: { reported: this.#thermalReported, held: this.#thermalHeld },
      unknownColumns: [...this.#unknownColumns],
      last: this.#last,
    };
  }
}
