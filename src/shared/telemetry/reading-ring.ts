import type { GpuReading } from './gpu-reading.ts';

/**
 * The figures that charts draw. A column of a new chart is added here and nowhere else; the history on disk knows them by
 * their place, so a new one goes to the end.
 */
export const metrics = [
  'smPct',
  'memPct',
  'smClockMHz',
  'powerW',
  'temperatureC',
  'memoryTemperatureC',
  'memoryUsedMiB',
  'pcieRxMBps',
  'pcieTxMBps',
  'memoryClockMHz',
  'powerViolationPct',
  'isThermallyHeld',
] as const satisfies readonly (keyof GpuReading)[];
export type Metric = (typeof metrics)[number];

/** 1 s samples for the last 15 minutes (DESIGN §4). */
export const RING_CAPACITY = 900;

/** One GPU's samples, oldest first, in columns. NaN stands for "not reported": a typed array cannot hold null. */
export interface GpuColumns {
  readonly atMs: Float64Array;
  readonly values: Readonly<Record<Metric, Float32Array>>;
}

/** The last `capacity` samples of one GPU. Full: the oldest sample goes. */
export class ReadingRing {
  readonly #capacity: number;
  readonly #atMs: Float64Array;
  /** In the order of `metrics`: found by their place, since each sample of each card goes through all of them. */
  readonly #values: readonly Float32Array[];
  #next = 0;
  #length = 0;

  constructor(capacity = RING_CAPACITY) {
    this.#capacity = capacity;
    this.#atMs = new Float64Array(capacity);
    this.#values = metrics.map(() => new Float32Array(capacity));
  }

  get length(): number {
    return this.#length;
  }

  /** Null: there is no sample. */
  get oldestMs(): number | null {
    if (this.#length === 0) return null;
    return this.#atMs[this.#length < this.#capacity ? 0 : this.#next] ?? null;
  }

  /** Null: there is no sample. */
  get newestMs(): number | null {
    return this.#length === 0 ? null : (this.#atMs[this.#newest] ?? null);
  }

  /** NaN: not reported, or there is no sample. */
  newest(metric: Metric): number {
    return this.#length === 0 ? NaN : (this.#column(metric)[this.#newest] ?? NaN);
  }

  get #newest(): number {
    return (this.#next + this.#capacity - 1) % this.#capacity;
  }

  push(atMs: number, reading: GpuReading): void {
    this.#atMs[this.#next] = atMs;
    for (let i = 0; i < metrics.length; i += 1) {
      (this.#values[i] as Float32Array)[this.#next] = valueOf(reading, metrics[i] as Metric);
    }
    this.#advance();
  }

  /** Puts back what `columns()` gave, as after a resync. */
  load(columns: GpuColumns): void {
    this.#next = 0;
    this.#length = 0;
    for (let i = 0; i < columns.atMs.length; i += 1) {
      this.#atMs[this.#next] = columns.atMs[i] ?? NaN;
      for (const metric of metrics) {
        this.#column(metric)[this.#next] = columns.values[metric][i] ?? NaN;
      }
      this.#advance();
    }
  }

  columns(): GpuColumns {
    return {
      atMs: this.#inOrder(this.#atMs),
      values: columnsOf((metric) => this.#inOrder(this.#column(metric))),
    };
  }

  #column(metric: Metric): Float32Array {
    return this.#values[metrics.indexOf(metric)] as Float32Array;
  }

  #advance(): void {
    this.#next = (this.#next + 1) % this.#capacity;
    this.#length = Math.min(this.#length + 1, this.#capacity);
  }

  #inOrder<A extends Float64Array | Float32Array>(ring: A): A {
    if (this.#length < this.#capacity) return ring.slice(0, this.#length) as A;
    const ordered = ring.slice() as A;
    ordered.set(ring.subarray(this.#next), 0);
    ordered.set(ring.subarray(0, this.#next), this.#capacity - this.#next);
    return ordered;
  }
}

/** NaN: not reported. A yes is 1, so that the mean of a time is the share of it. */
export function valueOf(reading: Pick<GpuReading, Metric>, metric: Metric): number {
  const value = reading[metric];
  return value === null ? NaN : Number(value);
}

function columnsOf(make: (metric: Metric) => Float32Array): Record<Metric, Float32Array> {
  return Object.fromEntries(metrics.map((metric) => [metric, make(metric)])) as Record<
    Metric,
    Float32Array
  >;
}
