import type { GpuReading } from './gpu-reading.ts';
import type { BoxBucket, BucketValue, GpuBucket } from './history-codec.ts';
import { metrics, valueOf, type Metric } from './reading-ring.ts';

const MIN = 0;
const MAX = metrics.length;
const SUM = 2 * metrics.length;
const REPORTED = 3 * metrics.length;

interface Running {
  count: number;
  /** From each of these places on, one for each metric: its minimum, maximum, sum, and how often it was reported. */
  readonly figures: Float64Array;
}

/** Takes the samples of one bucket of a box and gives their minimum, mean and maximum. */
export class BucketFold {
  readonly startMs: number;
  readonly #gpus = new Map<number, Running>();

  constructor(startMs: number) {
    this.startMs = startMs;
  }

  add(slot: number, reading: GpuReading): void {
    const gpu = this.#running(slot);
    gpu.count += 1;
    for (let i = 0; i < metrics.length; i += 1) {
      const value = valueOf(reading, metrics[i] as Metric);
      if (!Number.isNaN(value)) addValues(gpu, i, value, value, value, 1);
    }
  }

  /** What a finer fold holds, as if its samples had been added here. */
  addFold(finer: BucketFold): void {
    for (const [slot, { count, figures }] of finer.#gpus) {
      const gpu = this.#running(slot);
      gpu.count += count;
      const at = (place: number): number => figures[place] as number;
      for (let i = 0; i < metrics.length; i += 1) {
        addValues(gpu, i, at(MIN + i), at(MAX + i), at(SUM + i), at(REPORTED + i));
      }
    }
  }

  /** A finished bucket of a finer tier. */
  addBucket({ gpus }: BoxBucket): void {
    for (const { slot, count, values } of gpus) {
      const gpu = this.#running(slot);
      gpu.count += count;
      for (let i = 0; i < metrics.length; i += 1) {
        const value = values[metrics[i] as Metric];
        if (value === undefined) continue;
        addValues(gpu, i, value.min, value.max, value.mean * count, count);
      }
    }
  }

  bucket(): BoxBucket {
    const gpus = [...this.#gpus].map(([slot, gpu]): GpuBucket => ({
      slot,
      count: gpu.count,
      values: valuesOf(gpu),
    }));
    return { startMs: this.startMs, gpus };
  }

  #running(slot: number): Running {
    const known = this.#gpus.get(slot);
    if (known !== undefined) return known;
    const figures = new Float64Array(4 * metrics.length);
    figures.fill(Infinity, MIN, MAX).fill(-Infinity, MAX, SUM);
    const begun: Running = { count: 0, figures };
    this.#gpus.set(slot, begun);
    return begun;
  }
}

/** Plain figures, no object: this is done for each figure of each sample. */
function addValues(
  { figures }: Running,
  place: number,
  min: number,
  max: number,
  sum: number,
  count: number,
): void {
  if (min < (figures[MIN + place] as number)) figures[MIN + place] = min;
  if (max > (figures[MAX + place] as number)) figures[MAX + place] = max;
  figures[SUM + place] = (figures[SUM + place] as number) + sum;
  figures[REPORTED + place] = (figures[REPORTED + place] as number) + count;
}

function valuesOf({ figures }: Running): GpuBucket['values'] {
  const values: Partial<Record<Metric, BucketValue>> = {};
  for (const [place, metric] of metrics.entries()) {
    const count = figures[REPORTED + place] as number;
    if (count === 0) continue;
    values[metric] = {
      min: figures[MIN + place] as number,
      mean: (figures[SUM + place] as number) / count,
      max: figures[MAX + place] as number,
    };
  }
  return values;
}

/** Two records of the same time as one: after a restart within a minute, or a clock that went back. */
export function mergeBuckets(
  a: readonly BoxBucket[],
  b: readonly BoxBucket[],
): readonly BoxBucket[] {
  const folds = new Map<number, BucketFold>();
  for (const bucket of [...a, ...b]) {
    let fold = folds.get(bucket.startMs);
    if (fold === undefined) folds.set(bucket.startMs, (fold = new BucketFold(bucket.startMs)));
    fold.addBucket(bucket);
  }
  return [...folds.values()]
    .map((fold) => fold.bucket())
    .sort((one, other) => one.startMs - other.startMs);
}
