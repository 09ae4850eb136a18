import { UNTOLD_READING, type GpuReading } from '../telemetry/gpu-reading.ts';
import { throttleBitsOf } from './gpu-facts.ts';
import { classifyGpuToolFailure, isGpuToolFailureDetail } from './gpu-tool-failure.ts';
import { LineSplitter } from './line-splitter.ts';
import {
  isDamaged,
  numberOf,
  parseQueryHeader,
  parseQueryRow,
  textOf,
  type QueryHeader,
  type QueryRow,
} from './query.ts';
import { BatchBuilder, type ReadingBatch } from './reading-batch.ts';
import { excerpt } from './probe-output.ts';

/** What takes dmon's place where there is none. PCIe traffic and violations are not among what a query tells. */
const LOOP_FIELDS = [
  'index',
  'utilization.gpu',
  'utilization.memory',
  'utilization.encoder',
  'utilization.decoder',
  'utilization.jpeg',
  'utilization.ofa',
  'clocks.current.sm',
  'clocks.current.memory',
  'power.draw',
  'temperature.gpu',
  'temperature.memory',
  'memory.used',
  'clocks_event_reasons.active',
  'ecc.errors.corrected.volatile.total',
  'ecc.errors.uncorrected.volatile.total',
] as const;

/** Until R535 the reasons had another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'clocks_event_reasons.active': 'clocks_throttle_reasons.active',
};

/** Without what the driver refused before; null: it refuses even the index. */
export function queryLoopCommand(refused: readonly string[]): string | null {
  const fields = LOOP_FIELDS.flatMap((field) => {
    if (!refused.includes(field)) return [field];
    const other = OTHER_NAMES[field];
    return other === undefined || refused.includes(other) ? [] : [other];
  });
  if (fields[0] !== 'index' || fields.length === 1) return null;
  return `nvidia-smi --query-gpu=${fields.join(',')} --format=csv -lms 1000`;
}

/** Whether a row has columns for what a card does now, or only for what it is. */
export const asksFigures = (row: QueryRow): boolean =>
  [...LOOP_FIELDS, ...Object.values(OTHER_NAMES)].some(
    (field) => field !== 'index' && field in row,
  );

/** Reads the looped query in pieces cut anywhere. The header decides what a column is, each time it comes. */
export class QueryLoopReader {
  readonly #lines = new LineSplitter((line, isCut) => this.#read(line, isCut));
  #header: QueryHeader | null = null;
  #batch = new BatchBuilder();

  push(chunk: string): ReadingBatch {
    this.#lines.push(chunk);
    return this.#take();
  }

  /** A last line without its newline may be cut inside its last figure, so it is not believed. */
  end(): ReadingBatch {
    return this.#take();
  }

  #take(): ReadingBatch {
    const batch = this.#batch.build();
    this.#batch = new BatchBuilder();
    return batch;
  }

  #read(line: string, isCut: boolean): void {
    if (line.trim() === '') return;
    const failure = isCut ? null : classifyGpuToolFailure(line);
    if (failure !== null) {
      this.#batch.failures.push(failure);
      return;
    }
    if (isCut || isGpuToolFailureDetail(line)) {
      if (isCut) this.#batch.unreadable.add(line);
      return;
    }
    const header = parseQueryHeader(line);
    if (header !== null) {
      this.#header = header;
      return;
    }
    const row = this.#header === null ? null : parseQueryRow(line, this.#header);
    const reading = row === null || isDamaged(row) ? null : toReading(row);
    if (reading !== null) this.#batch.readings.push(reading);
    else if (row !== null && isLost(row)) {
      this.#batch.failures.push({
        kind: 'gpu-lost',
        address: null,
        field: null,
        line: excerpt(line.trim()),
      });
    } else this.#batch.unreadable.add(line);
  }
}

/** In the cells of a card that fell off the bus while the loop ran (facts/nvidia.md §2.1). */
function isLost(row: QueryRow): boolean {
  return Object.values(row).some(
    (cell) => cell.kind === 'missing' && /^GPU (?:is lost|requires reset)$/i.test(cell.because),
  );
}

/** One row of a query as a reading; null: it does not say whose it is, or a figure stands in a unit that is not its own. */
export function toReading(row: QueryRow): GpuReading | null {
  const index = numberOf(row, 'index', null);
  if (index === null || !Number.isInteger(index) || index > 999) return null;
  let isPossible = true;
  const figure = (field: string, unit: string | null): number | null => {
    const value = numberOf(row, field, unit);
    if (value === null && textOf(row, field) !== null) isPossible = false;
    return value;
  };
  const reading: GpuReading = {
    index,
    ...UNTOLD_READING,
    powerW: figure('power.draw', 'W'),
    temperatureC: figure('temperature.gpu', null),
    memoryTemperatureC: figure('temperature.memory', null),
    smPct: figure('utilization.gpu', '%'),
    memPct: figure('utilization.memory', '%'),
    encoderPct: figure('utilization.encoder', '%'),
    decoderPct: figure('utilization.decoder', '%'),
    jpegPct: figure('utilization.jpeg', '%'),
    opticalFlowPct: figure('utilization.ofa', '%'),
    memoryClockMHz: figure('clocks.current.memory', 'MHz'),
    smClockMHz: figure('clocks.current.sm', 'MHz'),
    throttleBits: throttleBitsOf(row),
    memoryUsedMiB: figure('memory.used', 'MiB'),
    eccSingleBitErrors: figure('ecc.errors.corrected.volatile.total', null),
    eccDoubleBitErrors: figure('ecc.errors.uncorrected.volatile.total', null),
  };
  return isPossible ? reading : null;
}
