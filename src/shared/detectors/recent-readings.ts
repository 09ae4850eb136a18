import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { HEAT_BITS, POWER_BRAKE_BIT, POWER_CAP_BIT } from './clock-holds.ts';

/** What rules look at as means. dmon tells heat and power by columns of their own, the looped query by bits. */
const FIGURES = {
  smPct: (reading) => reading.smPct,
  encoderPct: (reading) => reading.encoderPct,
  decoderPct: (reading) => reading.decoderPct,
  smClockMHz: (reading) => reading.smClockMHz,
  powerW: (reading) => reading.powerW,
  temperatureC: (reading) => reading.temperatureC,
  memoryUsedMiB: (reading) => reading.memoryUsedMiB,
  heldByHeatPct: ({ isThermallyHeld, throttleBits }) =>
    isThermallyHeld === null ? shareWith(throttleBits, HEAT_BITS) : isThermallyHeld ? 100 : 0,
  heldByPowerPct: ({ powerViolationPct, throttleBits }) =>
    powerViolationPct ?? shareWith(throttleBits, POWER_CAP_BIT),
  heldByBrakePct: ({ throttleBits }) => shareWith(throttleBits, POWER_BRAKE_BIT),
} satisfies Record<string, (reading: GpuReading) => number | null>;
export type MeanOf = keyof typeof FIGURES;

const NAMES = Object.keys(FIGURES) as readonly MeanOf[];
const READ = Object.values(FIGURES);
const COLUMN_OF = new Map(NAMES.map((name, column) => [name, column]));

/** Rules about load judge means over 30 s (gotchas U24, U38: `dmon -c 30`, `-c 10`). */
export const WINDOW_MS = 30_000;
/** Less than this says too little: utilisation alone is an average of up to 1 s (facts/nvidia.md §1.3). */
export const ENOUGH_MS = 15_000;
/** A pause that is longer than this is a gap: what came before does not belong to the same window. */
export const MAX_PAUSE_MS = 10_000;
/** More samples than 1 Hz gives in the window; faster streams keep the newest. */
const CAPACITY = 64;

/** One GPU's last 30 s as sums, so that a mean costs nothing. Fed by time stamps; repeated and late samples count once. */
export class RecentReadings {
  readonly #atMs = new Float64Array(CAPACITY);
  readonly #values = new Float64Array(CAPACITY * READ.length);
  readonly #sums = new Float64Array(READ.length);
  readonly #counts = new Int32Array(READ.length);
  #first = 0;
  #length = 0;
  #latest: GpuReading | null = null;

  get latest(): GpuReading | null {
    return this.#latest;
  }

  get length(): number {
    return this.#length;
  }

  get startMs(): number | null {
    return this.#length === 0 ? null : (this.#atMs[this.#first] ?? null);
  }

  get endMs(): number | null {
    return this.#length === 0 ? null : (this.#atMs[this.#slot(this.#length - 1)] ?? null);
  }

  get spanMs(): number {
    return (this.endMs ?? 0) - (this.startMs ?? 0);
  }

  /** Whether the window, at this time, is long enough and still fed. */
  isTelling(atMs: number): boolean {
    return this.spanMs >= ENOUGH_MS && Math.abs(atMs - (this.endMs ?? 0)) <= MAX_PAUSE_MS;
  }

  push(atMs: number, reading: GpuReading): void {
    if (!Number.isFinite(atMs)) return;
    const { endMs } = this;
    if (endMs !== null && atMs <= endMs && endMs - atMs <= MAX_PAUSE_MS) return; // repeated or late
    if (endMs !== null && Math.abs(atMs - endMs) > MAX_PAUSE_MS) this.clear();
    while (this.#length > 0 && atMs - (this.startMs ?? atMs) > WINDOW_MS) this.#drop();
    if (this.#length === CAPACITY) this.#drop();
    const slot = this.#slot(this.#length);
    this.#atMs[slot] = atMs;
    for (let column = 0; column < READ.length; column += 1) {
      const value = valueOf(reading, column);
      this.#values[slot * READ.length + column] = value ?? NaN;
      if (value === null) continue;
      this.#sums[column] = (this.#sums[column] ?? 0) + value;
      this.#counts[column] = (this.#counts[column] ?? 0) + 1;
    }
    this.#length += 1;
    this.#latest = reading;
  }

  clear(): void {
    this.#first = 0;
    this.#length = 0;
    this.#latest = null;
    this.#sums.fill(0);
    this.#counts.fill(0);
  }

  /** Null where the box reported it in fewer than half of the samples, or does not report it any more. */
  mean(figure: MeanOf): number | null {
    const column = COLUMN_OF.get(figure) ?? NaN;
    const count = this.#counts[column] ?? 0;
    if (count === 0 || count * 2 < this.#length) return null;
    if (this.#latest === null || valueOf(this.#latest, column) === null) return null;
    return (this.#sums[column] ?? 0) / count;
  }

  #drop(): void {
    const from = this.#first * READ.length;
    for (let column = 0; column < READ.length; column += 1) {
      const value = this.#values[from + column] ?? NaN;
      if (Number.isNaN(value)) continue;
      this.#sums[column] = (this.#sums[column] ?? 0) - value;
      this.#counts[column] = (this.#counts[column] ?? 0) - 1;
    }
    this.#first = (this.#first + 1) % CAPACITY;
    this.#length -= 1;
  }

  #slot(place: number): number {
    return (this.#first + place) % CAPACITY;
  }
}

function valueOf(reading: GpuReading, column: number): number | null {
  return READ[column]?.(reading) ?? null;
}

function shareWith(bits: number | null, wanted: number): number | null {
  return bits === null ? null : (bits & wanted) === 0 ? 0 : 100;
}
