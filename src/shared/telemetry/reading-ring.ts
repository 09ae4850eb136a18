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

type Column = Float64Array | Float32Array;
type Cut = <A extends Column>(column: A) => A;

/** So many samples are added behind the last ones before those are moved: moving them costs as much as copying them. */
const ROOM_SHARE = 0.1;

/**
 * The last `capacity` samples of one GPU: each new one stands behind the others, and the oldest is left out. So they are in order
 * where they lie, and whoever asks for them is handed that place itself: charts of eight cards would copy some hundred columns
 * each time they are drawn.
 */
export class ReadingRing {
  readonly #capacity: number;
  readonly #room: number;
  #atMs: Float64Array;
  /** In the order of `metrics`: found by their place, since each sample of each card goes through all of them. */
  #values: readonly Float32Array[];
  #first = 0;
  #end = 0;
  /** Somebody may still look at these columns: what stands in them is not written over. */
  #isLent = false;

  constructor(capacity = RING_CAPACITY) {
    this.#capacity = capacity;
    this.#room = capacity + Math.ceil(capacity * ROOM_SHARE);
    this.#atMs = new Float64Array(this.#room);
    this.#values = metrics.map(() => new Float32Array(this.#room));
  }

  get length(): number {
    return this.#end - this.#first;
  }

  /** Null: there is no sample. */
  get oldestMs(): number | null {
    return this.length === 0 ? null : (this.#atMs[this.#first] ?? null);
  }

  /** Null: there is no sample. */
  get newestMs(): number | null {
    return this.length === 0 ? null : (this.#atMs[this.#end - 1] ?? null);
  }

  /** NaN: not reported, or there is no sample. */
  newest(metric: Metric): number {
    return this.length === 0 ? NaN : (this.#column(metric)[this.#end - 1] ?? NaN);
  }

  push(atMs: number, reading: GpuReading): void {
    const at = this.#next();
    this.#atMs[at] = atMs;
    for (let i = 0; i < metrics.length; i += 1) {
      (this.#values[i] as Float32Array)[at] = valueOf(reading, metrics[i] as Metric);
    }
  }

  /** Puts back what `columns()` gave, as after a resync. */
  load(columns: GpuColumns): void {
    this.#first = this.#end;
    for (let i = 0; i < columns.atMs.length; i += 1) {
      const at = this.#next();
      this.#atMs[at] = columns.atMs[i] ?? NaN;
      for (const metric of metrics) this.#column(metric)[at] = columns.values[metric][i] ?? NaN;
    }
  }

  /** Where they lie; they stay as they are for as long as somebody holds them. */
  columns(): GpuColumns {
    this.#isLent = true;
    return this.#columns(
      <A extends Column>(column: A) => column.subarray(this.#first, this.#end) as A,
    );
  }

  /** With memory of their own, to be sent: with a part of a column all of its memory would go. */
  copy(): GpuColumns {
    return this.#columns(
      <A extends Column>(column: A) => column.slice(this.#first, this.#end) as A,
    );
  }

  #columns(cut: Cut): GpuColumns {
    return { atMs: cut(this.#atMs), values: columnsOf((metric) => cut(this.#column(metric))) };
  }

  #column(metric: Metric): Float32Array {
    return this.#values[metrics.indexOf(metric)] as Float32Array;
  }

  /** The place of one more sample. */
  #next(): number {
    if (this.#end === this.#room) this.#makeRoom();
    const at = this.#end;
    this.#end += 1;
    if (this.length > this.#capacity) this.#first += 1;
    return at;
  }

  /** The last ones go to the front: of other columns, where somebody may still look at these. */
  #makeRoom(): void {
    const [first, end] = [this.#first, this.#end];
    if (this.#isLent) {
      const { atMs, values } = this.columns();
      this.#atMs = new Float64Array(this.#room);
      this.#atMs.set(atMs);
      this.#values = metrics.map((metric) => {
        const column = new Float32Array(this.#room);
        column.set(values[metric]);
        return column;
      });
      this.#isLent = false;
    } else {
      for (const column of [this.#atMs, ...this.#values]) column.copyWithin(0, first, end);
    }
    this.#first = 0;
    this.#end = end - first;
  }
}

/** NaN: not reported. A yes is 1, so that the mean of a time is the share of it. */
export function valueOf(reading: Pick<GpuReading, Metric>, metric: Metric): number {
  const value = reading[metric];
  return value === null ? NaN : Number(value);
}

function columnsOf(make: (metric: Metric) => Float32Array): Record<Metric, Float32Array> {
  const columns: Partial<Record<Metric, Float32Array>> = {};
  for (const metric of metrics) columns[metric] = make(metric);
  return columns as Record<Metric, Float32Array>;
}
